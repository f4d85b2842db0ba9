/** What ResourceRegistries make searchable: of each kind, the members that are read and their namespaces. */
import { resourceName } from '@/lib/kube/kind'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import type { ClusterAffinity } from '@/lib/kube/kinds/placement'
import { resourceRegistry, type ResourceRegistry } from '@/lib/kube/kinds/resource-registry'
import { isDown, isSimulated } from '@/lib/kube/simulation'
import type { Registry } from '../registry/registry'
import type { Resource } from '../registry/resource'
import type { Store, StoreEvent } from '../store/store'

/** Whether a cluster belongs to an affinity. */
export type MatchesCluster = (affinity: ClusterAffinity, cluster: Cluster) => boolean

/** The members that are read, by name, with the namespaces that are: undefined for all. */
export type Cached = ReadonlyMap<string, ReadonlySet<string> | undefined>

const REGISTRIES = resourceName(resourceRegistry)
const CLUSTERS = resourceName(clusterKind)

/** True for a change after which something else may be searchable. */
export function mayChangeCached({ entry: { location } }: StoreEvent): boolean {
  return location.keyspace === '' && (location.resource === REGISTRIES || location.resource === CLUSTERS)
}

/** Undefined for a kind that no registry names. */
export function cachedOf(
  { store, registry, matches }: { store: Store; registry: Registry; matches: MatchesCluster },
  resource: Resource,
): Cached | undefined {
  const registries = store
    .list({ keyspace: '', resource: REGISTRIES })
    .map(({ value }) => value as unknown as ResourceRegistry)
    .map((one) => ({ affinity: one.spec?.targetCluster ?? {}, namespaces: namespacesIn(one, registry, resource) }))
    .filter(({ namespaces }) => namespaces.length > 0)
  if (registries.length === 0) return undefined
  const cached = new Map<string, ReadonlySet<string> | undefined>()
  for (const { value } of store.list({ keyspace: '', resource: CLUSTERS })) {
    const member = value as unknown as Cluster
    if (!isSimulated(member) || isDown(member)) continue
    const namespaces = registries.filter(({ affinity }) => matches(affinity, member)).flatMap((one) => one.namespaces)
    if (namespaces.length === 0) continue
    cached.set(member.metadata.name, namespaces.includes('') ? undefined : new Set(namespaces))
  }
  return cached
}

/** The namespaces of a kind that a registry names; empty for all of them. */
function namespacesIn({ spec }: ResourceRegistry, registry: Registry, { id }: Resource): string[] {
  return (spec?.resourceSelectors ?? [])
    .filter(({ apiVersion, kind }) => registry.ofObject(apiVersion, kind)?.id === id)
    .map(({ namespace = '' }) => namespace)
}

/** The same for the same content. */
export function describeCached(cached: Cached | undefined): string {
  return JSON.stringify([...(cached ?? [])].map(([member, namespaces]) => [member, [...(namespaces ?? [])].sort()]))
}
