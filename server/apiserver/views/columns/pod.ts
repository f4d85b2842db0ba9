/** The columns of a pod: its state is worked out from phase, conditions and containers. */
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { ageOf } from '../age'
import { age, type Column, textColumn } from './column'
import { array, at, NONE, text } from './reading'

type Fields = Record<string, unknown>

function containersOf(pod: UnknownObject): Fields[] {
  return array(at(pod, 'status.containerStatuses'))
}

function readyOf(pod: UnknownObject): string {
  const ready = containersOf(pod).filter((status) => status.ready === true).length
  return `${ready}/${array(at(pod, 'spec.containers')).length}`
}

/** The status column of a pod in kubectl. */
function stateOf(pod: UnknownObject): string {
  const state =
    initState(pod)
    ?? containerState(pod)
    ?? gateState(pod)
    ?? text(at(pod, 'status.reason') ?? at(pod, 'status.phase'), '')
  if (!pod.metadata.deletionTimestamp) return state
  const phase = at(pod, 'status.phase')
  if (at(pod, 'status.reason') === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? state : 'Terminating'
}

function gateState(pod: UnknownObject): string | undefined {
  const scheduled = array(at(pod, 'status.conditions')).find((condition) => condition.type === 'PodScheduled')
  return scheduled?.reason === 'SchedulingGated' ? 'SchedulingGated' : undefined
}

function initState(pod: UnknownObject): string | undefined {
  const statuses = array(at(pod, 'status.initContainerStatuses'))
  const pending = statuses.findIndex((status) => at(status, 'state.terminated.exitCode') !== 0)
  if (pending < 0) return undefined
  const status = statuses[pending] as Fields
  const reason = at(status, 'state.waiting.reason') ?? at(status, 'state.terminated.reason')
  if (typeof reason === 'string' && reason !== 'PodInitializing') return `Init:${reason}`
  return `Init:${pending}/${array(at(pod, 'spec.initContainers')).length}`
}

function containerState(pod: UnknownObject): string | undefined {
  const states = containersOf(pod)
    .toReversed()
    .map((status) => ({
      reason: at(status, 'state.waiting.reason') ?? at(status, 'state.terminated.reason'),
      exit: at(status, 'state.terminated.exitCode'),
      running: at(status, 'state.running') !== undefined && status.ready === true,
    }))
  const last = states.findLast(({ reason, exit }) => reason !== undefined || exit !== undefined)
  if (!last) return undefined
  if (last.reason === 'Completed' && states.some((state) => state.running)) return 'Running'
  return typeof last.reason === 'string' ? last.reason : `ExitCode:${String(last.exit)}`
}

function restartsOf(pod: UnknownObject, now: number): string {
  const restarts = containersOf(pod).reduce((sum, status) => sum + Number(status.restartCount ?? 0), 0)
  const ends = containersOf(pod)
    .map((status) => at(status, 'lastState.terminated.finishedAt'))
    .filter((end) => typeof end === 'string')
  const last = Math.max(...ends.map(parseTime))
  return restarts > 0 && Number.isFinite(last) ? `${restarts} (${ageOf(last, now)} ago)` : String(restarts)
}

function gatesOf(pod: UnknownObject): string {
  const gates = array(at(pod, 'spec.readinessGates'))
  if (gates.length === 0) return NONE
  const conditions = array(at(pod, 'status.conditions'))
  const met = gates.filter((gate) => conditions.some((one) => one.type === gate.conditionType && one.status === 'True'))
  return `${met.length}/${gates.length}`
}

export const podColumns: readonly Column[] = [
  textColumn('Ready', readyOf),
  textColumn('Status', stateOf),
  textColumn('Restarts', restartsOf),
  age,
  textColumn('IP', (pod) => text(at(pod, 'status.podIP')), 1),
  textColumn('Node', (pod) => text(at(pod, 'spec.nodeName')), 1),
  textColumn('Nominated Node', (pod) => text(at(pod, 'status.nominatedNodeName')), 1),
  textColumn('Readiness Gates', gatesOf, 1),
]
