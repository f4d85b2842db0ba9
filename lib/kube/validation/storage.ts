/** The rules of storage. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from '../field-error'
import { emptyOrNull } from '../go-encoding'
import { sortedMap } from '../go-text'
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kinds'
import type { UnknownObject } from '../object'
import { compareQuantity, quantityValue, tryParseQuantity, ZERO } from '../quantity'
import { checkQualifiedName, checkSubdomain } from './formats'
import { validateLabelSelector } from './label-selector'
import { isNative } from './resource-names'
import { structDifference } from './pod-dump'
import { sharedSources } from '../kinds/volume-sources'
import { secretReference } from '../kinds/object-reference'

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

function validateModes(modes: readonly string[] | undefined, detail: string): FieldError[] {
  if (!modes?.length) return [requiredField('spec.accessModes', detail)]
  const unknown = modes.filter((mode) => !MODES.includes(mode))
  const alone = modes.length > 1 && modes.includes('ReadWriteOncePod')
  return [
    ...unknown.map((mode) => unsupportedField('spec.accessModes', mode, MODES)),
    ...(alone ? [forbiddenField('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')] : []),
  ]
}

function validateStorage(amount: number | string | undefined, field: string): FieldError[] {
  if (amount === undefined) return [requiredField(field)]
  const quantity = tryParseQuantity(amount)
  return quantity && compareQuantity(quantity, ZERO) > 0
    ? []
    : [invalidField(field, String(amount), 'must be greater than zero')]
}

/** PersistentVolumeClaim: how it is used, and how much it needs. */
export function validateClaim(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as PersistentVolumeClaim
  return [
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...validateModes(spec.accessModes, 'at least 1 access mode is required'),
    ...validateStorage(spec.resources?.requests?.storage, 'spec.resources[storage]'),
    ...(spec.storageClassName ? checkSubdomain(spec.storageClassName) : []).map((problem) =>
      invalidField('spec.storageClassName', spec.storageClassName, problem),
    ),
  ]
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
      : [forbiddenField('spec', `${CLAIM_RULE}\n${structDifference('ClaimSpec', kept, compared)}`)]),
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
function validateBasic(amount: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(amount)
  const isNegative = quantity !== undefined && quantityValue(quantity) < 0n
  return isNegative ? [invalidField(field, Number(quantityValue(quantity)), 'must be a valid resource quantity')] : []
}

const SOURCES = [...Object.keys(sharedSources(secretReference)), 'azureFile', 'csi', 'glusterfs', 'local', 'storageos']

/** PersistentVolume: its size, how it is used, and exactly one place where it is. */
export function validateVolume(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as PersistentVolume
  const present = SOURCES.filter((name) => spec[name as keyof typeof spec] !== undefined)
  return [
    ...validateModes(spec.accessModes, ''),
    ...validateCapacity(spec),
    ...(spec.hostPath && !spec.hostPath.path ? [requiredField('spec.hostPath.path')] : []),
    ...(present.length === 0 ? [requiredField('spec', 'must specify a volume type')] : []),
    ...present.slice(1).map((name) => forbiddenField(`spec.${name}`, 'may not specify more than 1 volume type')),
  ]
}

function validateCapacity(spec: PersistentVolume['spec']): FieldError[] {
  const { capacity } = spec
  if (!capacity || Object.keys(capacity).length === 0)
    return [
      requiredField('spec.capacity'),
      unsupportedField('spec.capacity', capacity ?? emptyOrNull(spec, 'capacity'), ['storage']),
    ]
  const isOther = capacity.storage === undefined || Object.keys(capacity).length > 1
  return [
    ...(isOther ? [unsupportedField('spec.capacity', sortedMap(capacity), ['storage'])] : []),
    ...Object.entries(capacity).flatMap(([name, amount]) => validateAmount(amount, `spec.capacity[${name}]`)),
  ]
}

function validateAmount(amount: number | string, field: string): FieldError[] {
  return [...validateBasic(amount, field), ...validateStorage(amount, field)]
}

/** A volume stays where it is. */
export function validateVolumeUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const sourceOf = ({ spec }: UnknownObject): object =>
    Object.fromEntries(SOURCES.map((name) => [name, (spec as Record<string, unknown>)[name]]))
  const field = 'spec.persistentvolumesource'
  const mode = (one: UnknownObject): unknown => (one as unknown as PersistentVolume).spec.volumeMode
  return [
    ...(deepEqual(sourceOf(next), sourceOf(old))
      ? []
      : [forbiddenField(field, `${field} is immutable after creation\n${difference(next, old)}`)]),
    ...(mode(next) === mode(old) ? [] : [invalidField('spec.volumeMode', mode(next), 'field is immutable')]),
  ]
}

function difference(next: UnknownObject, old: UnknownObject): string {
  const [spec, before] = [next.spec, old.spec] as Readonly<Record<string, unknown>>[]
  return structDifference('VolumeSource', before!, spec!)
}

/** StorageClass: who makes its volumes. */
export function validateStorageClass(object: UnknownObject): FieldError[] {
  const { provisioner = '' } = object as unknown as StorageClass
  if (provisioner === '') return [requiredField('provisioner')]
  const name = provisioner.toLowerCase()
  return checkQualifiedName(name).map((problem) => invalidField('provisioner', name, problem))
}

/** The provisioner and parameters of a storage class are immutable. */
export function validateStorageClassUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const changed = ['parameters', 'provisioner', 'reclaimPolicy'].filter((name) => !deepEqual(next[name], old[name]))
  return [
    ...changed.map((name) =>
      name !== 'reclaimPolicy'
        ? invalidField(
            name,
            name === 'provisioner' ? (next[name] ?? '') : sortedMap(next[name] ?? emptyOrNull(next, name)),
            'field is immutable',
          )
        : forbiddenField(name, `updates to ${name} are forbidden.`),
    ),
    ...(next.volumeBindingMode === old.volumeBindingMode
      ? []
      : [invalidField('volumeBindingMode', next.volumeBindingMode, 'field is immutable')]),
  ]
}
