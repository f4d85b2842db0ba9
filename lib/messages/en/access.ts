export const access = {
  'access.missing': 'You may not {verb} {kind}{scope, select, namespace { in namespace {namespace}} other {}}.',
  'access.missingBecause':
    'You may not {verb} {kind}{scope, select, namespace { in namespace {namespace}} other {}}: {reason}.',
  'access.readOnly': 'Evenkeel runs read-only.',
  'access.rebalancesNotServed':
    'Rebalancing is unavailable: this control plane does not serve WorkloadRebalancers. It needs Karmada 1.11 or later.',
} as const
