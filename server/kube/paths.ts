/** The URLs of the Kubernetes REST API. */
import { kubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import type { DeleteOptions, ListOptions, WatchOptions, WriteOptions } from './client'

type Query = Record<string, string | number | boolean | undefined>

/**
 * Returns `/api/v1/...` or `/apis/group/version/...` of a collection, or of one object when `name` is given. Throws 400
 * for names that are not valid in a path.
 */
export function resourcePath(kind: Kind, at: { namespace?: string; name?: string; subresource?: string }): string {
  const root = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`
  const namespace = kind.scope === 'Namespaced' && at.namespace ? `/namespaces/${part(at.namespace)}` : ''
  const name = at.name === undefined ? '' : `/${part(at.name)}`
  const subresource = at.subresource ? `/${at.subresource}` : ''
  return `${root}${namespace}/${kind.plural}${name}${subresource}`
}

/** Returns the path of a member's cluster proxy. */
export function memberPath(clusterName: string): string {
  return `/apis/cluster.karmada.io/v1alpha1/clusters/${part(clusterName)}/proxy`
}

/**
 * Encodes a path segment. A proxy may resolve dots in a path, which would turn the deletion of one object into a
 * deletion of its collection.
 */
function part(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw kubeError(400, 'BadRequest', `${JSON.stringify(name)} is no name of an object`)
  return encodeURIComponent(name)
}

export function listQuery(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion } = options
  return { labelSelector, fieldSelector, limit, continue: options.continue, resourceVersion }
}

export function watchQuery(options: WatchOptions): Query {
  const { labelSelector, fieldSelector, resourceVersion } = options
  const { allowWatchBookmarks, sendInitialEvents, timeoutSeconds } = options
  return {
    watch: true,
    labelSelector,
    fieldSelector,
    resourceVersion,
    allowWatchBookmarks,
    sendInitialEvents,
    // Required with sendInitialEvents; a server that supports neither refuses the request instead of ignoring it.
    resourceVersionMatch: sendInitialEvents ? 'NotOlderThan' : undefined,
    timeoutSeconds,
  }
}

export function writeQuery(options: WriteOptions | DeleteOptions): Query {
  return {
    dryRun: options.dryRun ? 'All' : undefined,
    fieldManager: 'fieldManager' in options ? options.fieldManager : undefined,
  }
}

/** Returns `?a=b&c=d` without absent values, or an empty text. */
export function queryText(query: Query): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (present.length === 0) return ''
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`
}
