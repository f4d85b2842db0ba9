/** Completed failovers and past incidents, from the journal. */
import { isProtection } from '@/lib/domain/eviction'
import { message } from '@/lib/messages/message'
import { type EpochMs, isoTime, parseTime } from '@/lib/std/clock'
import { forgetOldest } from '@/lib/std/recent-map'
import type { JournalEntry, ReadyFact, TaskFact } from '../journal'
import type { ReplicasInCluster } from '../model'
import type { PastFailoverView } from '../failover-model'
import { parseWorkloadId } from '../workload-id'
import { say } from './say'

type EntryOf<W extends JournalEntry['what']> = Extract<JournalEntry, { what: W }>

/** A running failover according to the journal. All times are RFC 3339. */
export interface OpenFailover {
  workload: string
  cluster: string
  unhealthySince?: string
  evictedAt: string
  replacedAt?: string
  task: TaskFact
  before?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  /** A part of it was not observed. */
  hasGap: boolean
}

interface Outage {
  since: string
  ready: ReadyFact
  left: Set<string>
  hasGap: boolean
}

/** Maximum number of past failovers kept in memory. */
const MAX_PAST = 5000

/** Folds entries in order. Memory: running failovers, a time per current failure, and the latest past failovers. */
export class FailoverHistory {
  /** By workload and cluster: since when it is unhealthy. */
  readonly #unhealthy = new Map<string, string>()
  /** By workload and cluster: it has reported but never was healthy. */
  readonly #starting = new Set<string>()
  readonly #outages = new Map<string, Outage>()
  readonly #open = new Map<string, OpenFailover>()
  readonly #byWorkload = new Map<string, Set<string>>()
  /** In the order of their end. */
  readonly #past = new Map<string, PastFailoverView>()

  /** `onEnd` is called with the ID of each finished failover. */
  constructor(private readonly onEnd: (id: string) => void = () => undefined) {}

  /** Processes the next entry. */
  note(entry: JournalEntry): void {
    switch (entry.what) {
      case 'gap':
        return this.#noteGap()
      case 'ready':
        return this.#noteReady(entry)
      case 'health':
        return this.#noteHealth(entry)
      case 'task':
        return this.#noteTask(entry)
      case 'placement':
        return this.#notePlacement(entry)
      default:
    }
  }

  /** Returns the running failover. */
  open(workload: string, cluster: string): OpenFailover | undefined {
    return this.#open.get(keyOf(workload, cluster))
  }

  /** Returns since when a workload is unhealthy in a cluster, RFC 3339. */
  unhealthySince(workload: string, cluster: string): string | undefined {
    return this.#unhealthy.get(keyOf(workload, cluster))
  }

  isStarting(workload: string, cluster: string): boolean {
    return this.#starting.has(keyOf(workload, cluster))
  }

  /** Returns since when a cluster is not ready. */
  outageSince(cluster: string): string | undefined {
    return this.#outages.get(cluster)?.since
  }

  /** Returns failovers that ended at or after that time, latest first. */
  past(since: EpochMs): PastFailoverView[] {
    // Journal times have one format, so they can be compared as texts.
    const from = isoTime(Math.max(0, since))
    return [...this.#past.values()].filter(({ endedAt }) => endedAt >= from).reverse()
  }

  pastFailover(id: string): PastFailoverView | undefined {
    return this.#past.get(id)
  }

  #noteGap(): void {
    for (const failover of this.#open.values()) failover.hasGap = true
    for (const outage of this.#outages.values()) outage.hasGap = true
  }

  #noteReady(entry: EntryOf<'ready'>): void {
    const { cluster, after, at } = entry
    const outage = this.#outages.get(cluster)
    if (after?.status === 'Missing' && !outage) return
    if (after && after.status !== 'True') {
      if (outage) outage.ready = after
      else this.#outages.set(cluster, { since: at, ready: after, left: new Set(), hasGap: entry.late === true })
      return
    }
    if (!outage) return
    this.#outages.delete(cluster)
    this.#end(pastIncident(cluster, outage, { at, isDeleted: after === undefined }))
  }

  #noteHealth({ workload, cluster, before, after, at, late }: EntryOf<'health'>): void {
    const key = keyOf(workload, cluster)
    if (after === undefined || after === 'Healthy' || before === 'Healthy' || late) this.#starting.delete(key)
    else if (before === undefined) this.#starting.add(key)
    if (after !== 'Unhealthy') this.#unhealthy.delete(key)
    else if (!this.#unhealthy.has(key)) this.#unhealthy.set(key, at)
  }

  #noteTask(entry: EntryOf<'task'>): void {
    const task = entry.after ?? entry.before
    if (task && isProtection(task)) return
    const key = keyOf(entry.workload, entry.cluster)
    const failover = this.#open.get(key)
    if (!entry.after) return failover && this.#close(key, lastOf(failover, entry), entry.at)
    if (!failover) return this.#begin(key, entry, entry.after)
    failover.task = entry.after
    failover.replacedAt = entry.after.replaced ? (failover.replacedAt ?? entry.at) : undefined
  }

  #begin(key: string, { workload, cluster, at, late, before }: EntryOf<'task'>, task: TaskFact): void {
    const outage = this.#outages.get(cluster)
    outage?.left.add(workload)
    const evictedAt = before === undefined && late && task.createdAt ? task.createdAt : at
    const [ofCluster, ofWorkload] = [outage?.since, this.#unhealthy.get(key)]
    const began = earliest(
      evictedAt,
      task.reason === 'TaintUntolerated' ? (ofCluster ?? ofWorkload) : (ofWorkload ?? ofCluster),
    )
    this.#open.set(key, {
      workload,
      cluster,
      task,
      evictedAt,
      hasGap: late === true,
      ...(began !== evictedAt && { unhealthySince: began }),
      ...(task.replaced && { replacedAt: at }),
    })
    const keys = this.#byWorkload.get(workload) ?? new Set()
    this.#byWorkload.set(workload, keys.add(key))
  }

  /** The eviction itself removes the cluster from the placement at the same time. */
  #notePlacement({ workload, before, after }: EntryOf<'placement'>): void {
    for (const key of this.#byWorkload.get(workload) ?? []) {
      const failover = this.#open.get(key)
      if (!failover) continue
      failover.before ??= before
      failover.after = after
    }
  }

  #close(key: string, failover: OpenFailover, at: string): void {
    this.#open.delete(key)
    const keys = this.#byWorkload.get(failover.workload)
    keys?.delete(key)
    if (keys?.size === 0) this.#byWorkload.delete(failover.workload)
    this.#end(pastFailover(failover, at))
  }

  #end(failover: PastFailoverView): void {
    this.#past.set(failover.id, failover)
    forgetOldest(this.#past, MAX_PAST)
    this.onEnd(failover.id)
  }
}

function lastOf(failover: OpenFailover, { before: task = failover.task, at }: EntryOf<'task'>): OpenFailover {
  return { ...failover, task, ...(task.replaced && { replacedAt: failover.replacedAt ?? at }) }
}

function pastIncident(
  cluster: string,
  outage: Outage,
  { at, isDeleted }: { at: string; isDeleted: boolean },
): PastFailoverView {
  const left = outage.left.size
  const end = message(isDeleted ? 'failover.ended.unjoined' : 'failover.ended.ready')
  return {
    id: `${cluster} ${outage.since}`,
    kind: 'cluster',
    cluster,
    unhealthySince: outage.since,
    endedAt: at,
    workloads: left,
    reason: outage.ready.reason,
    hasGap: outage.hasGap,
    kept: false,
    state: say(isDeleted ? 'warn' : 'ok', message('failover.ended.withEvictions', { end, workloads: left })),
  }
}

function pastFailover(failover: OpenFailover, at: string): PastFailoverView {
  const { workload, cluster, task, unhealthySince, evictedAt, replacedAt, before, after, hasGap } = failover
  const ref = parseWorkloadId(workload)
  return {
    id: `${workload} ${cluster} ${evictedAt}`,
    kind: 'workload',
    workload,
    ...(ref && { ref }),
    cluster,
    ...(unhealthySince && { unhealthySince }),
    evictedAt,
    ...(replacedAt && { replacedAt }),
    endedAt: at,
    producer: task.producer,
    ...(task.causes && { causes: task.causes }),
    reason: task.reason,
    ...(task.purgeMode && { purgeMode: task.purgeMode }),
    ...(task.replicas !== undefined && { replicas: task.replicas }),
    ...(before && { before }),
    ...(after && { after }),
    hasGap,
    kept: task.suppressDeletion !== undefined,
    state: endOf(failover, at),
  }
}

/** Returns why a task ended, from its last known state. */
function endOf({ task, replacedAt, after }: OpenFailover, at: string) {
  if (after?.length === 0) return say('fail', message('failover.ended.unplaced'))
  if (task.suppressDeletion !== undefined) return say('ok', message('failover.ended.released'))
  if (task.purgeMode === 'Directly') return say('ok', message('failover.ended.directly'))
  if (replacedAt !== undefined) return say('ok', message('failover.ended.replaced'))
  const { createdAt, gracePeriodSeconds } = task
  const isOver =
    createdAt !== undefined
    && gracePeriodSeconds !== undefined
    && parseTime(createdAt) + gracePeriodSeconds * 1000 <= parseTime(at)
  return isOver ? say('warn', message('failover.ended.graceOver')) : say('ok', message('failover.ended.removed'))
}

const keyOf = (workload: string, cluster: string): string => `${workload} ${cluster}`

function earliest(time: string, other: string | undefined): string {
  return other !== undefined && parseTime(other) < parseTime(time) ? other : time
}
