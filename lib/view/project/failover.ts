/** Failovers that run: their stages with times, what they wait for, and what may be done. */
import { formatNumberOf, joinWords } from '@/lib/format/numbers'
import { formatReplicas } from '@/lib/format/words'
import type { FailoverStage, Failover } from '@/lib/domain/failover'
import { isoTime, parseTime } from '@/lib/std/clock'
import { english } from '@/lib/messages/english'
import type { State, StateView } from '../model'
import { formatDuration } from '@/lib/format/durations'
import type { FailoverAction, FailoverStepView, FailoverView, IncidentView } from '../failover-model'
import { workloadId } from '../workload-id'
import type { OpenFailover } from './past-failovers'
import { say } from './say'

/** The stages in their order. */
export const FAILOVER_STAGES: readonly FailoverStage[] = ['unhealthy', 'toleration', 'evicting', 'replaced', 'done']

export interface FailoverFacts {
  failover: Failover
  /** What the journal saw of the eviction. */
  open?: OpenFailover | undefined
  /** Since when the workload is unhealthy there or the cluster not ready, as the journal saw it; RFC 3339. */
  failingSince?: string | undefined
  /** Why it is still there, in the words of `blockersOf`. */
  reason?: string | undefined
}

/** The row of one workload in one cluster. */
export function projectFailover(facts: FailoverFacts): FailoverView {
  const { failover, open } = facts
  const { cluster, cause, stage, deadline, producer, reason, purgeMode, kept, replicas, successors, blockedUntil } =
    failover
  const workload = workloadId(failover.resource)
  const steps = stepsOf(facts)
  const began = steps.find(({ at }) => at !== undefined)?.at
  return {
    id: `failover ${workload} ${cluster}`, kind: 'workload', cluster, workload, ref: failover.resource, cause, stage, kept,
    state: stateOf(facts), steps, ...(began !== undefined && { since: began }),
    ...(deadline && { deadline: { at: isoTime(deadline.at), meaning: deadline.meaning } }),
    ...(producer && { producer }), ...(open?.task.causes && { causes: open.task.causes }), ...(reason && { reason }), ...(purgeMode && { purgeMode }),
    ...(replicas !== undefined && { replicas }), ...(open?.before && { before: open.before }),
    successors: [...successors],
    ...(blockedUntil !== undefined && { blockedUntil: blockedUntil === Infinity ? 'for ever' : isoTime(blockedUntil) }),
    actions: actionsOf(failover),
  }
}

function actionsOf({ stage, kept, producer }: Failover): FailoverAction[] {
  if (producer === undefined) return stage === 'done' ? [] : ['evict']
  return kept ? ['release'] : ['keep']
}

/** No stage begins before the one that it follows: clocks differ, and API times have whole seconds. */
function stepsOf({ failover, open, failingSince }: FailoverFacts): FailoverStepView[] {
  const { stage, since, producer } = failover
  const began = since === undefined ? undefined : isoTime(since)
  const isOut = producer !== undefined
  const times: Partial<Record<FailoverStage, string | undefined>> = {
    unhealthy: open?.unhealthySince ?? failingSince ?? (isOut ? undefined : began),
    toleration: isOut || stage === 'unhealthy' ? undefined : began,
    evicting: isOut ? open?.evictedAt ?? began : undefined,
    replaced: stage === 'replaced' ? open?.replacedAt : undefined,
  }
  const reached = FAILOVER_STAGES.indexOf(stage)
  let latest = -Infinity
  return FAILOVER_STAGES.map((name, index) => {
    const time = times[name]
    if (time === undefined || index > reached) return { stage: name, state: stepState(index, reached, failover) }
    latest = Math.max(latest, parseTime(time))
    return { stage: name, state: stepState(index, reached, failover), at: isoTime(latest) }
  })
}

type Marked = Pick<Failover, 'kept' | 'stage' | 'successors' | 'producer'>

function stepState(index: number, reached: number, failover: Marked): State | 'none' {
  if (index > reached) return 'none'
  if (index < reached) return 'ok'
  return markOf(failover)
}

function markOf({ kept, stage, successors, producer }: Marked): State {
  if (kept) return 'held'
  if (stage === 'unhealthy' || stage === 'toleration') return 'warn'
  return producer !== undefined && successors.length === 0 ? 'fail' : 'active'
}

function stateOf({ failover, reason }: FailoverFacts): StateView {
  return say(markOf(failover), sentenceOf(failover, reason))
}

function sentenceOf(failover: Failover, reason: string | undefined): string {
  const { stage, cause, cluster, kept, successors, deadline } = failover
  const isAlone = successors.length === 0
  if (kept)
    return isAlone
      ? 'The copy is kept, and no cluster took the workload'
      : 'The old copy is kept until somebody releases it'
  switch (stage) {
    case 'unhealthy':
      return reason ?? `Unhealthy in ${cluster}${deadline ? '; nothing counts yet' : ', and nothing counts'}`
    case 'toleration':
      if (reason !== undefined) return reason
      return cause === 'cluster' ? `Tolerates what is wrong with ${cluster}` : `Its failure in ${cluster} is tolerated`
    case 'evicting':
      return isAlone ? (reason ?? 'No cluster took it yet') : waiting(successors)
    case 'replaced':
      return 'All replacements are healthy; the old copy goes next'
    case 'done':
      return 'Over'
  }
}

function waiting(successors: Failover['successors']): string {
  const behind = successors.filter(({ health }) => health !== 'Healthy')
  const where = formatReplicas(successors.map(({ cluster, replicas = 0 }) => ({ cluster, replicas })))
  if (behind.length === 0) return `→ ${where}; healthy, waiting for the scheduler to have seen it`
  return `→ ${where}, waiting for ${joinWords(behind.map(({ cluster }) => cluster), 3)}`
}

export interface IncidentFacts {
  cluster: string
  /** Ready, or what it says instead. */
  trouble: StateView
  ready: boolean
  drained: boolean
  since?: string | undefined
  failovers: readonly FailoverView[]
  /** Workloads that are placed there, whatever is known of their failover. */
  placed: number
  /** What its loss cost; of a cluster that is ready again, what it had cost. */
  incident?: IncidentView | undefined
}

/** The row of a cluster in trouble. It is as far as the slowest of its workloads that still can move on. */
export function projectIncident({
  cluster,
  trouble,
  ready,
  drained,
  since,
  failovers,
  placed,
  incident,
}: IncidentFacts): FailoverView {
  const workloads = countStages(failovers)
  const stage = stageOfCluster(workloads, placed)
  const reached = FAILOVER_STAGES.indexOf(stage)
  const deadline = soonest(failovers.filter((failover) => failover.stage === stage))
  const isOver = incident?.endedAt !== undefined && stage === 'done' && !drained
  const mark = isOver ? 'ok' : markOfCluster(stage, ready)
  return {
    id: `cluster ${cluster}`,
    kind: 'cluster',
    cluster,
    cause: drained ? 'request' : 'cluster',
    stage,
    kept: false,
    workloads,
    state: say(mark, `${english.of(trouble.reason)}; ${incident ? progressText(incident) : loadText(failovers, placed)}`),
    ...(incident && { incident }),
    steps: FAILOVER_STAGES.map((name, index) => ({
      stage: name,
      state: index > reached ? 'none' : index < reached ? 'ok' : mark,
      ...(index === 0 && since !== undefined && { at: since }),
    })),
    ...(since !== undefined && { since }),
    ...(deadline && { deadline }),
    successors: [],
    actions: isOver ? [] : [drained ? 'undrain' : 'drain'],
  }
}

function markOfCluster(stage: FailoverStage, ready: boolean): State {
  if (stage === 'done') return ready ? 'held' : 'warn'
  return stage === 'evicting' || stage === 'replaced' ? 'active' : 'warn'
}

/** Placed workloads of which nothing is known yet are as far as the first stage. */
function stageOfCluster(workloads: Record<FailoverStage, number>, placed: number): FailoverStage {
  const order: readonly FailoverStage[] = ['evicting', 'toleration', 'replaced', 'unhealthy']
  return order.find((stage) => workloads[stage] > 0) ?? (placed > 0 ? 'unhealthy' : 'done')
}

/** `166 of 252 workloads recovered, about 40 s left`. */
function progressText({ affected, recovered, secondsLeft }: IncidentView): string {
  if (affected === 0) return 'no workload was affected'
  const left = secondsLeft === undefined ? '' : `, about ${formatDuration(secondsLeft * 1000)} left`
  return `${recovered} of ${formatNumberOf(affected, 'workload')} recovered${left}`
}

function loadText(failovers: readonly FailoverView[], placed: number): string {
  const count = Math.max(failovers.length, placed)
  return count === 0 ? 'no workload is left to move' : `${formatNumberOf(count, 'workload')} concerned`
}

function countStages(failovers: readonly FailoverView[]): Record<FailoverStage, number> {
  const counts = { unhealthy: 0, toleration: 0, evicting: 0, replaced: 0, done: 0 }
  for (const { stage } of failovers) counts[stage] += 1
  return counts
}

function soonest(failovers: readonly FailoverView[]): FailoverView['deadline'] {
  let first: FailoverView['deadline']
  for (const { deadline } of failovers) if (deadline && (!first || deadline.at < first.at)) first = deadline
  return first
}
