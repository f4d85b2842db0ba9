/** The defaults of the volumes of pods, and of the sources of PersistentVolumes. */
import { omit } from '@/lib/std/omit'
import type { Volume } from '../kinds'
import { defaultClaimSpec } from './claim'
import { pullPolicyOf } from './image'

const FILE_MODE = 0o644

type Projected = NonNullable<Volume['projected']>
type Source = NonNullable<Projected['sources']>[number]

/** The list is always shown. */
const NO_SOURCES = null as unknown as NonNullable<Projected['sources']>

const TOKEN_SECONDS = 3600

/** What needs a gate that is closed by default is not kept. */
function defaultSource(source: Source): Source {
  const { downwardAPI, serviceAccountToken, ...others } = omit(source, 'clusterTrustBundle', 'podCertificate')
  return {
    ...others,
    ...(downwardAPI && { downwardAPI: defaultFiles(downwardAPI) }),
    ...(serviceAccountToken && { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, ...serviceAccountToken } }),
  }
}

function defaultFiles<T extends NonNullable<Source['downwardAPI']>>(files: T): T {
  const items = files.items?.map(({ fieldRef, resourceFieldRef, ...item }) => ({
    ...item,
    ...(fieldRef && { fieldRef: { apiVersion: 'v1', ...fieldRef } }),
    ...(resourceFieldRef && { resourceFieldRef: withDivisor(resourceFieldRef) }),
  }))
  return items ? { ...files, items } : files
}

/** The unit of an amount is always shown. */
export function withDivisor<T extends { divisor?: number | string }>(reference: T): T {
  return { ...reference, divisor: reference.divisor ?? '0' }
}

/** The defaults of one volume: room for files, if it says nothing else. */
export function defaultVolume(volume: Volume): Volume {
  const { name, ...sources } = volume
  return {
    name,
    ...(Object.keys(sources).length === 0 ? { emptyDir: {} } : sources),
    ...(volume.configMap && {
      configMap: { ...volume.configMap, defaultMode: volume.configMap.defaultMode ?? FILE_MODE },
    }),
    ...(volume.secret && { secret: { ...volume.secret, defaultMode: volume.secret.defaultMode ?? FILE_MODE } }),
    ...(volume.projected && {
      projected: {
        ...volume.projected,
        sources: volume.projected.sources?.map(defaultSource) ?? NO_SOURCES,
        defaultMode: volume.projected.defaultMode ?? FILE_MODE,
      },
    }),
    ...(volume.downwardAPI && {
      downwardAPI: { ...defaultFiles(volume.downwardAPI), defaultMode: volume.downwardAPI.defaultMode ?? FILE_MODE },
    }),
    ...defaultSharedSources(volume),
    ...(volume.image && {
      image: { ...volume.image, pullPolicy: volume.image.pullPolicy || pullPolicyOf(volume.image.reference ?? '') },
    }),
    ...(volume.ephemeral?.volumeClaimTemplate && {
      ephemeral: { volumeClaimTemplate: defaultClaimTemplate(volume.ephemeral.volumeClaimTemplate) },
    }),
  }
}

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>

function defaultClaimTemplate({ metadata, spec }: ClaimTemplate): ClaimTemplate {
  return { metadata: metadata ?? {}, spec: defaultClaimSpec(spec ?? {}) }
}

/** What volumes of pods and PersistentVolumes have in common. */
type Shared = Pick<Volume, 'azureDisk' | 'hostPath' | 'iscsi' | 'rbd' | 'scaleIO'>

/** The defaults of sources that are spelled the same in both. */
export function defaultSharedSources<T extends { [K in keyof Shared]?: object }>(sources: T): Partial<T> {
  const { azureDisk, hostPath, iscsi, rbd, scaleIO } = sources
  return {
    ...(hostPath && { hostPath: { type: '', ...hostPath } }),
    ...(iscsi && { iscsi: { iscsiInterface: 'default', ...iscsi } }),
    ...(rbd && { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring', ...rbd } }),
    ...(scaleIO && { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs', ...scaleIO } }),
    ...(azureDisk && {
      azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared', ...azureDisk },
    }),
  } as Partial<T>
}
