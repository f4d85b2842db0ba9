/** The rules of claims and of classes of storage. */
import { byteLength } from '@/lib/std/byte-length'
import { deepEqual } from '@/lib/std/equal'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from '../field-error'
import { emptyOrNull } from '../go-encoding'
import { sortedMap } from '../go-text'
import type { PersistentVolumeClaim, StorageClass } from '../kinds'
import type { UnknownObject } from '../object'
import { compareQuantity, quantityValue, tryParseQuantity } from '../quantity'
import { checkQualifiedName } from './formats'
import { validateClaimSpec } from './claim-spec'
import { isNative } from './resource-names'
import { structDifference } from './pod-dump'

/** PersistentVolumeClaim: how it is used, and how much it needs. */
export function validateClaim(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const [{ spec }, before] = [object, old] as unknown as [PersistentVolumeClaim, PersistentVolumeClaim | undefined]
  // Groups of sources were once not judged.
  const isOld = before?.spec.dataSource !== undefined || before?.spec.dataSourceRef !== undefined
  return validateClaimSpec(spec, 'spec', { allowsGroups: isOld })
}

const CLAIM_RULE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

/** Immutable fields of a claim: all but its size once it is bound, which may only grow. */
export function validateClaimUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [
    (next as unknown as PersistentVolumeClaim).spec,
    (old as unknown as PersistentVolumeClaim).spec,
  ]
  const bound = (old as unknown as PersistentVolumeClaim).status?.phase === 'Bound'
  const had = before.resources?.requests?.storage
  const isClassed = namesClass(next, old)
  const classless: Partial<ClaimSpec> = isClassed ? { storageClassName: before.storageClassName } : {}
  const compared = { ...spec, ...(bound && withoutBoundChanges(spec, before)), ...classless }
  const kept = before.volumeName ? before : { ...before, ...(spec.volumeName && { volumeName: spec.volumeName }) }
  const [size, oldSize] = [spec.resources?.requests?.storage, had].map((one) => tryParseQuantity(one ?? 0))
  const used = tryParseQuantity((old.status as PersistentVolumeClaim['status'])?.capacity?.storage ?? 0)
  const shrinks = size && oldSize && used && compareQuantity(size, oldSize) < 0 && compareQuantity(size, used) <= 0
  return [
    ...validateOldClass(next, old, isClassed),
    ...(deepEqual(compared, kept)
      ? []
      : [forbiddenField('spec', `${CLAIM_RULE}\n${structDifference('PersistentVolumeClaimSpec', kept, compared)}`)]),
    ...(shrinks
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
    ...(spec.volumeMode === before.volumeMode
      ? []
      : [invalidField('volumeMode', spec.volumeMode ?? null, 'field is immutable')]),
  ]
}

type ClaimSpec = PersistentVolumeClaim['spec']

/** The annotation that named a class before there was a field for it. */
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class'

const oldClassOf = ({ metadata }: UnknownObject): string | undefined => metadata.annotations?.[OLD_CLASS]

/** A claim without a class may get one: that of its annotation, if it has one. */
function namesClass(next: UnknownObject, old: UnknownObject): boolean {
  const [name, before] = [next, old].map(({ spec }) => (spec as ClaimSpec).storageClassName)
  return name !== undefined && before === undefined && [undefined, name].includes(oldClassOf(old))
}

/** The annotation may go when its field comes. */
function validateOldClass(next: UnknownObject, old: UnknownObject, isClassed: boolean): FieldError[] {
  const [name = '', before = ''] = [oldClassOf(next), oldClassOf(old)]
  const isMoved = isClassed && before !== '' && oldClassOf(next) === undefined
  return isMoved || name === before
    ? []
    : [invalidField(`metadata.annotations.${OLD_CLASS}`, name, 'field is immutable')]
}

/** What may change in a bound claim, as it was. */
function withoutBoundChanges(spec: ClaimSpec, before: ClaimSpec): Partial<ClaimSpec> {
  const { requests } = spec.resources ?? {}
  const had = before.resources?.requests?.storage
  return {
    ...(requests && {
      resources: { ...spec.resources, requests: { ...requests, ...(had !== undefined && { storage: had }) } },
    }),
    volumeAttributesClassName: before.volumeAttributesClassName,
  }
}

const RESIZES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].toSorted()

/** What a claim has got, and how far it is with more. */
export function validateClaimStatus({ status }: UnknownObject): FieldError[] {
  const {
    capacity = {},
    allocatedResources = {},
    allocatedResourceStatuses = {},
  } = (status ?? {}) as NonNullable<PersistentVolumeClaim['status']>
  const [resizes, allocated] = ['status.allocatedResourceStatuses', 'status.allocatedResources']
  return [
    ...Object.entries(capacity).flatMap(([name, amount]) => validateBasic(amount, `status.capacity[${name}]`)),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, resize]) => [
      ...validateKey(name, resizes),
      ...(RESIZES.includes(resize) ? [] : [unsupportedField(resizes, name, RESIZES)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, amount]) => {
      const findings = [...validateKey(name, allocated)]
      return findings.length > 0 ? findings : validateBasic(amount, `${allocated}[${name}]`)
    }),
  ]
}

function validateKey(name: string, field: string): FieldError[] {
  const problems = checkQualifiedName(name)
  if (problems.length > 0) return problems.map((problem) => invalidField(field, name, problem))
  return isNative(name) && name !== 'storage' ? [unsupportedField(field, name, ['storage'])] : []
}

/** Negative after rounding up. */
export function validateBasic(amount: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(amount)
  const isNegative = quantity !== undefined && quantityValue(quantity) < 0n
  return isNegative ? [invalidField(field, Number(quantityValue(quantity)), 'must be a valid resource quantity')] : []
}

/** StorageClass: who makes its volumes. */
export function validateStorageClass(object: UnknownObject): FieldError[] {
  const { provisioner = '', parameters = {}, allowedTopologies = [] } = object as unknown as StorageClass
  return [
    ...validateProvisioner(provisioner),
    ...validateParameters(parameters),
    ...validateTopologies(allowedTopologies),
  ]
}

function validateProvisioner(provisioner: string): FieldError[] {
  if (provisioner === '') return [requiredField('provisioner')]
  const name = provisioner.toLowerCase()
  return checkQualifiedName(name).map((problem) => invalidField('provisioner', name, problem))
}

const MOST_PARAMETERS = 512
const LONGEST_PARAMETERS = 256 * 1024

function validateParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > MOST_PARAMETERS) return [tooLongField('parameters', MOST_PARAMETERS)]
  const size = entries.reduce((sum, [name, value]) => sum + byteLength(name) + byteLength(value), 0)
  return [
    ...(Object.hasOwn(parameters, '') ? [invalidField('parameters', '', 'field can not be empty.')] : []),
    ...(size > LONGEST_PARAMETERS ? [tooLongField('parameters', LONGEST_PARAMETERS)] : []),
  ]
}

type Topology = NonNullable<StorageClass['allowedTopologies']>[number]

/**
 * Where volumes can be made, each place once. The real server compares with as many empty terms as there are terms, so that
 * an empty one is found twice.
 */
function validateTopologies(topologies: readonly Topology[]): FieldError[] {
  const seen: object[] = topologies.map(() => ({}))
  return topologies.flatMap(({ matchLabelExpressions = [] }, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`
    const isRepeated = repeats()
    const findings = matchLabelExpressions.flatMap(({ key = '', values }, at) => [
      // A list that is needed and not there is null.
      ...validateTopologyValues(values ?? [], `${field}[${at}].values`),
      ...checkQualifiedName(key).map((problem) => invalidField(`${field}[${at}].key`, key, problem)),
      ...(isRepeated(key) ? [duplicateField(`${field}[${at}].key`, key)] : []),
    ])
    const term = Object.fromEntries(
      matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values)].toSorted()]),
    )
    const same = seen.filter((one) => deepEqual(one, term))
    seen.push(term)
    return [...findings, ...same.map(() => duplicateField(field, ''))]
  })
}

function validateTopologyValues(values: readonly string[], field: string): FieldError[] {
  const isRepeated = repeats()
  if (values.length === 0) return [requiredField(field)]
  return values.flatMap((value, index) => (isRepeated(value) ? [duplicateField(`${field}[${index}]`, value)] : []))
}

/** The provisioner and parameters of a storage class are immutable. */
export function validateStorageClassUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const value = (name: string): unknown =>
    name === 'parameters' ? sortedMap(next[name] ?? emptyOrNull(next, name)) : (next[name] ?? '')
  return ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']
    .filter((name) => !deepEqual(next[name], old[name]))
    .map((name) => invalidField(name, value(name), 'field is immutable'))
}
