/** The run of a plan as one decision: from the whole present state to what to write next. */
import type { PlannedWorkload, PlanPhase, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { formatTime } from '@/lib/std/clock'
import { because, counted, type Reason } from '../../plan'
import { comparePredictions, nameOf } from '../compare'
import { assessWorkload } from './assess-workload'
import type { Assessment, RunDecision, RunSnapshot, RunStep } from './snapshot'
import { isFinal, progressing, statusCounts, withConditions } from './status'
import { beginWave, closeWave, isActive } from './waves'

/**
 * Decides on a plan that was approved. 1. How far is each workload, and what does it need? 2. Has anything gone wrong?
 * 3. May the next wave begin? The same snapshot gives the same decision; carried out twice, the second writes nothing.
 */
export function decideNextStep(snapshot: RunSnapshot): RunDecision {
  const { plan, now } = snapshot
  const assessed = (plan.status.workloads ?? []).map((entry) => assessWorkload(entry, snapshot))
  const faulty = isFinal(plan.status.phase) ? undefined : assessed.find(({ fault }) => fault !== undefined)
  const held = holdAfter(faulty, snapshot)
  const entries = plan.spec.stopped
    ? skipPending(assessed.map(({ entry }) => entry))
    : assessed.map(({ entry }) => entry)
  const waves = closeWave(plan.status.waves ?? [], entries, now)
  const mayBegin = !plan.spec.paused && !plan.spec.stopped && !held.isHeld && !isFinal(plan.status.phase)
  const wave = mayBegin ? beginWave(entries, waves, snapshot) : { entries, steps: [], waves }
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

interface Held {
  holds: number
  hold: RebalancePlanStatus['hold']
  isHeld: boolean
}

/** One hold for each pass that finds something new; going on takes as many acknowledgements. */
function holdAfter(faulty: Assessment | undefined, { plan: { spec, status }, now }: RunSnapshot): Held {
  const before = status.holds ?? 0
  const holds = faulty && (spec.onRegression ?? 'Hold') === 'Hold' ? before + 1 : before
  const isHeld = holds > (spec.acknowledgedHolds ?? 0)
  if (!faulty?.fault) return { holds, hold: isHeld ? status.hold : undefined, isHeld }
  const { code, text } = faulty.fault
  const { workload } = faulty.entry
  return {
    holds,
    isHeld,
    hold: { reason: code, message: `${nameOf(workload)}: ${text}`, workload, at: formatTime(now) },
  }
}

function skipPending(entries: readonly PlannedWorkload[]): PlannedWorkload[] {
  return entries.map((entry) => entry.stage === 'Pending'
    ? { ...entry, stage: 'Skipped', reason: 'Stopped', message: 'The plan was stopped before its turn.' } : entry)
}

interface Outcome {
  entries: PlannedWorkload[]
  waves: NonNullable<RebalancePlanStatus['waves']>
  held: Held
}

function statusOf({ entries, waves, held }: Outcome, snapshot: RunSnapshot): RebalancePlanStatus {
  const { plan, now } = snapshot
  const { hold: _, stopReason: __, prediction: ___, ...before } = plan.status
  const phase = phaseOf(entries, held, snapshot)
  const ran = entries.filter(({ actual, stage }) => actual !== undefined && (stage === 'Done' || stage === 'Failed'))
  const status: RebalancePlanStatus = {
    ...before, observedGeneration: plan.generation, phase, workloads: entries, waves, holds: held.holds,
    ...(waves.length > 0 && { wave: waves.at(-1)!.number }), ...statusCounts(entries),
    ...(held.hold && { hold: held.hold }),
    ...(ran.length > 0 && { prediction: comparePredictions(ran) }),
    ...(stopReasonOf(phase, held)),
    ...(isFinal(phase) && { finishedAt: before.finishedAt ?? formatTime(now) }),
  }
  return withConditions(status, progressing(status, reasonOf(phase, status, held)), now)
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

function stopReasonOf(phase: PlanPhase, { hold }: Held): Pick<RebalancePlanStatus, 'stopReason'> {
  if (phase === 'Held' && hold) return { stopReason: hold.message }
  return phase === 'Stopping' || phase === 'Stopped' ? { stopReason: 'Stopped by spec.stopped.' } : {}
}

function reasonOf(
  phase: PlanPhase,
  { wave = 0, counts, hold, workloads = [] }: RebalancePlanStatus,
  { isHeld, holds }: Held,
): Reason {
  const failed = counts?.failed ?? 0
  switch (phase) {
    case 'Held':
      return because('Held', `${hold?.message ?? ''} Set spec.acknowledgedHolds to ${holds} to go on.`.trim())
    case 'Paused':
      return because('Paused', 'No wave begins while spec.paused is set.')
    case 'Stopping':
      return because('Stopping', 'What is on its way is finished.')
    case 'Stopped':
      return because(
        'Stopped',
        wave > 0 ? 'Stopped; undo brings back what was moved.' : 'Stopped before anything was moved.',
      )
    case 'Completed':
      return failed > 0
        ? because(
            'CompletedWithFailures',
            `${counted(failed, 'workload')} did not end as planned${isHeld && hold ? `: ${hold.message}` : '.'}`,
          )
        : because('Completed', `${counted(counts?.done ?? 0, 'workload')} moved${passedOver(workloads)}.`)
    default:
      return because('WaveRunning', `Wave ${wave} is on its way.`)
  }
}

/** Those that did not move, by why; said where `0 workloads moved` alone would look like success. */
function passedOver(entries: readonly PlannedWorkload[]): string {
  const codes = entries.flatMap(({ stage, reason = '' }) => stage === 'Skipped' ? [reason] : [])
  if (codes.length === 0) return ''
  const kinds = [...new Set(codes)].sort().map((code) => `${codes.filter((one) => one === code).length} ${code}`)
  return `, ${codes.length} did not (${kinds.join(', ')})`
}

function newsOf(
  status: RebalancePlanStatus,
  { faulty, steps }: { faulty: Assessment | undefined; steps: readonly RunStep[] },
  { plan }: RunSnapshot,
): RunDecision['news'] {
  const news: (Reason & { type: 'Normal' | 'Warning' })[] = []
  const wave = status.waves?.at(-1)
  if (wave && wave.number !== plan.status.wave) {
    news.push({
      type: 'Normal',
      ...because('WaveStarted', `Wave ${wave.number}: ${counted(wave.workloads, 'workload')}.`),
    })
  }
  if (faulty?.fault)
    news.push({
      type: 'Warning',
      ...because(faulty.fault.code, `${nameOf(faulty.entry.workload)}: ${faulty.fault.text}`),
    })
  const protect = steps.filter(({ act }) => act === 'protect')
  if (protect.length > 0)
    news.push({
      type: 'Warning',
      ...because(
        'ProtectionLost',
        `The protection of ${counted(protect.length, 'workload')} was taken away; it is put back.`,
      ),
    })
  if (status.phase !== plan.status.phase && status.phase && isFinal(status.phase)) {
    news.push({ type: 'Normal', ...because(status.phase, `${status.progress ?? '0/0'} done.`) })
  }
  return news
}
