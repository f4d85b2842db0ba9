/** Simulated member clusters: key spaces of the same store, reached through the control plane. */
import type { Kind } from '@/lib/kube/kind'
import { isDown, isSimulated } from '@/lib/kube/simulation'
import type { Api } from './api'
import type { Answer } from './call'
import { notFound, unavailable } from './failures'
import { createKeyspace } from './create-keyspace'
import { createRegistry, type Registry } from './registry/registry'
import type { Keyspace } from './registry/keyspace'
import type { StoreEvent } from './store/store'

const CLUSTERS = 'clusters.cluster.karmada.io'

export interface Members {
  /**
   * Serves a request in a member's key space. Rejects with 404 when there is no such cluster, and with 503 when it is
   * not simulated here or does not answer.
   */
  forward(cluster: string, serve: (member: Keyspace) => Promise<Answer>): Promise<Answer>
  /** A member's key space, served or not. */
  keyspace(name: string): Keyspace
  /** The same with its initial content, whether the member answers or not. */
  open(name: string): Promise<Keyspace>
  close(): void
}

/** Kinds of the control plane are not served by members. */
function memberKinds(kinds: readonly Kind[]): Kind[] {
  return kinds.filter((kind) => !kind.group.endsWith('karmada.io'))
}

export function createMembers(api: Api, kinds: readonly Kind[]): Members {
  const own = memberKinds(kinds)
  const registries = new Map<string, Registry>()
  const registryOf = (name: string): Registry => {
    const registry = registries.get(name) ?? createRegistry(own)
    registries.set(name, registry)
    return registry
  }
  const keyspaces = new Map<string, Promise<Keyspace>>()
  const keyspaceOf = (name: string): Promise<Keyspace> => {
    const known = keyspaces.get(name)
    if (known) return known
    const keyspace = createKeyspace(api, { name, registry: registryOf(name) })
    keyspaces.set(name, keyspace)
    keyspace.catch(() => keyspaces.delete(name))
    return keyspace
  }
  const react = (event: StoreEvent): void => {
    const { keyspace, resource, key } = event.entry.location
    if (keyspace !== '' || resource !== CLUSTERS) return
    if (event.type === 'delete') {
      keyspaces.delete(key)
      registries.delete(key)
      api.hub.endKeyspace(key)
    }
    // A new member starts empty: objects that were written while its predecessor was deleted are purged.
    if (event.type === 'delete' || event.previous === undefined) void purge(api, key)
    else if (!answers(event)) api.hub.endKeyspace(key)
  }
  for (const keyspace of api.store.keyspaces()) {
    if (keyspace !== '' && !api.store.get({ keyspace: '', resource: CLUSTERS, key: keyspace }))
      void purge(api, keyspace)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(react))
  return {
    forward: async (name, serve) => {
      const cluster = api.store.get({ keyspace: '', resource: CLUSTERS, key: name })
      if (!cluster) throw notFound({ group: 'cluster.karmada.io', plural: 'clusters' }, name)
      if (!isSimulated(cluster.value)) {
        throw unavailable(
          `the cluster "${name}" is not simulated here: its API is reached directly, not through this server`,
        )
      }
      if (isDown(cluster.value)) throw refused()
      return serve(await keyspaceOf(name))
    },
    keyspace: (name) => ({ name, registry: registryOf(name) }),
    open: keyspaceOf,
    close: unsubscribe,
  }
}

function answers({ entry }: StoreEvent): boolean {
  return isSimulated(entry.value) && !isDown(entry.value)
}

/** The answer of the proxy for an unreachable member. */
function refused(): unknown {
  return unavailable('error trying to reach service: dial tcp: connect: connection refused')
}

/** Deletes all objects of a member. */
async function purge(api: Api, keyspace: string): Promise<void> {
  try {
    await Promise.all(
      api.store.scan(keyspace).map((entry) => api.store.delete(entry.location, entry.value, entry.revision)),
    )
  } catch (error) {
    api.log(
      'error',
      { cluster: keyspace, error: String(error) },
      'the objects of a deleted member could not be removed',
    )
  }
}
