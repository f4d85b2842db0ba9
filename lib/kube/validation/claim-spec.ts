/** The rules of what a claim asks for: in a PersistentVolumeClaim, and in the volumes of pods that get their own. */
import { deepEqual } from '@/lib/std/equal'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { PersistentVolumeClaim } from '../kinds'
import { compareQuantity, tryParseQuantity, ZERO } from '../quantity'
import { checkDnsLabel, checkSubdomain } from './formats'
import { validateLabelSelector } from './label-selector'

type ClaimSpec = PersistentVolumeClaim['spec']

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const VOLUME_MODES = ['Block', 'Filesystem']

/** How storage may be used: alone, or by several at once. */
export function validateModes(modes: readonly string[], field: string): FieldError[] {
  const unknown = modes.filter((mode) => !MODES.includes(mode))
  const isShared = modes.some((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(mode))
  const alone = isShared && modes.includes('ReadWriteOncePod')
  return [
    ...unknown.map((mode) => unsupportedField(field, mode, MODES)),
    ...(alone ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ]
}

/** An amount of storage is more than nothing. */
export function validateStorage(amount: number | string | undefined, field: string): FieldError[] {
  if (amount === undefined) return [requiredField(field)]
  const quantity = tryParseQuantity(amount)
  return quantity && compareQuantity(quantity, ZERO) > 0
    ? []
    : [invalidField(field, String(amount), 'must be greater than zero')]
}

/** The name of a class, which may be empty where that means something. */
export function validateClassName(name: string | undefined, field: string): FieldError[] {
  return name ? checkSubdomain(name).map((problem) => invalidField(field, name, problem)) : []
}

export const validateVolumeMode = (mode: string | undefined, field: string): FieldError[] =>
  validateChoice(mode, VOLUME_MODES, field)

export function validateClaimSpec(spec: ClaimSpec, field: string, { allowsGroups = false } = {}): FieldError[] {
  const { accessModes = [], dataSource, dataSourceRef } = spec
  return [
    ...(accessModes.length > 0 ? [] : [requiredField(`${field}.accessModes`, 'at least 1 access mode is required')]),
    ...validateLabelSelector(spec.selector, `${field}.selector`),
    ...validateModes(accessModes, `${field}.accessModes`),
    ...validateStorage(spec.resources?.requests?.storage, `${field}.resources[storage]`),
    ...validateClassName(spec.storageClassName, `${field}.storageClassName`),
    ...validateVolumeMode(spec.volumeMode, `${field}.volumeMode`),
    ...validateSource(dataSource, `${field}.dataSource`, allowsGroups),
    ...validateSource(dataSourceRef, `${field}.dataSourceRef`, allowsGroups),
    ...validateSameSource(spec, field),
    ...validateClassName(spec.volumeAttributesClassName, `${field}.volumeAttributesClassName`),
  ]
}

/** What a volume is filled from. */
function validateSource(source: ClaimSpec['dataSourceRef'], field: string, allowsGroups: boolean): FieldError[] {
  if (!source) return []
  const { apiGroup, kind = '', name, namespace } = source
  const isOther = !apiGroup && kind !== 'PersistentVolumeClaim'
  return [
    ...(name ? [] : [requiredField(`${field}.name`)]),
    ...(kind ? [] : [requiredField(`${field}.kind`)]),
    ...(isOther
      ? [invalidField(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(allowsGroups ? [] : validateClassName(apiGroup, `${field}.apiGroup`)),
    ...(namespace ? checkDnsLabel(namespace) : []).map((problem) =>
      invalidField(`${field}.namespace`, namespace, problem),
    ),
  ]
}

/** The old and the new field for a source say the same. What is refused is written as a path, which has no fields. */
function validateSameSource({ dataSource, dataSourceRef }: ClaimSpec, field: string): FieldError[] {
  if (!dataSource || !dataSourceRef) return []
  if (dataSourceRef.namespace)
    return [invalidField(field, {}, 'may not be specified when dataSourceRef.namespace is specified')]
  const { namespace: _, ...reference } = dataSourceRef
  return deepEqual(dataSource, reference) ? [] : [invalidField(field, {}, 'must match dataSourceRef')]
}
