/**
 * Remembers when each workload reached its stage, since when its ready replicas are unknown, how fast the scheduler is,
 * and what it had to do before. It only affects timeouts and pace, so a restart or a change of leader merely restarts them.
 */
import {
  type Backlog,
  backlogOf,
  firstPace,
  isReadyUnknown,
  nextPace,
  type Pace,
  READY_UNKNOWN,
  remainingOf,
  sinceKey,
  workloadKey,
} from '@/lib/domain/rebalance'
import type { PlannedWorkload, RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { EpochMs } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import { allBindings, bindingOf } from './observe'

interface StageStart {
  stage: PlannedWorkload['stage']
  since: EpochMs
}

interface Remembered {
  uid: string
  lastPass: EpochMs
  stays: Map<string, StageStart>
  unknownSince: Map<string, EpochMs>
  pace: Pace
  backlog: Backlog
}

/** By name of the plan. */
export type PlanMemory = Map<string, Remembered>

export function createPlanMemory(): PlanMemory {
  return new Map()
}

/**
 * Records the stages at the end of a reconcile. A fault does not restart the time at its stage. The caches do not contain
 * the requests of this reconcile yet, so every waiting binding in them precedes these requests.
 */
export function remember(
  memory: PlanMemory,
  { metadata: { name, uid }, status }: RebalancePlanObject,
  { informers, now }: { informers: Informers; now: EpochMs },
): void {
  const before = memory.get(name)
  const known = before?.uid === uid ? before : undefined
  const stays = new Map<string, StageStart>()
  const unknownSince = new Map<string, EpochMs>()
  let hasTriggered = false
  for (const entry of status?.workloads ?? []) {
    const { workload, stage } = entry
    const key = workloadKey(workload)
    if (isReadyUnknown(entry)) unknownSince.set(key, known?.unknownSince.get(key) ?? now)
    if (stage === 'Pending' || stage === 'Skipped' || stage === 'Done') continue
    const stay = known?.stays.get(key)
    if (stay && (stage === 'Failed' || stay.stage === stage)) stays.set(key, stay)
    else {
      stays.set(key, { stage, since: now })
      hasTriggered ||= stage === 'Triggered'
    }
  }
  const pending = [...(known?.stays ?? [])].filter(([, { stage }]) => stage === 'Triggered')
  const processed = pending.filter(([key]) => stays.get(key)?.stage !== 'Triggered').length
  const pace = nextPace(known?.pace ?? firstPace(now), { pending: pending.length, processed, now })
  const { progressAt } = known?.backlog ?? {}
  const backlog =
    known && !hasTriggered
      ? known.backlog
      : { ...backlogOf(allBindings(informers)), ...(progressAt !== undefined && { progressAt }) }
  memory.set(name, { uid, lastPass: now, stays, unknownSince, pace, backlog })
}

/** Observes the work that the scheduler had before the requests of a plan, and returns when it was last at it. */
export function busyAtOf(
  memory: PlanMemory,
  { metadata: { name, uid } }: RebalancePlanObject,
  { informers, now }: { informers: Informers; now: EpochMs },
): EpochMs | undefined {
  const known = memory.get(name)
  if (known?.uid !== uid) return undefined
  known.backlog = remainingOf(known.backlog, (workload) => bindingOf(informers, workload), now)
  return known.backlog.progressAt
}

/** Returns how many requests of a plan the scheduler may have pending. */
export function paceOf(memory: PlanMemory, { metadata: { name, uid } }: RebalancePlanObject, now: EpochMs): number {
  const known = memory.get(name)
  return (known?.uid === uid ? known.pace : firstPace(now)).limit
}

/** Returns the start times in the form that decisions read. */
export function sinceOf(memory: PlanMemory, { metadata: { name, uid } }: RebalancePlanObject): Map<string, EpochMs> {
  const remembered = memory.get(name)
  if (remembered?.uid !== uid) return new Map()
  return new Map([
    ...[...remembered.stays].map(([key, { stage, since }]) => [sinceKey(key, stage), since] as const),
    ...[...remembered.unknownSince].map(([key, since]) => [sinceKey(key, READY_UNKNOWN), since] as const),
  ])
}
