/**
 * Remembers how placements changed while the console watched. The API holds only the present placement, so this is the
 * only place where the past one can be seen. In memory and bounded; it begins with the process.
 */
import { type Clock, formatTime, parseTime, type Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { ReplicasInCluster } from '@/lib/view/model'
import { type AnyBinding, isReschedulePending, placedReplicas } from '@/lib/view/project/binding-facts'
import type { PlacementChange, PlacementTrigger } from '@/lib/view/project/timeline'
import type { Change } from '@/server/kube/informer'
import { idOf, type World } from '../world/world'
import { Signal } from '../views/signal'

export interface JournalLimits {
  /** Workloads remembered; the one that changed longest ago is forgotten first. */
  workloads: number
  /** Changes remembered of one workload. */
  changes: number
}

const DEFAULT_LIMITS: JournalLimits = { workloads: 5000, changes: 50 }
const NONE: readonly PlacementChange[] = []

export class PlacementJournal {
  /** Told the id of each workload whose placement changed. */
  readonly touched = new Signal()
  /** In order of the last change. */
  readonly #changes = new Map<string, readonly PlacementChange[]>()
  readonly #clock: Clock
  readonly #limits: JournalLimits
  #stop: Stop | undefined

  constructor(clock: Clock, limits: JournalLimits = DEFAULT_LIMITS) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Begins to watch. What is placed already counts as known, not as a change. */
  start(world: World): void {
    this.#stop = world.onBindingChange((change) => this.#onBinding(change))
  }

  stop(): void {
    this.#stop?.()
  }

  /** Oldest first; the same array until the next change. */
  changesOf(id: string): readonly PlacementChange[] {
    return this.#changes.get(id) ?? NONE
  }

  /**
   * Where a workload was when a rebalance was asked for (RFC 3339), and where that put it; undefined when it was not
   * seen. Times have whole seconds, so a change in the very second counts as later.
   */
  rebalanceSince(id: string, time: string): { before: ReplicasInCluster[]; after: ReplicasInCluster[] } | undefined {
    const at = parseTime(time)
    return this.changesOf(id).find((change) => change.trigger === 'rebalance' && parseTime(change.at) >= at)
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type !== 'updated') return
    const before = placedReplicas(change.old)
    const after = placedReplicas(change.object)
    if (deepEqual(before, after)) return
    const trigger = triggerOf(change.old, change.object)
    this.#record(idOf(change.object), { at: formatTime(this.#clock.now()), before, after, trigger })
  }

  #record(id: string, change: PlacementChange): void {
    const changes = [...this.changesOf(id), change].slice(-this.#limits.changes)
    this.#changes.delete(id)
    this.#changes.set(id, changes)
    const [oldest] = this.#changes.keys()
    if (this.#changes.size > this.#limits.workloads && oldest !== undefined) this.#changes.delete(oldest)
    this.touched.emit(id)
  }
}

/** What made the placement change, by what changed with it or waited before it. */
export function triggerOf(old: AnyBinding, next: AnyBinding): PlacementTrigger {
  const triggered = old.spec.rescheduleTriggeredAt
  if (isReschedulePending(old) || next.spec.rescheduleTriggeredAt !== triggered) return 'rebalance'
  if (next.spec.gracefulEvictionTasks?.length) return 'failover'
  if (!old.status?.lastScheduledTime) return 'first placement'
  if (sumOf(old) !== sumOf(next)) return 'scaling'
  // A trigger of the very second of the last scheduling may have been served or not; the same sum tells that it was.
  return triggered === old.status.lastScheduledTime ? 'rebalance' : 'scheduling'
}

const sumOf = (binding: AnyBinding): number => placedReplicas(binding).reduce((sum, { replicas }) => sum + replicas, 0)
