/** The state of a workload, with the message that explains it. The first matching rule decides. */
import { message, type Message } from '@/lib/messages/message'
import { deepEqual } from '@/lib/std/equal'
import type { CellView, HeldView, ReplicaCounts, State, StateView } from '../model'
import { type AnyBinding, conditionView, hasReplicas, isReschedulePending, isSchedulerBehind } from './binding-facts'
import { firstOf, say, notify } from './say'

export interface WorkloadStateSnapshot {
  binding: AnyBinding
  cells: readonly CellView[]
  /** Totals over all clusters. */
  counts: ReplicaCounts
  /** Why it is not scheduled, if known. */
  held?: HeldView | undefined
}

type Rule = (snapshot: WorkloadStateSnapshot) => StateView | undefined

const RULES: readonly Rule[] = [beingDeleted, heldBack, notScheduled, stillScheduling, evicting, dispatchHeld, byCells]

/** Returns the state of a workload. Never better than that of its worst part. */
export function workloadState(snapshot: WorkloadStateSnapshot): StateView {
  for (const rule of RULES) {
    const state = rule(snapshot)
    if (state) return state
  }
  return healthy(snapshot)
}

function beingDeleted({ binding }: WorkloadStateSnapshot): StateView | undefined {
  return binding.metadata.deletionTimestamp ? notify('active', 'workload.state.deleting') : undefined
}

function heldBack({ binding, held }: WorkloadStateSnapshot): StateView | undefined {
  if (binding.spec.suspension?.scheduling !== true) return undefined
  if (!binding.spec.clusters?.length) return say('held', held?.message ?? message('workload.state.suspendedUnplaced'))
  const isPending = isReschedulePending(binding) || isSchedulerBehind(binding)
  return notify('held', isPending ? 'workload.state.suspendedPending' : 'workload.state.suspended')
}

/** A binding without placement exists only as a dependency; the scheduler ignores it. */
const isScheduled = ({ spec }: AnyBinding): boolean => spec.placement !== undefined

function notScheduled({ binding }: WorkloadStateSnapshot): StateView | undefined {
  const scheduled = conditionView(binding.status?.conditions, 'Scheduled')
  if (!isScheduled(binding) || scheduled?.status !== 'False') return undefined
  return notify('fail', 'workload.state.notScheduled', { why: scheduled.message || scheduled.reason })
}

function stillScheduling({ binding }: WorkloadStateSnapshot): StateView | undefined {
  if (!isScheduled(binding)) return undefined
  if (isReschedulePending(binding)) return notify('active', 'workload.state.reschedulePending')
  if (!conditionView(binding.status?.conditions, 'Scheduled'))
    return notify('active', 'workload.state.waitingForScheduler')
  return isSchedulerBehind(binding) ? notify('active', 'workload.state.schedulerBehind') : undefined
}

function evicting({ cells }: WorkloadStateSnapshot): StateView | undefined {
  const from = cells
    .filter((cell) => cell.role === 'evicting' && cell.state.state === 'active')
    .map((cell) => cell.cluster)
  return from.length > 0 ? notify('active', 'workload.state.evicting', { clusters: firstOf(from, 3) }) : undefined
}

function dispatchHeld({ binding }: WorkloadStateSnapshot): StateView | undefined {
  if (binding.spec.suspension?.dispatching !== true) return undefined
  return notify('held', 'workload.state.dispatchSuspended')
}

/** Cell states in the order in which they decide; an unknown state counts as a warning. */
const CELL_STATES: readonly (readonly [State, State])[] = [
  ['fail', 'fail'],
  ['active', 'active'],
  ['warn', 'warn'],
  ['unknown', 'warn'],
  ['held', 'held'],
]

function byCells({ cells }: WorkloadStateSnapshot): StateView | undefined {
  const wanted = cells.filter((cell) => !isLeftover(cell))
  for (const [cellState, state] of CELL_STATES) {
    const [first, ...others] = wanted.filter((cell) => cell.state.state === cellState)
    if (first) return say(state, inClusters(first, others))
  }
  return undefined
}

/** Names the reason once if it is the same for all cells, as usual; otherwise those of the first two. */
function inClusters(first: CellView, others: readonly CellView[]): Message {
  const [second, ...rest] = others
  if (second === undefined) return inCluster(first)
  const { reason } = first.state
  const isShared = others.every(({ state }) => deepEqual(state.reason, reason))
  if (!isShared) {
    return message('workload.state.twoClusters', {
      first: inCluster(first),
      second: inCluster(second),
      more: rest.length,
    })
  }
  const clusters = [first, ...others].map(({ cluster }) => cluster)
  return message('common.inCluster', { cluster: firstOf(clusters, 3), reason })
}

const inCluster = ({ cluster, state: { reason } }: CellView): Message =>
  message('common.inCluster', { cluster, reason })

/**
 * Reports whether the cell is an old copy in a cluster that does not respond; it is removed when the cluster recovers,
 * and nothing is missing.
 */
const isLeftover = (cell: CellView): boolean => cell.role === 'leaving' && cell.state.state === 'unknown'

/** Shared objects, because most workloads of a list have the same state. */
const READY = notify('ok', 'workload.state.ready')
const HEALTHY = notify('ok', 'workload.cell.healthy')

function healthy(snapshot: WorkloadStateSnapshot): StateView {
  const leftovers = snapshot.cells.filter(isLeftover).map(({ cluster }) => cluster)
  if (leftovers.length === snapshot.cells.length) return nowhere(snapshot)
  const { state, reason } = healthyWhereWanted(snapshot)
  if (leftovers.length === 0) return { state, reason }
  return notify(state, 'workload.state.withOldReplicas', { reason, clusters: firstOf(leftovers, 3) })
}

function healthyWhereWanted({ binding, counts: { desired, ready, unknown = 0 } }: WorkloadStateSnapshot): StateView {
  if (!hasReplicas(binding)) return following(binding) ?? HEALTHY
  if (unknown > 0) return notify('ok', 'workload.cell.readyUnreported')
  return ready < desired ? notify('warn', 'workload.state.short', { n: desired - ready }) : READY
}

/** Names the workloads that a binding depends on, if it exists only as their dependency. */
function following(binding: AnyBinding): StateView | undefined {
  const {
    spec: { requiredBy = [] },
    metadata,
  } = binding
  if (isScheduled(binding) || requiredBy.length === 0) return undefined
  const names = requiredBy.map(({ namespace = metadata.namespace, name }) =>
    [namespace, name].filter(Boolean).join('/'),
  )
  return notify('ok', 'workload.state.following', { workloads: firstOf(names, 2) })
}

function nowhere({ binding, counts: { desired } }: WorkloadStateSnapshot): StateView {
  if (hasReplicas(binding) && desired === 0) return notify('ok', 'workload.state.scaledToZero')
  return isScheduled(binding) ? notify('warn', 'workload.state.inNoCluster') : notify('ok', 'workload.state.unused')
}
