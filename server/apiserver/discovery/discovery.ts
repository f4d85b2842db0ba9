/** Discovery: the classic documents and the aggregated one. */
import { createHash } from 'node:crypto'
import { apiVersionOf } from '@/lib/kube/kind'
import { type Answer, type Call, json, type Reply } from '../call'
import { notAcceptable } from '../views/accept'
import type { Registry } from '../registry/registry'
import type { Resource } from '../registry/resource'
import { tagged } from '../tagged'
import { groupsInOrder, priorityOf, versionsInOrder } from './order'
import { aggregatedRemote, type RemoteVersion } from './remote'
import { type Served, servedResources } from './served'

/** Kinds that this server and aggregated servers offer. */
export interface ServedKinds {
  registry: Registry
  remotes: readonly RemoteVersion[]
}

/** Whether the answer is all groups in one document. Throws 406 if the client accepts only versions that are not served. */
export function asksForAll({ type }: { type: string }, call: Call): boolean {
  return (type === 'versions' || type === 'groups') && aggregatedVersion(call) !== undefined
}

/** `/api` */
export function versions(served: ServedKinds, call: Call): Answer {
  const version = aggregatedVersion(call)
  if (version) return aggregated(served, call, { version, names: [''] })
  const address = call.headers.host ?? ''
  return json({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  })
}

/** `/apis` */
export function groups(served: ServedKinds, call: Call): Answer {
  const version = aggregatedVersion(call)
  if (version) return aggregated(served, call, { version, names: groupNames(served, 'groups') })
  const names = groupNames(served, 'services')
  return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: names.map((name) => groupOf(served, name)) })
}

/** `/apis/GROUP` */
export function group(served: ServedKinds, name: string): Answer {
  return json({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(served, name) })
}

/** `/apis/GROUP/VERSION` and `/api/v1` */
export function resources(registry: Registry, groupVersion: { group: string; version: string }): Answer {
  const served = inVersion(registry, groupVersion)
  const list = {
    kind: 'APIResourceList',
    ...(groupVersion.group && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(groupVersion),
  }
  return json({ ...list, resources: served.flatMap(servedResources).map(classic) })
}

/** In the order of their names. */
function inVersion(registry: Registry, { group, version }: { group: string; version: string }): Resource[] {
  return registry.resources
    .filter(({ kind }) => kind.group === group && kind.version === version)
    .toSorted((a, b) => (a.kind.plural < b.kind.plural ? -1 : 1))
}

function groupNames({ registry, remotes }: ServedKinds, amongEquals: 'services' | 'groups'): string[] {
  const own = registry.resources
    .filter(({ kind }) => kind.group !== '')
    .map(({ kind: { group, version } }) => ({ group, version, ...priorityOf(group, version) }))
  return groupsInOrder([...own, ...remotes], amongEquals)
}

function groupOf(served: ServedKinds, name: string): object {
  const entries = versionsOf(served, name).map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

function versionsOf({ registry, remotes }: ServedKinds, name: string): string[] {
  const found = new Set(registry.resources.filter(({ kind }) => kind.group === name).map(({ kind }) => kind.version))
  for (const remote of remotes) if (remote.group === name) found.add(remote.version)
  return versionsInOrder(found)
}

function classic(served: Served): object {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, as } = served
  return {
    name,
    singularName,
    namespaced,
    ...(as && { group: as.group, version: as.version }),
    kind,
    verbs,
    ...(shortNames?.length && { shortNames }),
    ...(categories?.length && { categories }),
    ...(!name.includes('/')
      && !served.owner.kind.transient
      && !served.owner.kind.readOnly && { storageVersionHash: storageHash(served) }),
  }
}

function storageHash({ owner }: Served): string {
  const { kind } = owner
  return createHash('sha256')
    .update(`${kind.storedAs?.group ?? kind.group}/${kind.storedAs?.version ?? kind.version}/${kind.kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64')
}

/**
 * The requested version of the aggregated form, undefined for the classic one; throws 406 if the client accepts only
 * versions that are not served.
 */
function aggregatedVersion(call: Call): string | undefined {
  // The whole of all groups is at the path without a slash at its end.
  if (call.path === '/apis/') return undefined
  const parts = (call.headers.accept ?? '').split(',').map((part) => part.trim())
  for (const part of parts) {
    if (!part.includes('as=APIGroupDiscoveryList')) return undefined
    const version = /(?:^|;)\s*v=(v2|v2beta1)(?:;|$)/.exec(part)?.[1]
    if (version && part.includes('g=apidiscovery.k8s.io')) return version
  }
  throw notAcceptable()
}

interface Aggregated {
  version: string
  /** The served groups. */
  names: readonly string[]
}

function aggregated(served: ServedKinds, call: Call, { version, names }: Aggregated): Reply {
  const items = names.map((name) => aggregatedGroup(served, name))
  const apiVersion = `apidiscovery.k8s.io/${version}`
  const text = JSON.stringify({ kind: 'APIGroupDiscoveryList', apiVersion, metadata: {}, items })
  const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return tagged(call, { status: 200, type, headers: { Vary: 'Accept' }, text })
}

function aggregatedGroup(served: ServedKinds, name: string): object {
  const found = versionsOf(served, name).map((version) => {
    const remote = served.remotes.find((other) => other.group === name && other.version === version)
    if (remote) return aggregatedRemote(remote)
    const resources = inVersion(served.registry, { group: name, version }).map(aggregatedResource)
    return { version, resources, freshness: 'Current' }
  })
  return { metadata: name === '' ? {} : { name }, versions: found }
}

function aggregatedResource(resource: Resource): object {
  const [own, ...subresources] = servedResources(resource) as [Served, ...Served[]]
  const { name, singularName, verbs, shortNames, categories } = own
  return {
    resource: name,
    responseKind: responseKind(own),
    scope: resource.kind.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs,
    ...(shortNames?.length && { shortNames }),
    ...(categories?.length && { categories }),
    ...(subresources.length && {
      subresources: subresources.map((sub) => ({
        subresource: sub.name.slice(name.length + 1),
        responseKind: responseKind(sub),
        verbs: sub.verbs,
      })),
    }),
  }
}

function responseKind({ owner: { kind }, kind: word, as }: Served): object {
  // kube-apiserver omits the group of compiled-in kinds.
  const { group: name, version } = as ?? (kind.origin === 'builtin' ? { group: '', version: '' } : kind)
  return { group: name, version, kind: word }
}
