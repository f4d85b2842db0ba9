/** Serves `metrics.k8s.io`: for a member its own metrics, for the control plane those of all members. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { resourceName } from '@/lib/kube/kind'
import type { KubeError } from '@/lib/kube/errors'
import { cluster, type Node, type Pod } from '@/lib/kube/kinds'
import { nodeMetrics } from '@/lib/kube/kinds/metrics'
import type { UnknownObject } from '@/lib/kube/object'
import { isDown, isSimulated } from '@/lib/kube/simulation'
import type { Ask } from '../api'
import type { Answer } from '../call'
import { methodNotAllowed, notFound } from '../failures'
import { booleanOf } from '../query'
import { keyIn } from '../registry/resource'
import { selectionOf } from '../registry/selection'
import { StoredEntry } from '../store/entry'
import type { Entry } from '../store/store'
import { viewOf } from '../views/view'
import { measuredAt, quantitiesOf, usageOfNode, usageOfPod } from './usage'

const CLUSTERS = resourceName(cluster)
/** Names the member, as Karmada's metrics adapter does. */
const SOURCE = 'resource.karmada.io/query-from-cluster'

/** Metrics are computed for each request, so watches are not supported. */
export async function readMetrics(ask: Ask): Promise<Answer> {
  const { call, api, resource, target } = ask
  if (booleanOf(call.query, 'watch')) throw methodNotAllowed()
  const view = viewOf(ask)
  const entries: Entry[] = []
  for (const member of membersOf(ask)) {
    for (const entry of metricsIn(ask, member)) entries.push(entry)
    await nextTurn()
  }
  if (target.name === undefined) {
    const page = { entries: selectionOf(resource, call.query).filter(entries), revision: api.store.revision }
    return view.list(page)
  }
  const [found] = entries
  if (!found) throw notMeasured(ask, target.name)
  return view.object(found)
}

/** As metrics-server: an unknown object is missing by its own kind, and one without usage as a measurement. */
function notMeasured(ask: Ask, name: string): KubeError {
  const { resource, target } = ask
  const { plural } = resource.kind
  const exists = membersOf(ask).some(
    (member) => objectsIn(ask, { keyspace: member, resource: plural }, name).length > 0,
  )
  if (!exists) return notFound({ group: '', plural }, name)
  const of = target.namespace === undefined ? name : `${target.namespace}/${name}`
  return notFound({ group: resource.kind.group, plural: resource.kind.kind.toLowerCase() }, of)
}

/** The keyspaces that are measured. */
function membersOf({ api, keyspace }: Ask): string[] {
  if (keyspace.name !== '') return [keyspace.name]
  return api.store
    .list({ keyspace: '', resource: CLUSTERS })
    .filter(({ value }) => isSimulated(value) && !isDown(value))
    .map(({ location }) => location.key)
}

function metricsIn(ask: Ask, member: string): Entry[] {
  return ask.resource.kind.kind === nodeMetrics.kind ? nodesIn(ask, member) : podsIn(ask, member)
}

function nodesIn(ask: Ask, member: string): Entry[] {
  const { api, target } = ask
  const now = api.clock.now()
  const pods = api.store.list({ keyspace: member, resource: 'pods' }).map(({ value }) => value as unknown as Pod)
  return objectsIn(ask, { keyspace: member, resource: 'nodes' }, target.name).map((node) => {
    const usage = quantitiesOf(usageOfNode(node as unknown as Node, pods, now))
    return entryOf(ask, member, { of: node, fields: { ...measuredAt(now), usage } })
  })
}

function podsIn(ask: Ask, member: string): Entry[] {
  const now = ask.api.clock.now()
  const { target } = ask
  return objectsIn(ask, { keyspace: member, resource: 'pods' }, target.name).flatMap((pod) => {
    const containers = usageOfPod(pod as unknown as Pod, now).map(({ name, usage }) => ({
      name,
      usage: quantitiesOf(usage),
    }))
    return containers.length === 0
      ? []
      : [entryOf(ask, member, { of: pod, fields: { ...measuredAt(now), containers } })]
  })
}

/** Returns the object with the requested name, or all objects of the namespace. */
function objectsIn(
  { api, resource, target: { namespace } }: Ask,
  bucket: { keyspace: string; resource: string },
  name: string | undefined,
): UnknownObject[] {
  if (name === undefined) return api.store.list(bucket, { namespace }).map(({ value }) => value)
  const entry = api.store.get({ ...bucket, key: keyIn(resource, namespace, name) })
  return entry ? [entry.value] : []
}

interface Measured {
  of: UnknownObject
  fields: object
}

function entryOf({ api, resource, keyspace }: Ask, member: string, { of, fields }: Measured): Entry {
  const { name, namespace, labels } = of.metadata
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    creationTimestamp: measuredAt(api.clock.now()).timestamp,
    ...(labels && { labels }),
    ...(keyspace.name === '' && { annotations: { [SOURCE]: member } }),
  }
  const value = { kind: resource.kind.kind, apiVersion: resource.apiVersion, metadata, ...fields }
  const key = keyIn(resource, namespace, name)
  const location = { keyspace: keyspace.name, resource: resource.id, key }
  return new StoredEntry(location, 0, JSON.stringify(value), value as unknown as UnknownObject)
}
