/** The columns of a pod: its state is worked out from phase, conditions and containers. */
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { ageOf } from '../age'
import { age, type Column, textColumn } from './column'
import { array, at, NONE, text } from './reading'

type Fields = Record<string, unknown>

const containersOf = (pod: UnknownObject): Fields[] => array(at(pod, 'status.containerStatuses'))
const startersOf = (pod: UnknownObject): Fields[] => array(at(pod, 'status.initContainerStatuses'))

/** The names of the init containers that stay beside the others. */
function stayingIn(pod: UnknownObject): ReadonlySet<unknown> {
  const starters = array(at(pod, 'spec.initContainers'))
  return new Set(starters.filter((container) => container.restartPolicy === 'Always').map(({ name }) => name))
}

const isDone = (status: Fields): boolean => at(status, 'state.terminated.exitCode') === 0

/** Where the start of a pod stands: the first init container that is neither done nor there to stay. */
function pendingStart(pod: UnknownObject): number {
  const staying = stayingIn(pod)
  return startersOf(pod).findIndex(
    (status) => !isDone(status) && !(staying.has(status.name) && status.started === true),
  )
}

/** True once its own containers run. */
function hasStarted(pod: UnknownObject): boolean {
  return pendingStart(pod) < 0 || holds(pod, 'Initialized')
}

function holds(pod: UnknownObject, type: string): boolean {
  return array(at(pod, 'status.conditions')).some((one) => one.type === type && one.status === 'True')
}

const isReady = (status: Fields): boolean =>
  status.ready === true
  && at(status, 'state.running') !== undefined
  && !at(status, 'state.waiting.reason')
  && at(status, 'state.terminated') === undefined

function readyOf(pod: UnknownObject): string {
  const staying = stayingIn(pod)
  const [pending, starters] = [pendingStart(pod), startersOf(pod)]
  const beside = (pending < 0 ? starters : starters.slice(0, pending)).filter(
    (status) => staying.has(status.name) && !isDone(status) && status.ready === true,
  )
  const own = hasStarted(pod) ? containersOf(pod).filter(isReady) : []
  return `${beside.length + own.length}/${array(at(pod, 'spec.containers')).length + staying.size}`
}

/** The status column of a pod in kubectl. */
function stateOf(pod: UnknownObject): string {
  const phase = at(pod, 'status.phase')
  const before = initState(pod) ?? gateState(pod) ?? text(at(pod, 'status.reason') ?? phase, '')
  const state = hasStarted(pod) ? containerState(pod, before) : before
  if (!pod.metadata.deletionTimestamp) return state
  if (at(pod, 'status.reason') === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? state : 'Terminating'
}

function gateState(pod: UnknownObject): string | undefined {
  const scheduled = array(at(pod, 'status.conditions')).find((condition) => condition.type === 'PodScheduled')
  return scheduled?.reason === 'SchedulingGated' ? 'SchedulingGated' : undefined
}

function initState(pod: UnknownObject): string | undefined {
  const pending = pendingStart(pod)
  if (pending < 0) return undefined
  const status = startersOf(pod)[pending] as Fields
  if (at(status, 'state.terminated') !== undefined) return `Init:${endOf(status)}`
  const reason = text(at(status, 'state.waiting.reason'), '')
  if (reason !== '' && reason !== 'PodInitializing') return `Init:${reason}`
  return `Init:${pending}/${array(at(pod, 'spec.initContainers')).length}`
}

/** Why a container ended. */
function endOf(status: Fields): string {
  const { reason, signal, exitCode } = (at(status, 'state.terminated') ?? {}) as Fields
  if (typeof reason === 'string' && reason !== '') return reason
  return signal ? `Signal:${String(signal)}` : `ExitCode:${String(exitCode ?? 0)}`
}

/** What the first of its containers says that says something; `before` if none does. */
function containerState(pod: UnknownObject, before: string): string {
  const statuses = containersOf(pod)
  const told = statuses.flatMap((status) => {
    const waiting = text(at(status, 'state.waiting.reason'), '')
    if (waiting !== '') return [{ reason: waiting, failed: false }]
    if (at(status, 'state.terminated') === undefined) return []
    return [{ reason: endOf(status), failed: !isDone(status) }]
  })
  const reason = told[0]?.reason ?? before
  if (reason !== 'Completed') return reason
  const runs = statuses.some(isReady)
  if (runs && holds(pod, 'Ready')) return 'Running'
  return told.find(({ failed }) => failed)?.reason ?? (runs ? 'NotReady' : reason)
}

function restartsOf(pod: UnknownObject, now: number): string {
  const staying = stayingIn(pod)
  const [pending, starters] = [pendingStart(pod), startersOf(pod)]
  const begun = pending < 0 ? starters : starters.slice(0, pending + 1)
  const counted = hasStarted(pod) ? [...begun.filter(({ name }) => staying.has(name)), ...containersOf(pod)] : begun
  const restarts = counted.reduce((sum, status) => sum + Number(status.restartCount ?? 0), 0)
  const ends = counted
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
