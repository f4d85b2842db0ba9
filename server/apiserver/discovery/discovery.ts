/** What is served, for clients that ask: the classic documents and the aggregated one. */
import { createHash } from 'node:crypto'
import { apiVersionOf } from '@/lib/kube/kind'
import { type Answer, type Call, json, type Reply } from '../call'
import { notAcceptable } from '../views/accept'
import type { Registry } from '../registry/registry'
import type { Resource } from '../registry/resource'
import { type Served, servedResources } from './served'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** `/api` */
export function versions(registry: Registry, call: Call): Answer {
  if (wantsAggregated(call)) return aggregated(registry, [''])
  const address = call.headers.host ?? ''
  return json({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  })
}

/** `/apis` */
export function groups(registry: Registry, call: Call): Answer {
  const names = groupNames(registry)
  if (wantsAggregated(call)) return aggregated(registry, names)
  return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: names.map((name) => groupOf(registry, name)) })
}

/** `/apis/GROUP` */
export function group(registry: Registry, name: string): Answer {
  return json({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(registry, name) })
}

/** `/apis/GROUP/VERSION` and `/api/v1` */
export function resources(registry: Registry, groupVersion: { group: string; version: string }): Answer {
  const served = registry.resources.filter(
    ({ kind }) => kind.group === groupVersion.group && kind.version === groupVersion.version
  )
  const list = {
    kind: 'APIResourceList', ...(groupVersion.group && { apiVersion: 'v1' }), groupVersion: apiVersionOf(groupVersion),
  }
  return json({ ...list, resources: served.flatMap(servedResources).map(classic) })
}

function groupNames(registry: Registry): string[] {
  return [...new Set(registry.resources.map(({ kind }) => kind.group))].filter((name) => name !== '').sort()
}

function groupOf(registry: Registry, name: string): object {
  const entries = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** The most stable and newest version first. */
function versionsOf(registry: Registry, group: string): string[] {
  const found = new Set(registry.resources.filter(({ kind }) => kind.group === group).map(({ kind }) => kind.version))
  return [...found].sort((a, b) => rank(b) - rank(a))
}

function rank(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
  const stability = stage === undefined ? 2 : stage === 'beta' ? 1 : 0
  return stability * 1e6 + Number(major) * 1e3 + Number(minor)
}

function classic(served: Served): object {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, as } = served
  return {
    name, singularName, namespaced,
    ...(as && { group: as.group, version: as.version }),
    kind, verbs,
    ...(shortNames?.length && { shortNames }),
    ...(categories?.length && { categories }),
    ...(!name.includes('/') && !served.owner.kind.transient && { storageVersionHash: storageHash(served) }),
  }
}

function storageHash({ owner }: Served): string {
  const { kind } = owner
  return createHash('sha256').update(
    `${kind.group}/${kind.version}/${kind.kind}`
  ).digest().subarray(0, 8).toString('base64')
}

/** True when the client asks for a form that is served; throws 406 when it accepts no other than one that is not. */
function wantsAggregated(call: Call): boolean {
  const parts = (call.headers.accept ?? '').split(',').map((part) => part.trim())
  for (const part of parts) {
    if (!part.includes('as=APIGroupDiscoveryList')) return false
    if (/(^|;)\s*v=v2(;|$)/.test(part) && part.includes('g=apidiscovery.k8s.io')) return true
  }
  throw notAcceptable()
}

function aggregated(registry: Registry, names: readonly string[]): Reply {
  const items = names.map((name) => aggregatedGroup(registry, name))
  const text = JSON.stringify(
    { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
  )
  const hash = createHash('sha512').update(text).digest('hex').toUpperCase()
  return { status: 200, type: AGGREGATED, headers: { Etag: `"${hash}"`, Vary: 'Accept' }, text }
}

function aggregatedGroup(registry: Registry, name: string): object {
  const found = versionsOf(registry, name).map((version) => ({
    version,
    resources: registry.resources.filter(
      ({ kind }) => kind.group === name && kind.version === version
    ).map(aggregatedResource),
    freshness: 'Current',
  }))
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
    ...(subresources.length && { subresources: subresources.map((sub) => ({
      subresource: sub.name.slice(name.length + 1), responseKind: responseKind(sub), verbs: sub.verbs,
    })) }),
  }
}

function responseKind({ owner: { kind }, kind: word, as }: Served): object {
  // The real server says nothing about the group of kinds that are compiled into it.
  const { group: name, version } = as ?? (kind.origin === 'builtin' ? { group: '', version: '' } : kind)
  return { group: name, version, kind: word }
}
