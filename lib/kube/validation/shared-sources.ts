/** The rules of the sources that volumes of pods and PersistentVolumes have in common. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, invalidField, requiredField, unsupportedField, validateChoice } from '../field-error'
import type { Volume } from '../kinds'

/** A source of either; how it names a Secret differs. */
type Source<T extends keyof Volume> = Omit<NonNullable<Volume[T]>, 'secretRef'> & { secretRef?: SecretName }

interface SecretName {
  name?: string
  namespace?: string
}

/** A volume of a pod, or the spec of a PersistentVolume. */
type Sources = { [T in SharedType]?: Source<T> }

export type SharedType =
  | 'awsElasticBlockStore'
  | 'azureDisk'
  | 'cephfs'
  | 'cinder'
  | 'fc'
  | 'flexVolume'
  | 'flocker'
  | 'gcePersistentDisk'
  | 'iscsi'
  | 'nfs'
  | 'photonPersistentDisk'
  | 'portworxVolume'
  | 'quobyte'
  | 'rbd'
  | 'scaleIO'
  | 'vsphereVolume'

/** Fields without which a source leads nowhere. */
const NEEDED: { readonly [T in SharedType]?: readonly string[] } = {
  awsElasticBlockStore: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  cephfs: ['monitors'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  gcePersistentDisk: ['pdName'],
  nfs: ['server', 'path'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  rbd: ['monitors', 'image'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  vsphereVolume: ['volumePath'],
}

/** Requires each field of an object to be there and not empty. */
export function requireFields(object: object, names: readonly string[], field: string): FieldError[] {
  const values = object as Readonly<Record<string, unknown>>
  const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0)
  return names.filter((name) => isEmpty(values[name])).map((name) => requiredField(`${field}.${name}`))
}

/** `namespaced` is true for a source whose Secret can be in any namespace. */
export function validateSharedSource(
  sources: Sources,
  type: SharedType,
  field: string,
  { namespaced = false } = {},
): FieldError[] {
  const source = sources[type] ?? {}
  const at = type === 'gcePersistentDisk' ? field.replace(/\.gcePersistentDisk$/, '.persistentDisk') : field
  return [...requireFields(source, ownField(NEEDED, type) ?? [], at), ...validateRest(sources, type, at, namespaced)]
}

function validateRest(sources: Sources, type: SharedType, at: string, namespaced: boolean): FieldError[] {
  switch (type) {
    case 'awsElasticBlockStore':
    case 'gcePersistentDisk':
      return validatePartition(sources[type]?.partition, `${at}.partition`)
    case 'azureDisk':
      return validateAzureDisk(sources.azureDisk!, at)
    case 'cinder':
      return validateSecretName(sources.cinder?.secretRef, `${at}.secretRef`, namespaced)
    case 'fc':
      return validateFibreChannel(sources.fc!, at)
    case 'flexVolume':
      return Object.keys(sources.flexVolume?.options ?? {}).flatMap((name) => validateOption(name, `${at}.options`))
    case 'flocker':
      return validateFlocker(sources.flocker!, at)
    case 'iscsi':
      return validateIscsi(sources.iscsi!, at, namespaced)
    case 'nfs':
      return validateAbsolute(sources.nfs?.path ?? '', `${at}.path`)
    case 'quobyte':
      return validateQuobyte(sources.quobyte!, at)
    default:
      return []
  }
}

/** A reference that has a name, and a namespace where it needs one. */
export function validateSecretName(secret: SecretName | undefined, field: string, namespaced: boolean): FieldError[] {
  return secret ? requireFields(secret, namespaced ? ['name', 'namespace'] : ['name'], field) : []
}

const MAX_BYTE = 255

function validatePartition(partition = 0, field: string): FieldError[] {
  return partition >= 0 && partition <= MAX_BYTE
    ? []
    : [invalidField(field, partition, 'must be between 1 and 255, inclusive')]
}

function validateLun(lun: number, field: string): FieldError[] {
  return lun >= 0 && lun <= MAX_BYTE ? [] : [invalidField(field, lun, 'must be between 0 and 255, inclusive')]
}

function validateAbsolute(path: string, field: string): FieldError[] {
  return path.startsWith('/') ? [] : [invalidField(field, path, 'must be an absolute path')]
}

const CACHING = ['None', 'ReadOnly', 'ReadWrite']
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared']
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function validateAzureDisk({ cachingMode, kind, diskURI = '' }: Source<'azureDisk'>, field: string): FieldError[] {
  const [prefix, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED_DISK] : ['https://', BLOB_DISK]
  return [
    ...validateChoice(cachingMode, CACHING, `${field}.cachingMode`),
    ...validateChoice(kind, DISK_KINDS, `${field}.kind`),
    ...(kind === undefined || diskURI.startsWith(prefix)
      ? []
      : [unsupportedField(`${field}.diskURI`, diskURI, [form])]),
  ]
}

function validateFibreChannel({ targetWWNs = [], wwids = [], lun }: Source<'fc'>, field: string): FieldError[] {
  const at = `${field}.targetWWNs`
  const hasNames = targetWWNs.length > 0
  return [
    ...(hasNames || wwids.length > 0
      ? []
      : [requiredField(at, 'must specify either targetWWNs or wwids, but not both')]),
    ...(hasNames && wwids.length > 0
      ? [invalidField(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(hasNames && lun === undefined
      ? [requiredField(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...(hasNames && lun !== undefined ? validateLun(lun, `${field}.lun`) : []),
  ]
}

/** Options of users do not look like those of Kubernetes. */
function validateOption(name: string, field: string): FieldError[] {
  const [namespace = ''] = name.split('/')
  return /\.(kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)
    ? [invalidField(`${field}[${name}]`, name, 'kubernetes.io and k8s.io namespaces are reserved')]
    : []
}

function validateFlocker({ datasetName, datasetUUID }: Source<'flocker'>, field: string): FieldError[] {
  return [
    ...(datasetName || datasetUUID ? [] : [requiredField(field, 'one of datasetName and datasetUUID is required')]),
    ...(datasetName && datasetUUID
      ? [invalidField(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(datasetName?.includes('/') ? [invalidField(`${field}.datasetName`, datasetName, "must not contain '/'")] : []),
  ]
}

/** Forms of the names of targets and initiators, by how they begin. */
const ISCSI_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

function validateIscsiName(name: string, field: string, unknown: string): FieldError[] {
  const form = ownField(ISCSI_NAMES, name.slice(0, 3))
  if (!form) return [invalidField(field, name, unknown)]
  return form.test(name) ? [] : [invalidField(field, name, 'must be valid format')]
}

function validateIscsi(source: Source<'iscsi'>, field: string, namespaced: boolean): FieldError[] {
  const { iqn, lun = 0, secretRef, initiatorName, chapAuthDiscovery, chapAuthSession } = source
  const unknown = namespaced ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa'
  const isSecret = chapAuthDiscovery || chapAuthSession
  return [
    ...requireFields(source, ['targetPortal', 'iqn'], field),
    ...(iqn ? validateIscsiName(iqn, `${field}.iqn`, unknown) : []),
    ...validateLun(lun, `${field}.lun`),
    ...(isSecret && !secretRef ? [requiredField(`${field}.secretRef`)] : []),
    ...(namespaced ? validateSecretName(secretRef, `${field}.secretRef`, false) : []),
    ...(initiatorName === undefined ? [] : validateIscsiName(initiatorName, `${field}.initiatorname`, unknown)),
  ]
}

const HOST_PORT = 'must be a host:port pair or multiple pairs separated by commas'
const LONGEST_TENANT = 64

function validateQuobyte({ registry, tenant = '', volume }: Source<'quobyte'>, field: string): FieldError[] {
  const missing = volume ? [] : [requiredField(`${field}.volume`)]
  const at = `${field}.registry`
  if (!registry) return [requiredField(at, HOST_PORT), ...missing]
  if (tenant.length > LONGEST_TENANT) {
    const rule = `must be a UUID and may not exceed a length of ${LONGEST_TENANT} characters`
    return [requiredField(`${field}.tenant`, rule), ...missing]
  }
  const wrong = registry.split(',').filter((pair) => !/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
  return [...wrong.map(() => invalidField(at, registry, HOST_PORT)), ...missing]
}
