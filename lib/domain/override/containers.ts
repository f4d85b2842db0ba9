/** Overrides command and arguments of the containers of a workload. */
import { ownField } from '@/lib/std/fields'
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'
import { patchJson, valueAt } from './json-patch'

type CommandArgsOverrider = NonNullable<Overriders['commandOverrider']>[number]

/** Paths of the containers in kinds with pods. */
const POD = '/spec/containers'
const TEMPLATE = '/spec/template/spec/containers'
const CONTAINER_PATHS: Readonly<Record<string, string>> = {
  DaemonSet: TEMPLATE,
  Deployment: TEMPLATE,
  Job: TEMPLATE,
  Pod: POD,
  ReplicaSet: TEMPLATE,
  StatefulSet: TEMPLATE,
}

/** A container with its JSON pointer. */
export interface PlacedContainer {
  path: string
  container: { name?: string; image?: string; command?: string[] | null; args?: string[] | null }
}

/** Returns the containers without init containers; none for kinds without pods. */
export function containersOf(manifest: Manifest): PlacedContainer[] {
  const path = ownField(CONTAINER_PATHS, manifest.kind)
  const containers = path === undefined ? undefined : valueAt(manifest, path)
  if (!Array.isArray(containers)) return []
  const list = containers as PlacedContainer['container'][]
  return list.map((container, index) => ({ path: `${path}/${index}`, container }))
}

/** Adds to or removes from the command or arguments of containers with that name. Jobs are not changed. */
export function overrideContainers(
  manifest: Manifest,
  field: 'command' | 'args',
  { containerName, operator, value = [] }: CommandArgsOverrider,
): Manifest {
  if (manifest.kind === 'Job') return manifest
  const named = containersOf(manifest).filter(({ container }) => container.name === containerName)
  return patchJson(
    manifest,
    named.map(({ path, container }) => {
      const present = container[field] ?? []
      const words = operator === 'add' ? [...present, ...value] : present.filter((word) => !value.includes(word))
      return { operator: 'add', path: `${path}/${field}`, value: words }
    }),
  ) as Manifest
}
