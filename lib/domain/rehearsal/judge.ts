/** Judges a rehearsal: each assertion with its evidence. */
import { amountOf } from '../plan'
import { message, type Message } from '../../messages/message'
import {
  type Budget,
  type ClusterPoint,
  type RehearsalRecord,
  type Span,
  spansWhere,
  type WorkloadId,
  type WorkloadPoint,
  type WorkloadRecord,
} from './record'
import type { Assertion, AssertionKind, WorkloadChoice } from './scenario'

/** One breach: subject, time, duration and extent. */
export interface Evidence {
  workload?: WorkloadId
  cluster?: string
  atMs: number
  forMs: number
  message: Message
}

export interface Limit {
  timeMs?: number
  share?: number
  replicas?: number
}

export interface AssertionVerdict {
  name: string
  kind: AssertionKind
  passed: boolean
  /** The limit of the assertion, if it has one. */
  limit?: Limit
  /** Number of workloads or clusters judged. */
  judged: number
  /** Total number of breaches; `evidence` has the first of them. */
  breaches: number
  evidence: readonly Evidence[]
}

export interface Verdict {
  passed: boolean
  assertions: readonly AssertionVerdict[]
}

const MAX_EVIDENCE = 100

/** Judges a record. Deterministic. */
export function judge(record: RehearsalRecord, assertions: readonly Assertion[]): Verdict {
  const verdicts = assertions.map((assertion): AssertionVerdict => {
    const { judged, evidence } = outcomeOf(record, assertion)
    const limit = limitOf(assertion)
    const sorted = evidence.toSorted((a, b) => a.atMs - b.atMs || compare(subjectOf(a), subjectOf(b)))
    return {
      name: assertion.name,
      kind: assertion.kind,
      passed: sorted.length === 0,
      ...(limit && { limit }),
      judged,
      breaches: sorted.length,
      evidence: sorted.slice(0, MAX_EVIDENCE),
    }
  })
  return { passed: verdicts.every(({ passed }) => passed), assertions: verdicts }
}

function limitOf({ kind, given }: Assertion): Limit | undefined {
  switch (kind) {
    case 'recoverWithin':
      return { timeMs: given.time }
    case 'maxLoad':
      return { share: given.share }
    case 'keepReady':
      return given.replicas === undefined ? { share: given.share ?? 1 } : { replicas: given.replicas }
    default:
      return undefined
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const subjectOf = ({ workload, cluster = '' }: Evidence): string =>
  workload ? `${workload.namespace}/${workload.name}/${workload.kind}` : cluster

interface Outcome {
  judged: number
  evidence: readonly Evidence[]
}

function outcomeOf(record: RehearsalRecord, assertion: Assertion): Outcome {
  const { kind, given } = assertion
  switch (kind) {
    case 'maxLoad':
      return maxLoad(record, given)
    case 'keepBudgets':
      return eachWorkload(record, given, (one) => belowBudgets(one, record.durationMs))
    case 'keepReady':
      return eachWorkload(record, given, (one) => belowReady(one, record.durationMs, given))
    case 'recoverWithin':
      return eachWorkload(record, given, (one) => slowRecoveries(one, record.durationMs, given.time))
    case 'nothingDeletedEverywhere':
      return eachWorkload(record, given, (one) => deletions(one, record.durationMs))
  }
}

/** Reports whether a choice includes a workload; an empty one includes all. */
export function includes({ workloads, namespaces }: WorkloadChoice, { namespace, name }: WorkloadId): boolean {
  if (!workloads && !namespaces) return true
  return Boolean(workloads?.includes(`${namespace}/${name}`) ?? false) || Boolean(namespaces?.includes(namespace))
}

/** `look` returns undefined for a workload to which the assertion does not apply. */
function eachWorkload(
  { workloads }: RehearsalRecord,
  choice: WorkloadChoice,
  look: (record: WorkloadRecord) => readonly Evidence[] | undefined,
): Outcome {
  const found = workloads.filter(({ workload }) => includes(choice, workload)).map(look)
  const judged = found.filter((one) => one !== undefined)
  return { judged: judged.length, evidence: judged.flat() }
}

/** Returns the fewest ready pods that a budget permits. Pods that were missing before the rehearsal do not count. */
export function budgetFloor(
  { minAvailable, maxUnavailable }: Omit<Budget, 'name'>,
  { desired, readyBefore }: { desired: number; readyBefore: number },
): number {
  const floor =
    minAvailable === undefined
      ? desired - (amountOf(maxUnavailable ?? 0, desired) ?? 0)
      : (amountOf(minAvailable, desired) ?? desired)
  return Math.max(0, Math.min(floor, readyBefore))
}

function belowBudgets({ workload, budgets, points }: WorkloadRecord, durationMs: number): Evidence[] | undefined {
  if (budgets.length === 0) return undefined
  const readyBefore = points[0]?.ready ?? 0
  return budgets.flatMap((budget) => {
    const floorAt = ({ desired }: WorkloadPoint): number => budgetFloor(budget, { desired, readyBefore })
    return spansWhere(points, durationMs, (point) => point.ready < floorAt(point)).map((span) => {
      const { ready, floor } = worstOf(span, floorAt)
      const args = { budget: budget.name, ready, floor, time: { ms: lengthOf(span) } }
      return evidenceOf(workload, span, message('rehearsal.breach.budget', args))
    })
  })
}

function belowReady(
  { workload, points }: WorkloadRecord,
  durationMs: number,
  { replicas, share = 1 }: { replicas?: number | undefined; share?: number | undefined },
): Evidence[] {
  const floorAt = ({ desired }: WorkloadPoint): number => replicas ?? Math.ceil(desired * share)
  return spansWhere(points, durationMs, (point) => point.ready < floorAt(point)).map((span) => {
    const { ready, floor } = worstOf(span, floorAt)
    return evidenceOf(workload, span, message('rehearsal.breach.ready', { ready, floor, time: { ms: lengthOf(span) } }))
  })
}

/**
 * Counts from the first time that all replicas of the workload were ready: waiting in a queue is not an outage. A
 * workload that was never complete is not judged.
 */
function slowRecoveries(
  { workload, points }: WorkloadRecord,
  durationMs: number,
  limitMs: number,
): Evidence[] | undefined {
  const first = points.findIndex(({ ready, desired }) => ready >= desired)
  if (first < 0) return undefined
  return spansWhere(points.slice(first), durationMs, ({ ready, desired }) => ready < desired).flatMap((span) => {
    const time = lengthOf(span)
    if (!span.isOpen && time <= limitMs) return []
    const { ready, floor } = worstOf(span, ({ desired }) => desired)
    const args = { ready, desired: floor, time: { ms: time }, limit: { ms: limitMs } }
    const told = span.isOpen ? message('rehearsal.breach.notRecovered', args) : message('rehearsal.breach.slow', args)
    return [evidenceOf(workload, span, told)]
  })
}

function deletions({ workload, points }: WorkloadRecord, durationMs: number): Evidence[] {
  const first = points.findIndex(({ clusters }) => clusters > 0)
  if (first < 0) return []
  const spans = spansWhere(points.slice(first), durationMs, ({ clusters, desired }) => clusters === 0 && desired > 0)
  return spans.map((span) =>
    evidenceOf(workload, span, message('rehearsal.breach.deleted', { time: { ms: lengthOf(span) } })),
  )
}

function maxLoad(
  { clusters, durationMs }: RehearsalRecord,
  { clusters: chosen, share }: { clusters?: readonly string[] | undefined; share: number },
): Outcome {
  const judged = clusters.filter(({ cluster }) => chosen?.includes(cluster) ?? true)
  const evidence = judged.flatMap(({ cluster, points }) =>
    (['cpu', 'memory'] as const).flatMap((resource) =>
      spansWhere(points, durationMs, (point) => point.up && isAbove(point[resource], share)).map((span): Evidence => {
        const highest = Math.max(...span.points.map((point: ClusterPoint) => point[resource]))
        const time = lengthOf(span)
        const args = { resource, share: { share: highest }, limit: { share }, time: { ms: time } }
        return { cluster, atMs: span.fromMs, forMs: time, message: message('rehearsal.breach.load', args) }
      }),
    ),
  )
  return { judged: judged.length, evidence }
}

/** Sums of quantities have rounding errors. */
const isAbove = (load: number, limit: number): boolean => load > limit + 1e-9

const lengthOf = ({ fromMs, toMs }: Span<unknown>): number => toMs - fromMs

/** Returns the point of a span with the largest shortage. */
function worstOf(
  { points }: Span<WorkloadPoint>,
  floorAt: (point: WorkloadPoint) => number,
): { ready: number; floor: number } {
  const [worst] = points.toSorted((a, b) => floorAt(b) - b.ready - (floorAt(a) - a.ready))
  return { ready: worst?.ready ?? 0, floor: worst ? floorAt(worst) : 0 }
}

const evidenceOf = (workload: WorkloadId, span: Span<unknown>, told: Message): Evidence => ({
  workload,
  atMs: span.fromMs,
  forMs: lengthOf(span),
  message: told,
})
