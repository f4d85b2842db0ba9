/** What other servers serve, in the form of the aggregated discovery document. */

/** A resource as a list of resources has it. */
export interface RemoteResource {
  name: string
  singularName?: string
  namespaced?: boolean
  kind?: string
  group?: string
  version?: string
  verbs?: string[]
  shortNames?: string[]
  categories?: string[]
}

/** A version of a group that another server serves. */
export interface RemoteVersion {
  group: string
  version: string
  /** Position of its group. */
  groupPriorityMinimum: number
  /** False when the server did not answer the last check. */
  isCurrent: boolean
  resources: readonly RemoteResource[]
}

/** The version as an entry of its group. */
export function aggregatedRemote(remote: RemoteVersion): object {
  const { version, isCurrent, resources } = remote
  const own = resources.filter(({ name }) => !name.includes('/'))
  return {
    version,
    resources: own.map((resource) => withSubresources(remote, resource)),
    freshness: isCurrent ? 'Current' : 'Stale',
  }
}

function withSubresources(remote: RemoteVersion, resource: RemoteResource): object {
  const { name, singularName = '', namespaced, verbs = [], shortNames, categories } = resource
  const below = remote.resources.filter((other) => other.name.startsWith(`${name}/`))
  return {
    resource: name,
    responseKind: kindOf(remote, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs,
    ...(shortNames?.length && { shortNames }),
    ...(categories?.length && { categories }),
    ...(below.length > 0 && {
      subresources: below.map((sub) => ({
        subresource: sub.name.slice(name.length + 1),
        responseKind: kindOf(remote, sub),
        verbs: sub.verbs ?? [],
      })),
    }),
  }
}

function kindOf({ group, version }: RemoteVersion, resource: RemoteResource): object {
  return { group: resource.group ?? group, version: resource.version ?? version, kind: resource.kind ?? '' }
}
