/** Builds the input of decisions from API objects. */
import { isConditionTrue } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { FederatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import type { PriorityClass } from '@/lib/kube/kinds/priority-class'
import type { QueueObject, QueueSpec } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { keyOf, objectKey } from '@/lib/kube/object'
import type { EpochMs } from '@/lib/std/clock'
import { sameItems } from '@/lib/std/same-items'
import { addTo, type Amounts, amountsOf, tidied } from './amounts'
import { CAPACITY_ANNOTATION, CAPACITY_IGNORE, HOLD_ENDED_ANNOTATION, parseSignature } from './annotations'
import { keeperOf, loadOf, type QueueContext, queuedBindingOf } from './binding-facts'
import { divideNamespaces, type Ownership } from './namespace-owners'
import type { OnDelete, QueuedBinding, QueueFacts, QueueLimits, QueueSnapshot } from './snapshot-model'

/** The objects at one time. The order of the lists does not matter. */
export interface QueueObjects {
  queues: readonly QueueObject[]
  /** All ResourceBindings, because those without a queue use capacity too. */
  bindings: readonly ResourceBinding[]
  quotas: readonly FederatedResourceQuota[]
  clusters: readonly Cluster[]
  priorityClasses: readonly PriorityClass[]
  /** Recently deleted queues by key, with what happens to their pending workloads. Default: none. */
  ended?: ReadonlyMap<string, OnDelete>
  now: EpochMs
}

/**
 * Builds the snapshot without I/O. The controller and the console share it, so that the console shows what the
 * controller does.
 */
export function queueSnapshotOf(objects: QueueObjects): QueueSnapshot {
  const ownership = divideNamespaces(objects.queues)
  const sorted = sortBindings(objects, ownership)
  const queues = objects.queues.map((queue) => queueFactsOf(queue, { objects, ownership, sorted })).toSorted(byKey)
  const { clusters, now, ended = new Map<string, OnDelete>() } = objects
  const orphans = sorted.orphans.toSorted(byKey)
  const lateBindings = orphans.flatMap((binding) => {
    const onDelete = ended.get(binding.notedQueue ?? '')
    return onDelete === undefined ? [] : [{ binding, onDelete }]
  })
  return {
    now,
    queues,
    orphans: orphans.filter(({ notedQueue = '' }) => !ended.has(notedQueue)),
    lateBindings,
    ...roomOf(clusters),
    taken: takenOf(objects),
  }
}

interface Sorted {
  /** By the key of the queue that owns their namespace. */
  owned: Map<string, QueuedBinding[]>
  detached: Map<string, QueuedBinding[]>
  orphans: QueuedBinding[]
}

function sortBindings({ queues, bindings, priorityClasses }: QueueObjects, { ownerOf }: Ownership): Sorted {
  const byName = new Map(queues.map((queue) => [objectKey(queue), queue]))
  const clusterClasses = new Map(priorityClasses.map((each) => [each.metadata.name, each]))
  const classes = { of: priorityClasses, byName: clusterClasses }
  const contexts = new Map(queues.map((queue) => [objectKey(queue), contextOf(queue, classes)]))
  const outsideAll = { priorities: { classes: [], clusterClasses } }
  const sorted: Sorted = { owned: new Map(), detached: new Map(), orphans: [] }
  for (const binding of bindings) {
    const owner = ownerOf.get(binding.metadata.namespace ?? '')
    const noted = owner === undefined ? keeperOf(binding) : undefined
    const context = contexts.get(owner ?? noted ?? '')
    if (owner !== undefined) push(sorted.owned, owner, queuedBindingOf(binding, context!))
    else if (noted !== undefined) {
      const outside = queuedBindingOf(binding, context?.outside ?? outsideAll)
      if (byName.has(noted)) push(sorted.detached, noted, outside)
      else sorted.orphans.push(outside)
    }
  }
  return sorted
}

interface Contexts extends QueueContext {
  /** For bindings in namespaces that have no queue now. */
  outside: QueueContext
}

interface Classes {
  of: readonly PriorityClass[]
  byName: ReadonlyMap<string, PriorityClass>
}

const known = new WeakMap<QueueObject, { of: Classes['of']; context: Contexts }>()

/** Returns the same context for the same objects, so that what was read in it is not read again. */
function contextOf(queue: QueueObject, { of, byName: clusterClasses }: Classes): Contexts {
  const found = known.get(queue)
  if (found?.of === of) return found.context
  const priorities = { classes: queue.spec?.priorityClasses, clusterClasses }
  const named = { key: objectKey(queue), createdAt: queue.metadata.creationTimestamp }
  const context = { queue: named, priorities, outside: { priorities } }
  known.set(queue, { of, context })
  return context
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

interface Parts {
  objects: QueueObjects
  ownership: Ownership
  sorted: Sorted
}

function queueFactsOf(queue: QueueObject, { objects, ownership, sorted }: Parts): QueueFacts {
  const { metadata, spec = {}, status } = queue
  const { namespace = '', name, annotations = {} } = metadata
  const key = objectKey(queue)
  const invalid = ownership.invalid.get(key)
  const holdEnded = parseSignature(annotations[HOLD_ENDED_ANNOTATION])
  return {
    key,
    namespace,
    name,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation ?? 0,
    createdAt: metadata.creationTimestamp,
    deleting: metadata.deletionTimestamp !== undefined,
    finalizers: metadata.finalizers ?? [],
    spec,
    strategy: spec.strategy ?? 'BestEffortFIFO',
    weight: Math.max(1, spec.weight ?? 1),
    namespaces: [...ownership.ownerOf]
      .filter(([, owner]) => owner === key)
      .map(([each]) => each)
      .sort(),
    ...(invalid && { invalid }),
    ...limitsOf(spec, namespace, objects.quotas),
    ignoresCapacity: annotations[CAPACITY_ANNOTATION] === CAPACITY_IGNORE,
    ...(holdEnded && { holdEnded }),
    bindings: sortedByKey(sorted.owned.get(key)),
    detached: sortedByKey(sorted.detached.get(key)),
    ...(status && { status }),
  }
}

const NO_BINDINGS: readonly QueuedBinding[] = []

/** By their first binding: the lists that were sorted last. */
const sortedLists = new WeakMap<QueuedBinding, { list: readonly QueuedBinding[]; sorted: readonly QueuedBinding[] }>()

/** Returns the same sorted list for the same bindings, so that what was derived from it is not derived again. */
function sortedByKey(list: readonly QueuedBinding[] = NO_BINDINGS): readonly QueuedBinding[] {
  const [first] = list
  if (!first) return NO_BINDINGS
  const known = sortedLists.get(first)
  if (known && sameItems(known.list, list)) return known.sorted
  const sorted = list.toSorted(byKey)
  sortedLists.set(first, { list, sorted })
  return sorted
}

/** If both limits are given, the smaller amount of each resource counts. */
function limitsOf(
  { quota }: QueueSpec,
  namespace: string,
  quotas: readonly FederatedResourceQuota[],
): Pick<QueueFacts, 'limits' | 'missingQuota'> {
  if (!quota) return {}
  const name = quota.federatedResourceQuota
  const named = name ? quotas.find((each) => objectKey(each) === keyOf({ namespace, name })) : undefined
  const hard: Record<string, number> = { ...amountsOf(quota.hard, true) }
  for (const [resource, amount] of Object.entries(amountsOf(named?.spec.overall, true))) {
    hard[resource] = Math.min(hard[resource] ?? Infinity, amount)
  }
  return {
    limits: { hard, borrowing: borrowingOf(quota.borrowingLimit) },
    ...(name && !named && { missingQuota: name }),
  }
}

function borrowingOf(limit: Readonly<Record<string, string | number>> | undefined): QueueLimits['borrowing'] {
  if (!limit) return undefined
  return Object.keys(limit).length === 0 ? 'everything' : amountsOf(limit)
}

const isReady = ({ metadata, status }: Cluster): boolean =>
  metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready')

function roomOf(clusters: readonly Cluster[]): Pick<QueueSnapshot, 'offered' | 'capacity'> {
  const [all, ready]: Record<string, number>[] = [{}, {}]
  for (const cluster of clusters) {
    const amounts = amountsOf(cluster.status?.resourceSummary?.allocatable)
    addTo(all!, amounts)
    if (isReady(cluster)) addTo(ready!, amounts)
  }
  const offered = tidied(all!)
  return { offered, capacity: Object.fromEntries(Object.keys(offered).map((name) => [name, ready![name] ?? 0])) }
}

/**
 * Members also report pods that were not propagated, and placed bindings include pods that do not exist yet; the larger
 * amount counts.
 */
function takenOf({ clusters, bindings }: QueueObjects): Amounts {
  const [reported, placed, coming]: Record<string, number>[] = [{}, {}, {}]
  for (const { status } of clusters.filter(isReady)) {
    addTo(reported!, amountsOf(status?.resourceSummary?.allocated))
    addTo(reported!, amountsOf(status?.resourceSummary?.allocating))
  }
  for (const binding of bindings) {
    const { is, demand } = loadOf(binding)
    if (is !== 'none') addTo(is === 'placed' ? placed! : coming!, demand)
  }
  const names = new Set([...Object.keys(reported!), ...Object.keys(placed!), ...Object.keys(coming!)])
  return tidied(
    Object.fromEntries(
      [...names].map((name) => [name, Math.max(reported![name] ?? 0, placed![name] ?? 0) + (coming![name] ?? 0)]),
    ),
  )
}

const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
