/** The rules of PersistentVolumes. */
import { ownField } from '@/lib/std/fields'
import { deepEqual } from '@/lib/std/equal'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import { emptyOrNull } from '../go-encoding'
import { sortedMap } from '../go-text'
import type { NodeSelectorTerm, PersistentVolume } from '../kinds'
import type { UnknownObject } from '../object'
import { validateClassName, validateModes, validateStorage, validateVolumeMode } from './claim-spec'
import { validateNodeSelectorTerm } from './node-selector'
import { dumped, structDifference } from './pod-dump'
import { type SharedType, validateSharedSource } from './shared-sources'
import { validateBasic } from './storage'
import {
  validateAzureVolume,
  validateCsiVolume,
  validateGlusterfsVolume,
  validateHostPath,
  validateLocal,
  validateStorageOs,
} from './volume-sources'

type Spec = PersistentVolume['spec']

/** Types of sources in the order in which they are read. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain']

/** PersistentVolume: its size, how it is used, and exactly one place where it is. */
export function validateVolume(object: UnknownObject): FieldError[] {
  const { spec, metadata } = object as unknown as PersistentVolume
  const { accessModes = [], storageClassName } = spec
  return [
    ...(accessModes.length > 0 ? [] : [requiredField('spec.accessModes')]),
    ...validateModes(accessModes, 'spec.accessModes'),
    ...validateCapacity(spec),
    ...validateChoice(spec.persistentVolumeReclaimPolicy, RECLAIM_POLICIES, 'spec.persistentVolumeReclaimPolicy'),
    ...validateNodes(spec.nodeAffinity),
    ...validateSources(spec, metadata.name ?? ''),
    ...validateRecycling(spec),
    ...validateClassName(storageClassName, 'spec.storageClassName'),
    ...validateVolumeMode(spec.volumeMode, 'spec.volumeMode'),
    ...validateAttributesClass(spec),
  ]
}

function validateCapacity(spec: Spec): FieldError[] {
  const { capacity } = spec
  if (!capacity || Object.keys(capacity).length === 0)
    return [
      requiredField('spec.capacity'),
      unsupportedField('spec.capacity', capacity ?? emptyOrNull(spec, 'capacity'), ['storage']),
    ]
  const isOther = capacity.storage === undefined || Object.keys(capacity).length > 1
  return [
    ...(isOther ? [unsupportedField('spec.capacity', sortedMap(capacity), ['storage'])] : []),
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...validateBasic(amount, `spec.capacity[${name}]`),
      ...validateStorage(amount, `spec.capacity[${name}]`),
    ]),
  ]
}

/** The nodes that reach a volume. */
function validateNodes(affinity: Spec['nodeAffinity']): FieldError[] {
  if (!affinity) return []
  const field = 'spec.nodeAffinity.required'
  if (!affinity.required) return [requiredField(field, 'must specify required node constraints')]
  const { nodeSelectorTerms: terms = [] } = affinity.required
  const at = `${field}.nodeSelectorTerms`
  return [
    ...(terms.length > 0 ? [] : [requiredField(at, 'must have at least one node selector term')]),
    ...terms.flatMap((term, index) => validateNodeSelectorTerm(term, `${at}[${index}]`, true)),
  ]
}

function validateSources(spec: Spec, name: string): FieldError[] {
  const [first, ...others] = SOURCES.filter((type) => spec[type] !== undefined)
  if (first === undefined) return [requiredField('spec', 'must specify a volume type')]
  return [
    ...validateSource(spec, first, name),
    ...others.flatMap((type) =>
      // A driver of its own may stand beside another source.
      type === 'flexVolume'
        ? validateSource(spec, type, name)
        : [forbiddenField(`spec.${type === 'cephfs' ? 'cephFS' : type}`, 'may not specify more than 1 volume type')],
    ),
  ]
}

function validateSource(spec: Spec, type: (typeof SOURCES)[number], name: string): FieldError[] {
  const field = `spec.${type}`
  switch (type) {
    case 'hostPath':
      return validateHostPath(spec.hostPath!, field)
    case 'glusterfs':
      return validateGlusterfsVolume(spec.glusterfs!, field)
    case 'azureFile':
      return validateAzureVolume(spec.azureFile!, field)
    case 'storageos':
      return validateStorageOs(spec.storageos!, field, { namespaced: true })
    case 'csi':
      return validateCsiVolume(spec.csi!, field)
    case 'local':
      return [
        ...validateLocal(spec.local!, field),
        ...(spec.nodeAffinity?.required
          ? []
          : [requiredField('spec.nodeAffinity', 'Local volume requires node affinity')]),
      ]
    default:
      return [
        ...validateSharedSource(spec, type satisfies SharedType, field, { namespaced: true }),
        ...validatePortal(spec, type, name),
      ]
  }
}

const LONGEST_PORTAL = 64

/** An initiator is told both in one text. */
function validatePortal({ iscsi }: Spec, type: SharedType, name: string): FieldError[] {
  if (type !== 'iscsi' || iscsi?.initiatorName === undefined) return []
  const portal = iscsi.targetPortal ?? ''
  const rule =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  return `${name}:${portal}`.length > LONGEST_PORTAL ? [invalidField('spec.iscsi.targetportal', portal, rule)] : []
}

/** The root of a node is never recycled. */
function validateRecycling({ hostPath, persistentVolumeReclaimPolicy }: Spec): FieldError[] {
  const isRoot = hostPath?.path !== undefined && /^\/[/.]*$/.test(hostPath.path)
  const rule = "may not be 'recycle' for a hostPath mount of '/'"
  return isRoot && persistentVolumeReclaimPolicy === 'Recycle'
    ? [forbiddenField('spec.persistentVolumeReclaimPolicy', rule)]
    : []
}

function validateAttributesClass({ volumeAttributesClassName: name, csi }: Spec): FieldError[] {
  if (name === undefined) return []
  const field = 'spec.volumeAttributesClassName'
  return [
    ...(name === '' ? [requiredField(field, 'an empty string is disallowed')] : validateClassName(name, field)),
    ...(csi ? [] : [requiredField('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ]
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
    ...(mode(next) === mode(old) ? [] : [invalidField('volumeMode', mode(next), 'field is immutable')]),
    ...validateKeptNodes(next as unknown as PersistentVolume, old as unknown as PersistentVolume),
    ...validateKeptClass(next as unknown as PersistentVolume, old as unknown as PersistentVolume),
  ]
}

/** Labels of nodes whose names changed since. */
const RENAMED: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

/** The nodes that reach a volume stay, but for new names of their labels. */
function validateKeptNodes(
  { spec: { nodeAffinity: next } }: PersistentVolume,
  { spec }: PersistentVolume,
): FieldError[] {
  const old = spec.nodeAffinity
  if (!old) return []
  const terms = old.required?.nodeSelectorTerms ?? []
  const renamed = {
    ...old,
    required: {
      ...old.required,
      nodeSelectorTerms: terms.map((term, index) => withNewNames(term, next?.required?.nodeSelectorTerms?.[index])),
    },
  }
  if (deepEqual(next, renamed)) return []
  const rule = 'field is immutable, except for updating from beta label to GA'
  return [invalidField('nodeAffinity', next ? dumped('VolumeNodeAffinity', next) : null, rule)]
}

/** The real server takes the empty name for the new one of a label that has none. */
function withNewNames(old: NodeSelectorTerm, next: NodeSelectorTerm | undefined): NodeSelectorTerm {
  return {
    ...old,
    ...(old.matchExpressions && {
      matchExpressions: old.matchExpressions.map((one, index) => {
        const key = next?.matchExpressions?.[index]?.key
        return key !== undefined && (ownField(RENAMED, one.key) ?? '') === key ? { ...one, key } : one
      }),
    }),
  }
}

function validateKeptClass({ spec: next }: PersistentVolume, { spec: old }: PersistentVolume): FieldError[] {
  const isLost = old.volumeAttributesClassName !== undefined && next.volumeAttributesClassName === undefined
  return isLost
    ? [forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
    : []
}

function difference(next: UnknownObject, old: UnknownObject): string {
  const [spec, before] = [next.spec, old.spec] as Readonly<Record<string, unknown>>[]
  return structDifference('PersistentVolumeSource', before!, spec!)
}
