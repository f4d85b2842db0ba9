/**
 * Drift: how many replicas of a workload run elsewhere than a fresh assignment would place them now. Equal to the
 * number in the rebalance preview without changes that are not worth a move, so that it does not change with every pod
 * that starts.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { strategyOf } from '../division'
import {
  type Binding,
  decideReschedule,
  defaultProfile,
  type PlacementRun,
  type SchedulerProfile,
  snapshotOf,
} from '../placement'
import { planFresh } from './plan-rebalance'
import { totalReplicas } from './readiness'
import { workloadOf } from './select'

export interface DriftSnapshot {
  /** Pass the same array while nothing changes, because derived values are cached by it. See `settleClusters`. */
  clusters: readonly Cluster[]
  profile?: SchedulerProfile
}

/** For dynamic weights, a move counts from this share of the replicas. */
const MIN_SHARE = 0.05
/**
 * Minimum decrease of the sum of squared distances from the ideal shares, per moved replica. It is 2 for a whole
 * surplus replica that moves to where one is missing, and almost 0 if only the rounding differs.
 */
const MIN_GAIN = 1
/** Among clusters that are equally good for the policy, another one must have this many times the free capacity. */
const MORE_ROOM = 1.1
/** Existing drift remains until it is below the thresholds by this factor. */
const STAYS = 0.5

/**
 * Returns the replicas that a rebalance would move. 0: the workload runs as its policy requires, the scheduler has not
 * finished with it, or it would not be moved (suspended, no cluster fits, it would lose replicas).
 *
 * Weights by free capacity change with every pod, so only clear differences count: a cluster no longer fits; at least 5
 * % of the replicas would move and come closer to their ideal shares than rounding explains; fewer clusters suffice
 * (Aggregated); or clusters of equal merit have 10 % more free capacity. `known`, the previous drift, adds hysteresis
 * near a threshold.
 */
export function driftOf(binding: Binding, snapshot: DriftSnapshot, known = 0): number {
  if (isInTheHandsOfTheScheduler(binding, snapshot)) return 0
  const { plan, verdict } = planFresh(workloadOf(binding), binding, snapshot)
  const run = verdict?.attempts.at(-1)?.run
  if (plan.verdict !== 'moves' || !run) return 0
  return isWorthMoving({ ...plan, run, known, strategy: strategyOf(binding.spec.placement ?? {}) }) ? plan.moved : 0
}

/** Reports whether the scheduler still has to process the binding; the difference is then not drift. */
function isInTheHandsOfTheScheduler(binding: Binding, { clusters, profile = defaultProfile }: DriftSnapshot): boolean {
  const decision = decideReschedule(binding, snapshotOf(clusters), profile)
  // These paths are always pending.
  return decision.act !== 'leave' && !('path' in decision && ['duplicated', 'nonWorkload'].includes(decision.path))
}

interface Change {
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  moved: number
  run: PlacementRun
  known: number
  strategy: ReturnType<typeof strategyOf>
}

function isWorthMoving(change: Change): boolean {
  const { before, run, strategy } = change
  const [fitting, selected] = [run.candidates, run.selected].map((list) => new Set(list.map(({ name }) => name)))
  if (before.some(({ name }) => !fitting!.has(name))) return true
  const weights = new Map(run.weights.map(({ cluster, replicas }) => [cluster.name, replicas]))
  if (strategy === 'Duplicated' || strategy === 'StaticWeight') {
    return before.every(({ name }) => selected!.has(name)) || hasMoreCapacity(change)
  }
  // Overflow tiers are filled one after the other, so there is no ideal share over all of them.
  if (new Set(run.selected.map(({ overflowOrder }) => overflowOrder)).size > 1) return true
  return before.every(({ name }) => weights.has(name)) ? isCloserToPolicy(change, weights) : hasMoreCapacity(change)
}

/** Compares both distributions with shares in exact proportion to the weights. */
function isCloserToPolicy({ before, after, moved, known }: Change, weights: ReadonlyMap<string, number>): boolean {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const replicas = totalReplicas(after)
  if (total <= 0) return true
  const distance = (list: readonly TargetCluster[]): number => {
    const has = new Map(list.map(({ name, replicas: count = 0 }) => [name, count]))
    return [...weights].reduce(
      (sum, [name, weight]) => sum + ((has.get(name) ?? 0) - (replicas * weight) / total) ** 2,
      0,
    )
  }
  const ease = known > 0 ? STAYS : 1
  return moved >= replicas * MIN_SHARE * ease && distance(before) - distance(after) >= moved * MIN_GAIN * ease
}

/** Reports whether the number of clusters differs, or the new clusters have clearly more free capacity. */
function hasMoreCapacity({ before, after, run, known }: Change): boolean {
  if (before.length !== after.length) return true
  const rooms = new Map(run.candidates.map(({ name, availableReplicas }) => [name, availableReplicas]))
  const roomOf = (list: readonly TargetCluster[]): number =>
    list.reduce((sum, { name }) => sum + (rooms.get(name) ?? 0), 0)
  return roomOf(after) >= roomOf(before) * (known > 0 ? 1 : MORE_ROOM)
}
