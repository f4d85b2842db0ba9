export const access = {
  'access.missing': 'You may not {verb} {kind}{scope, select, namespace { in namespace {namespace}} other {}}.',
  'access.missingBecause':
    'You may not {verb} {kind}{scope, select, namespace { in namespace {namespace}} other {}}: {reason}.',
  'access.readOnly': 'Evenkeel runs read-only.',
} as const
