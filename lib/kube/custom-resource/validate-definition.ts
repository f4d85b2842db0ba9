/** Validates a CustomResourceDefinition, and its updates. */
import { deepEqual } from '@/lib/std/equal'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyItems,
  unsupportedField,
} from '../field-error'
import type { CustomResourceDefinition, DefinitionNames, DefinitionVersion } from '../kinds/custom-resource-definition'
import { ownProperty, type StructuralSchema } from '../schema'
import { partsOf } from '../schema-parts'
import { checkDns1035Label, checkSubdomain } from '../validation/formats'
import { validateClientConfig } from '../validation/webhook-client'
import { isTrue } from './acceptance'
import { type Shared, sharedBy, shownVersions } from './shown-versions'
import { conversionProblem, validateDefinitionSchema } from './validate-schema'

type Spec = CustomResourceDefinition['spec']

/** All findings about a definition; its metadata is checked elsewhere, but for the name. */
export function validateDefinition(definition: CustomResourceDefinition): FieldError[] {
  return [...checkName(definition), ...checkSpec(definition.spec), ...checkWhole(definition)]
}

function checkName({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (metadata.name === `${spec.names?.plural}.${spec.group}`) return []
  return [invalidField('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]
}

function checkSpec(spec: Spec): FieldError[] {
  return [
    ...checkGroup(spec.group ?? ''),
    ...checkScope(spec.scope),
    ...checkVersions(spec),
    ...checkNames(spec.names ?? { plural: '', kind: '' }),
    ...checkShared(spec),
    ...checkConversion(spec),
  ]
}

/** What is judged after the spec, and after what may not change in it. */
function checkWhole({ metadata, spec, status }: CustomResourceDefinition): FieldError[] {
  return [
    ...checkStoredVersions(spec, status?.storedVersions),
    ...checkApproval(spec.group ?? '', metadata.annotations ?? {}),
    ...(spec.preserveUnknownFields ? [invalidField('spec.preserveUnknownFields', true, UNKNOWN_FIELDS)] : []),
  ]
}

const UNKNOWN_FIELDS =
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
const APPROVAL = 'api-approved.kubernetes.io'

/** Groups of the Kubernetes community need an approval. */
function checkApproval(group: string, annotations: Readonly<Record<string, string>>): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || annotations[APPROVAL]) return []
  const detail =
    `protected groups must have approval annotation "${APPROVAL}", `
    + 'see https://github.com/kubernetes/enhancements/pull/1111'
  return [requiredField(`metadata.annotations[${APPROVAL}]`, detail)]
}

function checkGroup(group: string): FieldError[] {
  if (group === '') return [requiredField('spec.group')]
  const problems = checkSubdomain(group)
  if (problems.length > 0) return [invalidField('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [invalidField('spec.group', group, 'should be a domain with at least one dot')]
}

function checkScope(scope: string): FieldError[] {
  if (!scope) return [requiredField('spec.scope')]
  const scopes = ['Cluster', 'Namespaced']
  return scopes.includes(scope) ? [] : [unsupportedField('spec.scope', scope, scopes)]
}

function checkVersions({ versions = [], preserveUnknownFields }: Spec): FieldError[] {
  const shared = sharedBy(versions)
  const shown = shownVersions(versions, shared)
  const findings = versions.flatMap(({ schema }, index) =>
    schema?.openAPIV3Schema ? [] : [requiredField(`spec.versions[${index}].schema.openAPIV3Schema`)],
  )
  if (preserveUnknownFields && versions.some(hasDefaults)) {
    findings.push(
      invalidField('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'),
    )
  }
  for (const [index, version] of versions.entries()) findings.push(...checkVersion(version, index, shared))
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    findings.push(invalidField('spec.versions', shown, 'must contain unique version names'))
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    findings.push(invalidField('spec.versions', shown, 'must have exactly one version marked as storage version'))
  }
  const [first] = versions
  const problems = first ? checkDns1035Label(first.name ?? '') : []
  return problems.length > 0 ? [...findings, invalidField('spec.version', first?.name, problems.join(','))] : findings
}

/** Also in the schemas that a value is only compared with. */
function holdsDefault(schema: StructuralSchema): boolean {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema
  const compared = [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])]
  return schema.default !== undefined || [...partsOf(schema), ...compared].some(holdsDefault)
}

function hasDefaults({ schema }: DefinitionVersion): boolean {
  const root = schema?.openAPIV3Schema as StructuralSchema | undefined
  return root !== undefined && holdsDefault(root)
}

function checkVersion(version: DefinitionVersion, index: number, shared: Shared): FieldError[] {
  const path = `spec.versions[${index}]`
  const { name, schema, deprecated, deprecationWarning, subresources } = version
  const problems = checkDns1035Label(name ?? '')
  const findings = problems.length > 0 ? [invalidField(`${path}.name`, name, problems.join(','))] : []
  if (deprecationWarning !== undefined && !deprecated) {
    const detail = 'can only be set for deprecated versions'
    findings.push(invalidField(`${path}.deprecationWarning`, deprecationWarning, detail))
  }
  const own = schema?.openAPIV3Schema as StructuralSchema | undefined
  if (own && !shared.schema) findings.push(...validateDefinitionSchema(own, `${path}.schema.openAPIV3Schema`))
  return [
    ...findings,
    ...(subresources?.scale && !shared.subresources
      ? checkScale(subresources.scale, `${path}.subresources.scale`)
      : []),
    ...(shared.columns ? [] : checkColumns(version, path)),
    ...(shared.selectable ? [] : checkSelectable(version, path)),
  ]
}

/** What all versions have in common is judged once, after them. */
function checkShared({ versions = [] }: Spec): FieldError[] {
  const [first] = versions
  if (!first) return []
  const shared = sharedBy(versions)
  const schema = first.schema?.openAPIV3Schema as StructuralSchema | undefined
  const scale = shared.subresources ? first.subresources?.scale : undefined
  return [
    ...(shared.schema && schema ? validateDefinitionSchema(schema, 'spec.validation.openAPIV3Schema') : []),
    ...(scale ? checkScale(scale, 'spec.subresources.scale') : []),
    ...(shared.columns ? checkColumns(first, 'spec') : []),
    ...(shared.selectable ? checkSelectable(first, 'spec') : []),
  ]
}

type Scale = NonNullable<NonNullable<DefinitionVersion['subresources']>['scale']>

function checkScale(scale: Scale, path: string): FieldError[] {
  return [
    ...checkReplicasPath(scale.specReplicasPath, `${path}.specReplicasPath`, '.spec'),
    ...checkReplicasPath(scale.statusReplicasPath, `${path}.statusReplicasPath`, '.status'),
    ...(scale.labelSelectorPath ? checkSelectorPath(scale.labelSelectorPath, `${path}.labelSelectorPath`) : []),
  ]
}

function checkReplicasPath(value: string, path: string, root: string): FieldError[] {
  if (!value) return [requiredField(path)]
  const findings = checkSimplePath(value, path)
  if (findings.length > 0 || value.startsWith(`${root}.`)) return findings
  return [invalidField(path, value, `should be a json path under ${root}`)]
}

function checkSelectorPath(value: string, path: string): FieldError[] {
  const findings = checkSimplePath(value, path)
  if (findings.length > 0 || /^\.(status|spec)\./.test(value)) return findings
  return [invalidField(path, value, 'should be a json path under either .spec or .status')]
}

/** A path that begins with a dot; what follows is not looked at. */
function checkSimplePath(value: string, path: string): FieldError[] {
  if (!value) return [invalidField(path, value, 'must not be empty')]
  return value.startsWith('.') ? [] : [invalidField(path, value, 'must be a simple json path starting with .')]
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function checkColumns({ additionalPrinterColumns = [] }: DefinitionVersion, path: string): FieldError[] {
  return additionalPrinterColumns.flatMap(({ name, type, format, jsonPath }, index) => {
    const at = `${path}.additionalPrinterColumns[${index}]`
    return [
      ...(name ? [] : [requiredField(`${at}.name`)]),
      ...(type
        ? enumOf(type, COLUMN_TYPES, `${at}.type`)
        : [requiredField(`${at}.type`, `must be one of ${COLUMN_TYPES.join(',')}`)]),
      ...(format ? enumOf(format, COLUMN_FORMATS, `${at}.format`) : []),
      ...(jsonPath ? checkSimplePath(jsonPath, `${at}.JSONPath`) : [requiredField(`${at}.JSONPath`)]),
    ]
  })
}

function enumOf(value: string, allowed: readonly string[], path: string): FieldError[] {
  return allowed.includes(value) ? [] : [invalidField(path, value, `must be one of ${allowed.join(',')}`)]
}

const MAX_SELECTABLE = 8

function checkSelectable({ selectableFields = [], schema }: DefinitionVersion, path: string): FieldError[] {
  const at = `${path}.selectableFields`
  const paths = selectableFields.map(({ jsonPath }) => jsonPath)
  const known = new Set<string>()
  const root = schema?.openAPIV3Schema as StructuralSchema | undefined
  const unreadable = root && paths.length > 0 ? conversionProblem(root) : undefined
  const unread = unreadable === undefined ? [] : [invalidField(`${path}.schema.openAPIV3Schema`, '', unreadable)]
  const selected = paths.flatMap((own, index) => {
    const place = `${at}[${index}].jsonPath`
    if (!own) return [requiredField(place)]
    const problem = pathProblem(root, own)
    if (problem !== undefined) return [invalidField(place, own, `is an invalid path: ${problem}`)]
    const isRepeated = known.has(own)
    known.add(own)
    return [...checkSelected(root, own, place), ...(isRepeated ? [duplicateField(place, own)] : [])]
  })
  const findings = [...unread, ...selected]
  return known.size > MAX_SELECTABLE ? [...findings, tooManyItems(at, known.size, MAX_SELECTABLE)] : findings
}

/** Why a path leads to no field; lists and keys of maps cannot be named. */
function pathProblem(schema: StructuralSchema | undefined, jsonPath: string): string | undefined {
  const start = jsonPath.charAt(0)
  if (start === '[') return 'array notation is not allowed'
  if (start !== '.') return `expected [ or . but got: ${/^[^.[\]]*/.exec(jsonPath)?.[0]}`
  if (jsonPath === '.') return 'unexpected end of JSON path'
  return fieldAt(schema, jsonPath) ? undefined : 'does not refer to a valid field'
}

function fieldAt(schema: StructuralSchema | undefined, jsonPath: string): StructuralSchema | undefined {
  const steps = jsonPath.slice(1).split('.')
  return steps.reduce<StructuralSchema | undefined>((part, step) => part && ownProperty(part, step), schema)
}

function checkSelected(schema: StructuralSchema | undefined, jsonPath: string, path: string): FieldError[] {
  const findings = /^\.metadata(\.|$)/.test(jsonPath)
    ? [invalidField(path, jsonPath, 'must not point to fields in metadata')]
    : []
  if (['boolean', 'integer', 'string'].includes(fieldAt(schema, jsonPath)?.type ?? '')) return findings
  const detail =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
  return [...findings, invalidField(path, jsonPath, detail)]
}

function checkNames(names: DefinitionNames): FieldError[] {
  const { plural, singular = '', kind, listKind = '' } = names
  const at = 'spec.names'
  const missing = Object.entries({ plural, singular, kind, listKind }).filter(([, value]) => !value)
  const [forms, categories] = checkForms(names, at)
  return [
    ...missing.map(([name]) => requiredField(`${at}.${name}`)),
    ...forms,
    ...(kind && kind === listKind
      ? [invalidField(`${at}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories,
  ]
}

/** The names of a kind that are given have the form of a label; its categories are judged apart. */
function checkForms(names: Partial<DefinitionNames>, at: string): [names: FieldError[], categories: FieldError[]] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names
  const mixed = Object.entries({ kind, listKind }).flatMap(([name, value]) => {
    const problems = value ? checkDns1035Label(value.toLowerCase()) : []
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
    return problems.length > 0 ? [invalidField(`${at}.${name}`, value, detail)] : []
  })
  return [
    [
      ...checkLabel(plural, `${at}.plural`),
      ...checkLabel(singular, `${at}.singular`),
      ...mixed,
      ...shortNames.flatMap((value, index) => checkLabel(value, `${at}.shortNames[${index}]`)),
    ],
    categories.flatMap((value, index) => checkLabel(value, `${at}.categories[${index}]`)),
  ]
}

/** The accepted names in the status of a definition. */
export function validateDefinitionStatus({ status }: CustomResourceDefinition): FieldError[] {
  return checkForms(status?.acceptedNames ?? {}, 'status.acceptedNames').flat()
}

function checkLabel(value: string, path: string): FieldError[] {
  const problems = value ? checkDns1035Label(value) : []
  return problems.length > 0 ? [invalidField(path, value, problems.join(','))] : []
}

function checkConversion({ conversion, preserveUnknownFields }: Spec): FieldError[] {
  const { strategy = 'None' } = conversion ?? {}
  const detail = 'must be None if spec.preserveUnknownFields is true'
  return [
    ...(strategy !== 'None' && preserveUnknownFields
      ? [invalidField('spec.conversion.strategy', strategy, detail)]
      : []),
    ...checkStrategy(conversion),
  ]
}

function checkStrategy(conversion: Spec['conversion']): FieldError[] {
  const { strategy = 'None', webhook } = conversion ?? {}
  const at = 'spec.conversion'
  if (strategy === '') return [requiredField(`${at}.strategy`)]
  if (strategy === 'None') {
    const detail = 'should not be set when strategy is not set to Webhook'
    return [
      ...(webhook?.clientConfig ? [forbiddenField(`${at}.webhookClientConfig`, detail)] : []),
      ...(webhook?.conversionReviewVersions?.length ? [forbiddenField(`${at}.conversionReviewVersions`, detail)] : []),
    ]
  }
  if (strategy !== 'Webhook') return [unsupportedField(`${at}.strategy`, strategy, ['None', 'Webhook'])]
  if (!webhook?.clientConfig) {
    return [
      requiredField(`${at}.webhookClientConfig`, 'required when strategy is set to Webhook'),
      ...(webhook?.conversionReviewVersions?.length ? [] : [requiredField(`${at}.conversionReviewVersions`)]),
    ]
  }
  const findings = validateClientConfig(webhook.clientConfig, `${at}.webhookClientConfig`)
  if (!webhook.conversionReviewVersions?.length) findings.push(requiredField(`${at}.conversionReviewVersions`))
  else if (!webhook.conversionReviewVersions.some((version) => version === 'v1' || version === 'v1beta1')) {
    const detail = 'must include at least one of v1, v1beta1'
    findings.push(invalidField(`${at}.conversionReviewVersions`, webhook.conversionReviewVersions, detail))
  }
  return findings
}

/** All findings about an update. */
export function validateDefinitionUpdate(next: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const established = isTrue(old.status, 'Established')
    ? [
        ...immutable('spec.scope', next.spec.scope, old.spec.scope),
        ...immutable('spec.names.kind', next.spec.names.kind, old.spec.names.kind),
      ]
    : []
  return [
    ...checkSpec(next.spec),
    ...established,
    ...immutable('spec.group', next.spec.group, old.spec.group),
    ...immutable('spec.names.plural', next.spec.names.plural, old.spec.names.plural),
    ...checkWhole(next),
  ]
}

/** Objects may still be stored in a version that the definition must keep. */
function checkStoredVersions({ versions = [] }: Spec, stored: readonly string[] | undefined): FieldError[] {
  const field = 'status.storedVersions'
  if (!stored?.length) return [invalidField(field, null, 'must have at least one stored version')]
  const missing = versions.filter(({ name, storage }) => storage && !stored.includes(name))
  const names = new Set(versions.map(({ name }) => name))
  return [
    ...missing.map(({ name }) => invalidField(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.has(name) ? [] : [invalidField(`${field}[${index}]`, name, stillNeeded(name))],
    ),
  ]
}

function stillNeeded(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions `
    + `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from `
    + 'status.storedVersions'
  )
}

function immutable(path: string, next: unknown, old: unknown): FieldError[] {
  return deepEqual(next, old) ? [] : [invalidField(path, next, 'field is immutable')]
}
