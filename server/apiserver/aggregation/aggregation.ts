/** The aggregation layer: versions of groups that other API servers serve, under this server's address. */
import type { Api } from '../api'
import type { Answer, Call } from '../call'
import type { Controller } from '../controllers/namespaces'
import type { RemoteVersion } from '../discovery/remote'
import type { Keyspace } from '../registry/keyspace'
import type { KeyPair } from '../tls/certificates'
import { startAvailability } from './availability'
import { openRemoteServers } from './connection'
import { forward } from './forward'
import { keepRegistered } from './local'
import { followRegistrations } from './registrations'

export interface Aggregation extends Controller {
  /** Passes a request for a registered version on; undefined for any other request. */
  serve(call: Call): Promise<Answer> | undefined
  /** For the documents of discovery. */
  versions(): readonly RemoteVersion[]
}

/** `identity` proves to other servers that this one names its callers. */
export function startAggregationLayer(api: Api, keyspace: Keyspace, identity: KeyPair | undefined): Aggregation {
  const registrations = followRegistrations(api.store, keyspace)
  const servers = openRemoteServers(api, identity)
  const availability = startAvailability(api, keyspace, { registrations, servers })
  const registering = keepRegistered(api, keyspace)
  return {
    serve: (call) => {
      if (registrations.isEmpty) return undefined
      const [, group, version] = VERSION_PATH.exec(call.path) ?? []
      const remote = group && version ? registrations.find(group, version) : undefined
      return remote && forward(servers, remote, call)
    },
    versions: () => {
      if (registrations.isEmpty) return NONE
      return registrations
        .list()
        .map(({ group, version, spec, isAvailable, entry }) => ({
          group,
          version,
          groupPriorityMinimum: spec.groupPriorityMinimum,
          isCurrent: isAvailable,
          resources: availability.discovered.get(entry.location.key) ?? [],
        }))
    },
    close: async () => {
      registrations.close()
      await Promise.all([availability.close(), registering.close()])
    },
  }
}

const NONE: readonly RemoteVersion[] = []

/** A version of a group, anything below it, and its document. */
const VERSION_PATH = /^(?:\/openapi\/v3)?\/apis\/([^/]+)\/([^/]+)(?:\/|$)/
