/**
 * Selects the workloads of the next wave: waves have a maximum size, and each starts after the previous one has settled
 * and its pause is over.
 */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { formatTime, parseTime } from '@/lib/std/clock'
import { amountOf } from '../../plan'
import { workloadKey } from '../sync-status'
import type { PlanSubject, RunSnapshot, RunStep } from './snapshot'
import { startWorkload } from './start-workload'

export const DEFAULT_WAVE_SIZE = '10%'

type Wave = NonNullable<RebalancePlanStatus['waves']>[number]

export interface WaveDecision {
  entries: PlannedWorkload[]
  steps: RunStep[]
  waves: Wave[]
  /** When to decide again without any change. */
  waitMs?: number
}

/** Reports whether a workload is in progress: neither pending nor finished. */
export function isActive({ stage }: PlannedWorkload): boolean {
  return stage === 'Triggered' || stage === 'Scheduled' || stage === 'Applied' || stage === 'Healthy'
}

/**
 * Restores waves from entries if the write of a status was lost: workloads have the number of their wave. The wave
 * before had then finished.
 */
export function withUnwrittenWaves(waves: readonly Wave[], entries: readonly PlannedWorkload[]): Wave[] {
  const all = [...waves]
  const last = all.at(-1)?.number ?? 0
  const unwritten = Map.groupBy(
    entries.filter(({ wave = 0 }) => wave > last),
    ({ wave = 0 }) => wave,
  )
  for (const [number, own] of [...unwritten].sort(([a], [b]) => a - b)) {
    const startedAt = own.map(({ triggeredAt = '' }) => triggeredAt).sort()[0]!
    const before = all.pop()
    if (before) all.push({ finishedAt: startedAt, ...before })
    all.push({ number, workloads: own.length, replicasMoved: replicasOf(own), startedAt })
  }
  return all
}

const replicasOf = (entries: readonly PlannedWorkload[]): number =>
  entries.reduce((sum, { replicasMoved = 0 }) => sum + replicasMoved, 0)

/** Marks the last wave as finished once none of its workloads is in progress. */
export function closeWave(waves: readonly Wave[], entries: readonly PlannedWorkload[], now: number): Wave[] {
  const last = waves.at(-1)
  if (!last || last.finishedAt || entries.some(isActive)) return [...waves]
  return [...waves.slice(0, -1), { ...last, finishedAt: formatTime(now) }]
}

/**
 * Starts the next wave if it is time. Workloads that need no move or may not move are skipped and replaced by others.
 */
export function beginWave(
  entries: readonly PlannedWorkload[],
  waves: readonly Wave[],
  snapshot: RunSnapshot,
): WaveDecision {
  const unchanged = { entries: [...entries], steps: [], waves: [...waves] }
  if (entries.some(isActive) || !entries.some(isPending)) return unchanged
  const restMs = restAfter(waves.at(-1), snapshot)
  if (restMs > 0) return { ...unchanged, waitMs: restMs }
  const number = (waves.at(-1)?.number ?? 0) + 1
  const decision = fill(entries, snapshot, number)
  if (decision.steps.length === 0) return { ...decision, waves: [...waves] }
  const moved = replicasOf(decision.entries.filter(({ wave }) => wave === number))
  const wave = { number, workloads: decision.steps.length, replicasMoved: moved, startedAt: formatTime(snapshot.now) }
  return { ...decision, waves: [...waves, wave] }
}

function isPending({ stage }: PlannedWorkload): boolean {
  return stage === 'Pending'
}

/** Returns the remaining pause after a wave; a clock that was set back must not extend it. */
function restAfter(last: Wave | undefined, { plan, now }: RunSnapshot): number {
  const soakMs = (plan.spec.waves?.soakSeconds ?? 0) * 1000
  if (!last?.finishedAt || soakMs === 0) return 0
  const restedMs = now - parseTime(last.finishedAt)
  return restedMs < 0 ? 0 : Math.max(0, soakMs - restedMs)
}

/** Returns the maximum workloads and replicas of a wave. At least one workload. */
export function waveLimits(
  entries: readonly PlannedWorkload[],
  { spec }: Pick<PlanSubject, 'spec'>,
): { workloads: number; replicas: number } {
  const taking = entries.filter(({ stage }) => stage !== 'Skipped')
  const moving = replicasOf(taking)
  const { size = DEFAULT_WAVE_SIZE, maxReplicasMoved } = spec.waves ?? {}
  return {
    workloads: Math.max(1, amountOf(size, taking.length) ?? 1),
    replicas: maxReplicasMoved === undefined ? Infinity : (amountOf(maxReplicasMoved, moving) ?? 0),
  }
}

function fill(entries: readonly PlannedWorkload[], snapshot: RunSnapshot, number: number): Omit<WaveDecision, 'waves'> {
  const limits = waveLimits(entries, snapshot.plan)
  const next = new Map<string, PlannedWorkload>()
  const steps: RunStep[] = []
  let [replicas, waitMs] = [0, Infinity]
  for (const entry of entries.filter(isPending)) {
    if (steps.length >= limits.workloads) break
    const verdict = startWorkload(entry, snapshot, number)
    if ('waitMs' in verdict) {
      waitMs = Math.min(waitMs, verdict.waitMs)
      continue
    }
    const moved = verdict.step ? (verdict.entry.replicasMoved ?? 0) : 0
    if (steps.length > 0 && replicas + moved > limits.replicas) break
    replicas += moved
    if (verdict.step) steps.push(verdict.step)
    next.set(workloadKey(entry.workload), verdict.entry)
  }
  return {
    entries: entries.map((entry) => next.get(workloadKey(entry.workload)) ?? entry),
    steps,
    ...(waitMs !== Infinity && steps.length === 0 && { waitMs }),
  }
}
