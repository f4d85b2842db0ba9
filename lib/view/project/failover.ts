/** Views of running failovers: stages with times, blockers, and possible actions. */
import type { FailoverStage, Failover } from '@/lib/domain/failover'
import { isoTime, parseTime } from '@/lib/std/clock'
import { message, type Message } from '@/lib/messages/message'
import type { State, StateView } from '../model'
import type { FailoverAction, FailoverStepView, FailoverView, IncidentView } from '../failover-model'
import { workloadId } from '../workload-id'
import type { OpenFailover } from './past-failovers'
import { say } from './say'

/** The stages in order. */
export const FAILOVER_STAGES: readonly FailoverStage[] = ['unhealthy', 'toleration', 'evicting', 'replaced', 'done']

export interface FailoverFacts {
  failover: Failover
  /** State of the eviction in the journal. */
  open?: OpenFailover | undefined
  /** When the workload became unhealthy or the cluster not ready, according to the journal; RFC 3339. */
  failingSince?: string | undefined
  /** Why it is not evicted, by `blockersOf`. */
  blocker?: Message | undefined
}

/** Returns the row of one workload in one cluster. */
export function projectFailover(facts: FailoverFacts): FailoverView {
  const { failover, open } = facts
  const { cluster, cause, stage, deadline, producer, reason, purgeMode, kept, replicas, successors, blockedUntil } =
    failover
  const workload = workloadId(failover.resource)
  const steps = stepsOf(facts)
  const began = steps.find(({ at }) => at !== undefined)?.at
  return {
    id: `failover ${workload} ${cluster}`,
    kind: 'workload',
    cluster,
    workload,
    ref: failover.resource,
    cause,
    stage,
    kept,
    state: stateOf(facts),
    steps,
    ...(began !== undefined && { since: began }),
    ...(deadline && { deadline: { at: isoTime(deadline.at), meaning: deadline.meaning } }),
    ...(producer && { producer }),
    ...(open?.task.causes && { causes: open.task.causes }),
    ...(reason && { reason }),
    ...(purgeMode && { purgeMode }),
    ...(replicas !== undefined && { replicas }),
    ...(open?.before && { before: open.before }),
    successors: [...successors],
    ...(blockedUntil !== undefined && {
      blockedUntil: blockedUntil === Infinity ? 'permanently' : isoTime(blockedUntil),
    }),
    actions: actionsOf(failover),
  }
}

function actionsOf({ stage, kept, producer }: Failover): FailoverAction[] {
  if (producer === undefined) return stage === 'done' ? [] : ['evict']
  return kept ? ['release'] : ['keep']
}

/** No stage begins before the previous one, although clocks differ and API times have whole seconds. */
function stepsOf({ failover, open, failingSince }: FailoverFacts): FailoverStepView[] {
  const { stage, since, producer } = failover
  const began = since === undefined ? undefined : isoTime(since)
  const isOut = producer !== undefined
  const times: Partial<Record<FailoverStage, string | undefined>> = {
    unhealthy: open?.unhealthySince ?? failingSince ?? (isOut ? undefined : began),
    toleration: isOut || stage === 'unhealthy' ? undefined : began,
    evicting: isOut ? (open?.evictedAt ?? began) : undefined,
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

function stateOf({ failover, blocker }: FailoverFacts): StateView {
  const { cluster, blockedUntil } = failover
  const state = stageMessage(failover, blocker)
  return say(
    markOf(failover),
    blockedUntil === Infinity ? message('failover.state.excluded', { state, cluster }) : state,
  )
}

function stageMessage(failover: Failover, blocker: Message | undefined): Message {
  const { stage, cause, cluster, kept, successors, deadline } = failover
  const isAlone = successors.length === 0
  if (kept) return message(isAlone ? 'failover.state.keptUnplaced' : 'failover.state.kept')
  switch (stage) {
    case 'unhealthy':
      return blocker ?? message(deadline ? 'failover.state.notCountedYet' : 'failover.state.notCounted', { cluster })
    case 'toleration':
      return (
        blocker
        ?? message(cause === 'cluster' ? 'failover.state.toleratesTaint' : 'failover.state.toleratesFailure', {
          cluster,
        })
      )
    case 'evicting':
      return isAlone ? (blocker ?? message('failover.state.noCluster')) : waiting(failover)
    case 'replaced':
      return message('failover.state.replaced')
    case 'done':
      return message('failover.state.done')
  }
}

function waiting({ successors, replicas = 0 }: Failover): Message {
  const missing = successors.filter(({ health }) => health !== 'Healthy').map(({ cluster }) => cluster)
  const places = successors.map(({ cluster, replicas: count = 0 }) => `${cluster} ${count}`)
  return missing.length === 0
    ? message('failover.state.notObserved', { replicas, places })
    : message('failover.state.notHealthyYet', { replicas, places, missing })
}

export interface IncidentFacts {
  cluster: string
  /** State of the cluster if it is not ready. */
  trouble: StateView
  ready: boolean
  drained: boolean
  since?: string | undefined
  failovers: readonly FailoverView[]
  /** Number of workloads placed there, whether or not their failover is known. */
  placed: number
  /** Loss of the current outage; for a recovered cluster, of the last one. */
  incident?: IncidentView | undefined
}

/** Returns the row of a cluster with a problem. Its stage is that of the slowest workload that can still proceed. */
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
    state: say(mark, incident ? progressOf(trouble, incident) : loadOf(trouble, Math.max(failovers.length, placed))),
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

/** Placed workloads without a known failover count as being in the first stage. */
function stageOfCluster(workloads: Record<FailoverStage, number>, placed: number): FailoverStage {
  const order: readonly FailoverStage[] = ['evicting', 'toleration', 'replaced', 'unhealthy']
  return order.find((stage) => workloads[stage] > 0) ?? (placed > 0 ? 'unhealthy' : 'done')
}

function progressOf(
  { reason: state }: StateView,
  { affected: workloads, recovered, secondsLeft }: IncidentView,
): Message {
  if (workloads === 0) return message('failover.incident.unaffected', { state })
  return secondsLeft === undefined
    ? message('failover.incident.recovered', { state, recovered, workloads })
    : message('failover.incident.recovering', { state, recovered, workloads, left: { ms: secondsLeft * 1000 } })
}

const loadOf = ({ reason: state }: StateView, workloads: number): Message =>
  message('failover.incident.affected', { state, workloads })

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
