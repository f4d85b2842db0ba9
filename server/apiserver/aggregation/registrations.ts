/** Which versions of groups other servers serve: the APIServices with a Service, as the store has them. */
import { resourceName } from '@/lib/kube/kind'
import { apiService, type ApiService } from '@/lib/kube/kinds'
import type { Keyspace } from '../registry/keyspace'
import type { Entry, Store } from '../store/store'

export const API_SERVICES = resourceName(apiService)

/** A version that another server serves. */
export interface Remote {
  group: string
  version: string
  entry: Entry
  spec: NonNullable<ApiService['spec']>
  service: NonNullable<NonNullable<ApiService['spec']>['service']>
  /** Result of the last check of its server. */
  isAvailable: boolean
}

export interface Registrations {
  /** The server of `group/version`, or of any path below it. */
  find(group: string, version: string): Remote | undefined
  list(): readonly Remote[]
  /** True without any registration of another server, as most control planes are. */
  readonly isEmpty: boolean
  close(): void
}

/** Replaced by a registration; other kinds of the product and of Kubernetes are served here in any case. */
const REPLACEABLE_GROUPS = new Set(['metrics.k8s.io'])

/** Follows the APIServices of the control plane. */
export function followRegistrations(store: Store, { registry }: Keyspace): Registrations {
  const remotes = new Map<string, Remote>()
  const read = (entry: Entry): void => {
    const remote = remoteOf(entry)
    if (remote) remotes.set(entry.location.key, remote)
    else remotes.delete(entry.location.key)
  }
  for (const entry of store.list({ keyspace: '', resource: API_SERVICES })) read(entry)
  const close = store.subscribe((events) => {
    for (const { type, entry } of events) {
      if (entry.location.keyspace !== '' || entry.location.resource !== API_SERVICES) continue
      if (type === 'delete') remotes.delete(entry.location.key)
      else read(entry)
    }
  })
  const isOurs = (group: string, version: string): boolean =>
    registry.isCompiledIn(group, version) && !REPLACEABLE_GROUPS.has(group)
  return {
    get isEmpty() {
      return remotes.size === 0
    },
    find: (group, version) => {
      const remote = remotes.get(`${version}.${group}`)
      return remote && !isOurs(group, version) ? remote : undefined
    },
    list: () => [...remotes.values()].filter(({ group, version }) => !isOurs(group, version)),
    close,
  }
}

function remoteOf(entry: Entry): Remote | undefined {
  const { spec, status } = entry.value as unknown as ApiService
  if (!spec?.service) return undefined
  const { group = '', version = '', service } = spec
  const isAvailable = status?.conditions?.find(({ type }) => type === 'Available')?.status === 'True'
  return { group, version, entry, spec, service, isAvailable }
}
