/** The state of a whole workload, with the sentence that explains it. The first rule that applies decides. */
import { joinWords } from '@/lib/format/numbers'
import { english } from '@/lib/messages/english'
import type { HeldView } from '../held-model'
import type { CellView, ReplicaCounts, State, StateView } from '../model'
import {
  type AnyBinding, conditionView, hasReplicas, isReschedulePending, isSchedulerBehind,
} from './binding-facts'
import { say } from './say'

export interface WorkloadStateSnapshot {
  binding: AnyBinding
  cells: readonly CellView[]
  /** Of all clusters together. */
  counts: ReplicaCounts
  /** What keeps it back, where that is known. */
  held?: HeldView | undefined
}

type Rule = (snapshot: WorkloadStateSnapshot) => StateView | undefined

const RULES: readonly Rule[] = [beingDeleted, heldBack, notScheduled, stillScheduling, evicting, dispatchHeld, byCells]

/** What is to be said of a workload. Never better than its worst part. */
export function workloadState(snapshot: WorkloadStateSnapshot): StateView {
  for (const rule of RULES) {
    const state = rule(snapshot)
    if (state) return state
  }
  return healthy(snapshot)
}

function beingDeleted({ binding }: WorkloadStateSnapshot): StateView | undefined {
  return binding.metadata.deletionTimestamp ? say('active', 'Being deleted') : undefined
}

function heldBack({ binding, held }: WorkloadStateSnapshot): StateView | undefined {
  if (binding.spec.suspension?.scheduling !== true) return undefined
  if (!binding.spec.clusters?.length)
    return say('held', held?.sentence ?? 'Scheduling is suspended; it runs nowhere yet')
  const waits = isReschedulePending(binding) || isSchedulerBehind(binding)
  return say('held', `Scheduling is suspended; ${waits ? 'a change waits' : 'it stays where it is'}`)
}

/** A binding without placement is there only because something depends on it; the scheduler leaves it alone. */
const isScheduled = ({ spec }: AnyBinding): boolean => spec.placement !== undefined

function notScheduled({ binding }: WorkloadStateSnapshot): StateView | undefined {
  const scheduled = conditionView(binding.status?.conditions, 'Scheduled')
  if (!isScheduled(binding) || scheduled?.status !== 'False') return undefined
  return say('fail', `Not scheduled: ${scheduled.message || scheduled.reason}`)
}

function stillScheduling({ binding }: WorkloadStateSnapshot): StateView | undefined {
  if (!isScheduled(binding)) return undefined
  if (isReschedulePending(binding)) return say('active', 'A reschedule was asked for and is not done yet')
  if (!conditionView(binding.status?.conditions, 'Scheduled')) return say('active', 'Waiting for the scheduler')
  return isSchedulerBehind(binding) ? say('active', 'The scheduler has not yet seen the latest change') : undefined
}

function evicting({ cells }: WorkloadStateSnapshot): StateView | undefined {
  const from = cells
    .filter((cell) => cell.role === 'evicting' && cell.state.state === 'active')
    .map((cell) => cell.cluster)
  return from.length > 0 ? say('active', `Being evicted from ${joinWords(from, 3)}`) : undefined
}

function dispatchHeld({ binding }: WorkloadStateSnapshot): StateView | undefined {
  if (binding.spec.suspension?.dispatching !== true) return undefined
  return say('held', 'Dispatching to every cluster is suspended')
}

/** In the order in which they decide; a silent cluster is a matter for attention. */
const CELL_STATES: readonly (readonly [State, State])[] = [
  ['fail', 'fail'], ['active', 'active'], ['warn', 'warn'], ['unknown', 'warn'], ['held', 'held'],
]

function byCells({ cells }: WorkloadStateSnapshot): StateView | undefined {
  const wanted = cells.filter((cell) => !isLeftover(cell))
  for (const [cellState, state] of CELL_STATES) {
    const reasons = wanted.filter((cell) => cell.state.state === cellState).map((cell) => english.of(cell.state.reason))
    if (reasons.length > 0) return { state, reason: capitalised(joinWords(reasons, 2)) }
  }
  return undefined
}

/** A copy that a silent cluster cannot be told to remove: seen to when the cluster is back, and nothing lacks it. */
const isLeftover = (cell: CellView): boolean => cell.role === 'leaving' && cell.state.state === 'unknown'

function healthy({ binding, cells, counts: { desired, ready, unknown = 0 } }: WorkloadStateSnapshot): StateView {
  const [leftovers, others] = [cells.filter(isLeftover), cells.filter((cell) => !isLeftover(cell))]
  const where = joinWords(others.map((cell) => cell.cluster), 3)
  const notes = leftovers.map((cell) => `; ${english.of(cell.state.reason)}`).join('')
  if (others.length === 0) return nowhere(binding, desired)
  if (!hasReplicas(binding)) return say('ok', `Healthy in ${where}${following(binding)}${notes}`)
  if (unknown > 0) return say('ok', `Healthy in ${where}; ready replicas are not reported${notes}`)
  if (ready < desired) return say('warn', `${desired - ready} of ${desired} short: no cluster has them${notes}`)
  return say('ok', `All ${desired} ready in ${where}${notes}`)
}

/** Whom a binding follows that is there only because they need it. */
function following(binding: AnyBinding): string {
  const { spec: { requiredBy = [] }, metadata } = binding
  if (isScheduled(binding) || requiredBy.length === 0) return ''
  const names = requiredBy.map(({ namespace = metadata.namespace, name }) =>
    [namespace, name].filter(Boolean).join('/'),
  )
  return `, follows ${joinWords(names, 2)}`
}

function nowhere(binding: AnyBinding, desired: number): StateView {
  if (hasReplicas(binding) && desired === 0) return say('ok', 'Scaled to zero')
  return isScheduled(binding) ? say('warn', 'In no cluster') : say('ok', 'Nothing depends on it at present')
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
