/** The rules of the volumes of a pod: each of one type, and named differently. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, duplicateField, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Volume } from '../kinds'
import { checkDnsLabel, checkSubdomain } from './formats'
import { validateFiles } from './volume-files'
import {
  validateAttached,
  validateCsi,
  validateEphemeral,
  validateGlusterfs,
  validateHostPath,
  validateImage,
  validateStorageOs,
} from './volume-sources'
import { validateSharedSource } from './shared-sources'

/** What the rules of a volume depend on. */
interface Place {
  /** The name of the pod, which its ephemeral claims begin with; undefined in a template. */
  pod: string | undefined
  isPod: boolean
}

/** Types in the order in which they are read. */
const TYPES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const

/** What some types are called in a refusal of a second one. */
const CALLED: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

/** The volumes, and those among them that may be mounted, by their names. */
export function validateVolumes(
  volumes: readonly Volume[],
  field: string,
  place: Place,
): { findings: FieldError[]; mountable: Map<string, Volume> } {
  const mountable = new Map<string, Volume>()
  const created = new Set(volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${place.pod}-${name}`))
  const findings = volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`
    const found = [...validateSource(volume, at, place), ...validateName(volume.name, `${at}.name`, mountable)]
    // An invalid volume cannot be mounted.
    if (volume.name && found.length === 0) mountable.set(volume.name, volume)
    const claim = volume.persistentVolumeClaim?.claimName ?? ''
    if (!place.pod || !created.has(claim)) return found
    const rule = 'must not reference a PVC that gets created for an ephemeral volume'
    return [...found, invalidField(`${at}.persistentVolumeClaim.claimName`, claim, rule)]
  })
  return { findings, mountable }
}

function validateName(name: string | undefined, field: string, taken: ReadonlyMap<string, Volume>): FieldError[] {
  if (!name) return [requiredField(field)]
  if (taken.has(name)) return [duplicateField(field, name)]
  return checkDnsLabel(name).map((problem) => invalidField(field, name, problem))
}

function validateSource(volume: Volume, field: string, place: Place): FieldError[] {
  const [first, ...others] = TYPES.filter((type) => volume[type] !== undefined)
  return [
    ...(first === undefined
      ? [requiredField(field, 'must specify a volume type')]
      : validateType(volume, first, field, place)),
    ...others.map((type) =>
      forbiddenField(`${field}.${ownField(CALLED, type) ?? type}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

function validateType(volume: Volume, type: (typeof TYPES)[number], field: string, place: Place): FieldError[] {
  const at = `${field}.${type}`
  switch (type) {
    case 'emptyDir':
    case 'secret':
    case 'configMap':
    case 'downwardAPI':
    case 'projected':
      return validateFiles({ name: '', [type]: volume[type] }, field)
    case 'hostPath':
      return validateHostPath(volume.hostPath!, at)
    case 'persistentVolumeClaim':
      return volume.persistentVolumeClaim?.claimName ? [] : [requiredField(`${at}.claimName`)]
    case 'glusterfs':
      return validateGlusterfs(volume.glusterfs!, at)
    case 'storageos':
      return validateStorageOs(volume.storageos!, at)
    case 'csi':
      return validateCsi(volume.csi!, at)
    case 'image':
      return validateImage(volume.image!, at, place)
    case 'ephemeral':
      return [...validateEphemeral(volume.ephemeral!, at), ...validateClaimName(volume, field, place)]
    case 'iscsi':
      return [...validateSharedSource(volume, type, at), ...validatePortal(volume, field)]
    case 'gitRepo':
    case 'azureFile':
      return validateAttached(volume, type, at)
    default:
      return validateSharedSource(volume, type, at)
  }
}

/** The claim that is made for an ephemeral volume. */
function validateClaimName({ name }: Volume, field: string, { pod }: Place): FieldError[] {
  if (!pod || !name) return []
  const claim = `${pod}-${name}`
  return checkSubdomain(claim).map((problem) =>
    invalidField(`${field}.name`, name, `PVC name ${JSON.stringify(claim)}: ${problem}`),
  )
}

const LONGEST_PORTAL = 64

/** An initiator is told both in one text. */
function validatePortal({ name = '', iscsi }: Volume, field: string): FieldError[] {
  const isTold = iscsi?.initiatorName !== undefined
  const rule =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  return isTold && `${name}:${iscsi.targetPortal ?? ''}`.length > LONGEST_PORTAL
    ? [invalidField(`${field}.name`, name, rule)]
    : []
}
