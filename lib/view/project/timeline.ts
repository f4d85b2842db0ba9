/** The timeline of a workload, from all sources. Newest first. */
import type { Event } from '@/lib/kube/kinds/event'
import type { Work } from '@/lib/kube/kinds/work'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { message, type Value } from '@/lib/messages/message'
import { parseTime } from '@/lib/std/clock'
import type { CausedBy } from '../journal'
import type { EvictionTaskView, ReplicasInCluster, State, TimelineEntryView } from '../model'
import { workloadId } from '../workload-id'
import { causeOf } from './cause'
import { type AnyBinding, clusterOfWork, templateOf, toConditionView } from './binding-facts'

/** An observed change of `spec.clusters`. */
export interface PlacementChange extends CausedBy {
  /** RFC 3339. */
  at: string
  before: ReplicasInCluster[]
  after: ReplicasInCluster[]
}

export interface TimelineSnapshot {
  binding: AnyBinding
  works: readonly Work[]
  /** Events about the template, the binding and its Works. */
  events: readonly Event[]
  /** Rebalancers that list the workload. */
  rebalancers: readonly WorkloadRebalancer[]
  placements: readonly PlacementChange[]
}

/** Longer histories belong into a log system. */
const MAX_ENTRIES = 200

/** Returns entries, newest first, at most 200. Identical texts from one source at the same time are merged. */
export function projectTimeline(snapshot: TimelineSnapshot): TimelineEntryView[] {
  const entries = [
    ...snapshot.placements.map(placementEntry),
    ...snapshot.rebalancers.map((rebalancer) => rebalanceEntry(rebalancer, workloadId(templateOf(snapshot.binding)))),
    ...evictionTasks(snapshot.binding).map(evictionEntry),
    ...conditionEntries(snapshot),
    ...snapshot.events.map(eventEntry),
  ]
  const byId = new Map<string, TimelineEntryView>()
  for (const entry of entries) byId.set(entry.id, byId.get(entry.id) ?? entry)
  return [...byId.values()].sort(newestFirst).slice(0, MAX_ENTRIES)
}

/** Returns the eviction tasks of a binding. */
export function evictionTasks({ spec }: AnyBinding): EvictionTaskView[] {
  return (spec.gracefulEvictionTasks ?? []).map((task) => ({
    fromCluster: task.fromCluster,
    replicas: task.replicas,
    reason: task.reason,
    message: task.message,
    producer: task.producer,
    purgeMode: task.purgeMode,
    createdAt: task.creationTimestamp,
    gracePeriodSeconds: task.gracePeriodSeconds,
    suppressDeletion: task.suppressDeletion,
  }))
}

function placementEntry({ at, before, after, ...caused }: PlacementChange): TimelineEntryView {
  const title = before.length === 0 ? 'timeline.scheduled' : after.length === 0 ? 'timeline.removed' : 'timeline.moved'
  return {
    id: `placement ${at} ${after.map(({ cluster, replicas }) => `${cluster} ${replicas}`).join()}`,
    at,
    source: 'placement',
    state: after.length === 0 ? 'fail' : 'active',
    title: message(title),
    detail: message('timeline.change', {
      before: distribution(before),
      after: distribution(after),
      cause: causeOf(caused),
    }),
  }
}

/** Returns `member1 2 · member2 1`. */
const distribution = (replicas: readonly ReplicasInCluster[]): Value =>
  replicas.map(({ cluster, replicas: count }) => `${cluster} ${count}`).join(' · ') || message('common.noCluster')

function rebalanceEntry({ metadata, status }: WorkloadRebalancer, id: string): TimelineEntryView {
  const observed = status?.observedWorkloads?.find(({ workload }) => workloadId(workload) === id)
  const failed = observed?.result === 'Failed'
  const { name } = metadata
  return {
    id: `rebalance ${metadata.uid}`,
    at: metadata.creationTimestamp,
    source: 'rebalance',
    state: failed ? 'fail' : 'active',
    title: message('timeline.rebalance'),
    detail: failed
      ? message('timeline.rebalance.failed', { name, reason: observed.reason ?? '' })
      : message(observed?.result === 'Successful' ? 'timeline.rebalance.triggered' : 'timeline.rebalance.pending', {
          name,
        }),
  }
}

function evictionEntry(task: EvictionTaskView): TimelineEntryView {
  const at = task.createdAt ?? ''
  return {
    id: `eviction ${task.fromCluster} ${at}`,
    at,
    source: 'eviction',
    state: task.suppressDeletion ? 'held' : 'active',
    title: message('timeline.eviction', { cluster: task.fromCluster }),
    detail: [task.reason, task.message].filter(Boolean).join(': '),
    cluster: task.fromCluster,
  }
}

function conditionEntries({ binding, works }: TimelineSnapshot): TimelineEntryView[] {
  const own = (binding.status?.conditions ?? []).map((condition) => conditionEntry(condition))
  const inMembers = works.flatMap((work) =>
    (work.status?.conditions ?? []).map((condition) => conditionEntry(condition, clusterOfWork(work))),
  )
  return [...own, ...inMembers]
}

function conditionEntry(condition: Parameters<typeof toConditionView>[0], cluster?: string): TimelineEntryView {
  const { type, status, reason, message, lastTransitionTime } = toConditionView(condition)
  return {
    id: `condition ${cluster ?? '-'} ${type} ${status} ${lastTransitionTime}`,
    at: lastTransitionTime,
    source: 'condition',
    state: type === 'Dispatching' && status === 'False' ? 'held' : CONDITION_STATES[status],
    title: status === 'True' ? type : `${type}: ${status}`,
    detail: message || reason,
    cluster,
  }
}

const CONDITION_STATES: Record<'True' | 'False' | 'Unknown', State> = { True: 'ok', False: 'fail', Unknown: 'unknown' }

/** The scheduler records each event on the binding and on the template, so the ID does not contain the object. */
function eventEntry(event: Event): TimelineEntryView {
  const { reason = 'Event', message = '', series, lastTimestamp, eventTime, metadata } = event
  const at = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp
  const count = series?.count ?? event.count ?? 1
  return {
    id: `event ${reason} ${at} ${message}`,
    at,
    source: 'event',
    state: event.type === 'Warning' ? 'warn' : 'ok',
    title: reason,
    detail: message,
    ...(count > 1 && { count }),
  }
}

function newestFirst(a: TimelineEntryView, b: TimelineEntryView): number {
  const difference = (parseTime(b.at) || 0) - (parseTime(a.at) || 0)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id < b.id ? -1 : 1
}
