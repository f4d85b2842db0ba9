/** Finds the core API objects that a pod depends on. */
import { fieldsIn, listIn } from './json-fields'
import type { Fields } from './shape'

/** Kinds that pods refer to, in the order of the result. */
export const NEEDED_KINDS = ['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'] as const
export type NeededKind = (typeof NEEDED_KINDS)[number]

/** Names by kind, unvalidated. */
export type Needs = Record<NeededKind, readonly unknown[]>

/** Returns these names, and none for other kinds. */
export function needing(named: Partial<Needs>): Needs {
  return { ConfigMap: [], Secret: [], ServiceAccount: [], PersistentVolumeClaim: [], ...named }
}

/** Merges the dependencies of several pods. */
export function mergedNeeds(all: readonly Needs[]): Needs {
  return needing(Object.fromEntries(NEEDED_KINDS.map((kind) => [kind, all.flatMap((needs) => needs[kind])])))
}

/** Returns the names that a pod spec refers to. */
export function podNeeds(podSpec: Fields): Needs {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => listIn(podSpec[name]))
  const env = containers.flatMap((container) => listIn(container.env)).map(({ valueFrom }) => fieldsIn(valueFrom))
  const envFrom = containers.flatMap((container) => listIn(container.envFrom))
  const volumes = listIn(podSpec.volumes)
  const projected = volumes.flatMap((volume) => listIn(fieldsIn(volume.projected).sources))
  return {
    ConfigMap: [
      ...named(env, 'configMapKeyRef', 'name'),
      ...named(envFrom, 'configMapRef', 'name'),
      ...named([...volumes, ...projected], 'configMap', 'name'),
    ],
    Secret: [
      ...named(podSpec.imagePullSecrets, 'name'),
      ...named(env, 'secretKeyRef', 'name'),
      ...named(envFrom, 'secretRef', 'name'),
      ...named(projected, 'secret', 'name'),
      ...volumes.flatMap(volumeSecrets),
    ],
    ServiceAccount: [podSpec.serviceAccountName].filter((name) => name !== 'default'),
    PersistentVolumeClaim: named(volumes, 'persistentVolumeClaim', 'claimName'),
  }
}

/** Volume drivers with a `secretRef`. */
const DRIVERS_WITH_SECRET = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const

function volumeSecrets(volume: Fields): unknown[] {
  return [
    fieldsIn(volume.secret).secretName,
    fieldsIn(volume.azureFile).secretName,
    fieldsIn(fieldsIn(volume.csi).nodePublishSecretRef).name,
    ...DRIVERS_WITH_SECRET.map((driver) => fieldsIn(fieldsIn(volume[driver]).secretRef).name),
  ]
}

/** Returns the value at that path in each entry of a list. */
export function named(list: unknown, ...path: readonly string[]): unknown[] {
  return listIn(list).map((entry) => path.reduce<unknown>((value, field) => fieldsIn(value)[field], entry))
}
