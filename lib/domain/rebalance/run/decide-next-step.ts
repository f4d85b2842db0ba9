/** Decides the run of a plan from the complete current state. */
import type { PlannedWorkload, PlanPhase, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { type Message, message } from '@/lib/messages/message'
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import { because } from '../../plan'
import { comparePredictions, nameOf } from '../compare'
import { assessWorkload } from './assess-workload'
import { workloadKey } from '../sync-status'
import { type Assessment, type RunDecision, type RunReason, type RunSnapshot, type RunStep, sinceKey } from './snapshot'
import { describePhase, isFinal, progressing, statusCounts, withConditions } from './status'
import { isActive } from './stages'
import { advanceWave, closeWave, withoutReserved, withUnwrittenWaves } from './waves'

/**
 * Decides the next writes of an approved plan. 1. Determine the stage of each workload and its next write. 2. Detect
 * faults.
 * 3. Decide whether the next wave may begin. Deterministic and idempotent: repeating the decision after it was executed
 * writes nothing.
 */
export function decideNextStep(given: RunSnapshot): RunDecision {
  const { plan, now } = given
  const snapshot = { ...given, progressAt: progressAt(given) }
  const assessed = (plan.status.workloads ?? []).map((entry) => assessWorkload(entry, snapshot))
  const faulty = isFinal(plan.status.phase) ? undefined : assessed.find(({ fault }) => fault !== undefined)
  const held = holdAfter(faulty, snapshot)
  const isHalted = plan.spec.paused || plan.spec.stopped || held.isHeld || isFinal(plan.status.phase)
  const known = assessed.map(({ entry }) => entry)
  const running = isHalted ? withoutReserved(known) : known
  const entries = plan.spec.stopped ? skipPending(running, snapshot) : running
  const waves = closeWave(withUnwrittenWaves(plan.status.waves ?? [], entries), entries, now)
  const mayBegin = !isHalted && !assessed.some(({ isUnknown }) => isUnknown)
  const wave = mayBegin ? advanceWave(entries, waves, snapshot) : { entries, steps: [], waves }
  const status = statusOf({ entries: wave.entries, waves: wave.waves, held }, snapshot)
  const steps = [...assessed.flatMap(({ step }) => step ?? []), ...wave.steps]
  const waits = [...assessed.map(({ dueInMs }) => dueInMs), 'waitMs' in wave ? wave.waitMs : undefined]
  const requeueAfterMs = Math.min(...waits.filter((ms) => ms !== undefined))
  return {
    status,
    steps,
    news: newsOf(status, { faulty, steps }, snapshot),
    ...(Number.isFinite(requeueAfterMs) && { requeueAfterMs }),
  }
}

const WENT_ON: ReadonlySet<string> = new Set(['Scheduled', 'Applied', 'Healthy'])

/** The end of a workload is noted by the clock of its leader, so it counts as now at the latest. */
function progressAt({ plan, since, now, busyAt = 0 }: RunSnapshot): EpochMs {
  const times = (plan.status.workloads ?? []).flatMap(({ workload, stage, finishedAt }) => {
    if (stage === 'Done') return finishedAt === undefined ? [] : [Math.min(now, parseTime(finishedAt))]
    return WENT_ON.has(stage) ? (since.get(sinceKey(workloadKey(workload), stage)) ?? []) : []
  })
  return times.reduce((latest, time) => Math.max(latest, time), busyAt)
}

interface Held {
  holds: number
  hold: RebalancePlanStatus['hold']
  isHeld: boolean
}

/** Counts one hold per decision with a new fault; the plan continues once all holds are acknowledged. */
function holdAfter(faulty: Assessment | undefined, { plan: { spec, status }, now, english }: RunSnapshot): Held {
  const before = status.holds ?? 0
  const holds = faulty && (spec.onRegression ?? 'Hold') === 'Hold' ? before + 1 : before
  const isHeld = holds > (spec.acknowledgedHolds ?? 0)
  if (!faulty?.fault) return { holds, hold: isHeld ? status.hold : undefined, isHeld }
  const {
    entry: { workload },
    fault,
  } = faulty
  return {
    holds,
    isHeld,
    hold: { reason: fault.code, message: english(faultOf(workload, fault)), workload, at: formatTime(now) },
  }
}

const faultOf = (workload: PlannedWorkload['workload'], { text: reason }: RunReason): Message =>
  message('rebalance.run.ofWorkload', { workload: nameOf(workload), reason })

function skipPending(entries: readonly PlannedWorkload[], { english }: RunSnapshot): PlannedWorkload[] {
  const { code: reason, text } = because(message('rebalance.run.Stopped'))
  return entries.map((entry) =>
    entry.stage === 'Pending' ? { ...entry, stage: 'Skipped', reason, message: english(text) } : entry,
  )
}

interface Outcome {
  entries: PlannedWorkload[]
  waves: NonNullable<RebalancePlanStatus['waves']>
  held: Held
}

function statusOf({ entries, waves, held }: Outcome, snapshot: RunSnapshot): RebalancePlanStatus {
  const { plan, now, english } = snapshot
  const { hold: _, stopReason: __, prediction: ___, ...before } = plan.status
  const phase = phaseOf(entries, held, snapshot)
  const ran = entries.filter(({ actual, stage }) => actual !== undefined && (stage === 'Done' || stage === 'Failed'))
  const status: RebalancePlanStatus = {
    ...before,
    observedGeneration: plan.generation,
    phase,
    workloads: entries,
    waves,
    holds: held.holds,
    ...(waves.length > 0 && { wave: waves.at(-1)!.number }),
    ...statusCounts(entries),
    ...(held.hold && { hold: held.hold }),
    ...(ran.length > 0 && { prediction: comparePredictions(ran) }),
    ...stopReasonOf(phase, held, snapshot),
    ...(isFinal(phase) && { finishedAt: before.finishedAt ?? formatTime(now) }),
  }
  return withConditions(status, progressing(status, describePhase(status), english), now)
}

function phaseOf(
  entries: readonly PlannedWorkload[],
  { isHeld }: Held,
  { plan: { spec, status } }: RunSnapshot,
): PlanPhase {
  if (status.phase !== undefined && isFinal(status.phase)) return status.phase
  const active = entries.some(isActive)
  if (spec.stopped) return active ? 'Stopping' : 'Stopped'
  const pending = entries.some(({ stage }) => stage === 'Pending')
  if (!active && !pending) return 'Completed'
  if (isHeld) return 'Held'
  return spec.paused ? 'Paused' : 'Running'
}

function stopReasonOf(
  phase: PlanPhase,
  { hold }: Held,
  { english }: RunSnapshot,
): Pick<RebalancePlanStatus, 'stopReason'> {
  if (phase === 'Held' && hold) return { stopReason: hold.message }
  return phase === 'Stopping' || phase === 'Stopped'
    ? { stopReason: english(message('rebalance.plan.stopReason')) }
    : {}
}

function newsOf(
  status: RebalancePlanStatus,
  { faulty, steps }: { faulty: Assessment | undefined; steps: readonly RunStep[] },
  { plan }: RunSnapshot,
): RunDecision['news'] {
  const news: (RunReason & { type: 'Normal' | 'Warning' })[] = []
  const wave = status.waves?.at(-1)
  if (wave && wave.number !== plan.status.wave) {
    news.push({
      type: 'Normal',
      ...because(message('rebalance.event.WaveStarted', { wave: String(wave.number), n: wave.workloads })),
    })
  }
  if (faulty?.fault) {
    news.push({ type: 'Warning', ...because(faulty.fault.code, faultOf(faulty.entry.workload, faulty.fault)) })
  }
  const protect = steps.filter(({ act }) => act === 'protect')
  if (protect.length > 0) {
    news.push({ type: 'Warning', ...because(message('rebalance.event.ProtectionLost', { n: protect.length })) })
  }
  if (status.phase !== plan.status.phase && status.phase && isFinal(status.phase)) {
    news.push({
      type: 'Normal',
      ...because(status.phase, message('rebalance.event.finished', { progress: status.progress ?? '0/0' })),
    })
  }
  return news
}
