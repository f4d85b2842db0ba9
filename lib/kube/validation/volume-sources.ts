/** The rules of the sources that only pods or only PersistentVolumes have, or that they spell differently. */
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  validateChoice,
} from '../field-error'
import type { PersistentVolume, Volume } from '../kinds'
import { validateClaimSpec } from './claim-spec'
import { checkDnsLabel, checkSubdomain } from './formats'
import { validateAnnotations, validateLabels } from './object-meta'
import { requireFields, validateSecretName } from './shared-sources'
import { validateBacksteps, validateDescendingPath } from './volume-files'

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

export function validateHostPath({ path, type }: NonNullable<Volume['hostPath']>, field: string): FieldError[] {
  if (!path) return [requiredField(`${field}.path`)]
  return [...validateBacksteps(path, `${field}.path`), ...validateChoice(type, HOST_PATH_TYPES, `${field}.type`)]
}

/** A repository, or a share of Azure. */
export function validateAttached(volume: Volume, type: 'gitRepo' | 'azureFile', field: string): FieldError[] {
  if (type === 'azureFile') return requireFields(volume.azureFile!, ['secretName', 'shareName'], field)
  return [
    ...requireFields(volume.gitRepo!, ['repository'], field),
    ...validateDescendingPath(volume.gitRepo?.directory ?? '', `${field}.directory`),
  ]
}

export function validateGlusterfs(source: NonNullable<Volume['glusterfs']>, field: string): FieldError[] {
  return requireFields(source, ['endpoints', 'path'], field)
}

type StorageOs = Omit<NonNullable<Volume['storageos']>, 'secretRef'> & {
  secretRef?: { name?: string; namespace?: string }
}

export function validateStorageOs(
  { volumeName, volumeNamespace, secretRef }: StorageOs,
  field: string,
  { namespaced = false } = {},
): FieldError[] {
  const named = (name: string, at: string): FieldError[] =>
    checkDnsLabel(name).map((problem) => invalidField(at, name, problem))
  return [
    ...(volumeName ? named(volumeName, `${field}.volumeName`) : [requiredField(`${field}.volumeName`)]),
    ...(volumeNamespace ? named(volumeNamespace, `${field}.volumeNamespace`) : []),
    ...validateSecretName(secretRef, `${field}.secretRef`, namespaced),
  ]
}

const LONGEST_DRIVER = 63

function validateDriver(driver: string | undefined, field: string): FieldError[] {
  if (!driver) return [requiredField(field)]
  return [
    ...(driver.length > LONGEST_DRIVER ? [tooLongField(field, LONGEST_DRIVER)] : []),
    ...checkSubdomain(driver.toLowerCase()).map((problem) => invalidField(field, driver, problem)),
  ]
}

export function validateCsi({ driver, nodePublishSecretRef: secret }: NonNullable<Volume['csi']>, field: string) {
  const named = secret?.name
  return [
    ...validateDriver(driver, `${field}.driver`),
    ...(secret && !named ? [requiredField(`${field}.nodePublishSecretRef.name`)] : []),
    ...(named ? checkSubdomain(named).map((problem) => invalidField(`${field}.name`, named, problem)) : []),
  ]
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** An image may be named later in a template. */
export function validateImage(
  { reference, pullPolicy }: NonNullable<Volume['image']>,
  field: string,
  { isPod }: { isPod: boolean },
): FieldError[] {
  return [
    ...(isPod && !reference ? [requiredField(`${field}.reference`)] : []),
    ...validateChoice(pullPolicy, PULL_POLICIES, `${field}.pullPolicy`),
  ]
}

/** Only the labels and annotations of a claim are taken from its template. */
export function validateEphemeral({ volumeClaimTemplate }: NonNullable<Volume['ephemeral']>, field: string) {
  const at = `${field}.volumeClaimTemplate`
  if (!volumeClaimTemplate) return [requiredField(at)]
  const { annotations, labels, ...others } = volumeClaimTemplate.metadata ?? {}
  const set = FIELDS_OF_META.filter((name) => {
    const value: unknown = others[name]
    return value !== undefined && value !== '' && value !== 0
  })
  return [
    ...validateAnnotations(annotations, `${at}.metadata.annotations`),
    ...validateLabels(labels, `${at}.metadata.labels`),
    ...set.map((name) => forbiddenField(`${at}.metadata.${name === 'uid' ? 'uID' : name}`, 'cannot be set')),
    ...validateClaimSpec(volumeClaimTemplate.spec ?? {}, `${at}.spec`),
  ]
}

const FIELDS_OF_META = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

type VolumeSpec = PersistentVolume['spec']

const SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const

/** What a driver keeps outside of any pod. */
export function validateCsiVolume(source: NonNullable<VolumeSpec['csi']>, field: string): FieldError[] {
  return [
    ...validateDriver(source.driver, `${field}.driver`),
    ...requireFields(source, ['volumeHandle'], field),
    ...SECRETS.flatMap((name) => validateSecretReference(source[name], `${field}.${name}`)),
  ]
}

function validateSecretReference(secret: { name?: string; namespace?: string } | undefined, field: string) {
  if (!secret) return []
  const { name, namespace } = secret
  return [
    ...(name
      ? checkSubdomain(name).map((problem) => invalidField(`${field}.name`, name, problem))
      : [requiredField(`${field}.name`)]),
    ...(namespace
      ? checkDnsLabel(namespace).map((problem) => invalidField(`${field}.namespace`, namespace, problem))
      : [requiredField(`${field}.namespace`)]),
  ]
}

/** Endpoints can be in another namespace. */
export function validateGlusterfsVolume(source: NonNullable<VolumeSpec['glusterfs']>, field: string): FieldError[] {
  const { endpointsNamespace: namespace } = source
  const at = `${field}.endpointsNamespace`
  if (namespace === undefined) return validateGlusterfs(source, field)
  const rule = 'if the endpointnamespace is set, it must be a valid namespace name'
  return [
    ...validateGlusterfs(source, field),
    ...(namespace === ''
      ? [invalidField(at, namespace, rule)]
      : checkDnsLabel(namespace).map((problem) => invalidField(at, namespace, problem))),
  ]
}

/** A share whose Secret is in a namespace that is named, or in that of the claim. */
export function validateAzureVolume(source: NonNullable<VolumeSpec['azureFile']>, field: string): FieldError[] {
  return [
    ...requireFields(source, ['secretName', 'shareName'], field),
    ...(source.secretNamespace === '' ? [requiredField(`${field}.secretNamespace`)] : []),
  ]
}

/** A directory of one node. */
export function validateLocal({ path }: NonNullable<VolumeSpec['local']>, field: string): FieldError[] {
  return path ? validateBacksteps(path, `${field}.path`) : [requiredField(`${field}.path`)]
}
