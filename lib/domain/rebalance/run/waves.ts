/**
 * Selects the workloads of the next wave: waves have a maximum size, and each starts after the previous one has settled
 * and its pause is over. The workloads of a wave are triggered at the pace of the scheduler.
 */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { formatTime, parseTime } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import { amountOf } from '../../plan'
import { workloadKey } from '../sync-status'
import { type Starting, withDoubts } from './doubts'
import type { PlanSubject, RunSnapshot, RunStep } from './snapshot'
import { isActive, isPending, isReserved } from './stages'
import { isRestore, startWorkload } from './start-workload'

export const DEFAULT_WAVE_SIZE = '10%'

type Wave = NonNullable<RebalancePlanStatus['waves']>[number]

export interface WaveDecision {
  entries: PlannedWorkload[]
  steps: RunStep[]
  waves: Wave[]
  /** When to decide again without any change. */
  waitMs?: number
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

/** Marks the last wave as finished once none of its workloads is in progress or waits for its turn. */
export function closeWave(waves: readonly Wave[], entries: readonly PlannedWorkload[], now: number): Wave[] {
  const last = waves.at(-1)
  if (!last || last.finishedAt || entries.some(isActive) || entries.some(isReserved)) return [...waves]
  // Those that waited for their turn may have been left to a later wave.
  return [...waves.slice(0, -1), { ...last, ...sumsOf(entries, last.number), finishedAt: formatTime(now) }]
}

/** Returns the entries of a plan that starts nothing now: workloads that wait for their turn belong to a later wave. */
export function withoutReserved(entries: readonly PlannedWorkload[]): PlannedWorkload[] {
  return entries.map((entry) => (isReserved(entry) ? omit(entry, 'wave') : entry))
}

/** Triggers further workloads of the running wave, or starts the next one if it is time. */
export function advanceWave(
  entries: readonly PlannedWorkload[],
  waves: readonly Wave[],
  snapshot: RunSnapshot,
): WaveDecision {
  const running = waves.at(-1)
  if (running && entries.some(isReserved)) return continueWave(entries, waves, snapshot)
  const unchanged = { entries: [...entries], steps: [], waves: [...waves] }
  if (entries.some(isActive) || !entries.some(isPending)) return unchanged
  const restMs = restAfter(running, snapshot)
  if (restMs > 0) return { ...unchanged, waitMs: restMs }
  const number = (running?.number ?? 0) + 1
  const decision = fill(entries, snapshot, number)
  if (decision.steps.length === 0) return { ...decision, waves: [...waves] }
  const wave = { number, ...sumsOf(decision.entries, number), startedAt: formatTime(snapshot.now) }
  return { ...decision, waves: [...waves, wave] }
}

/** Workloads may turn out not to move when their turn comes; without any that does, the wave ends and the next begins. */
function continueWave(
  entries: readonly PlannedWorkload[],
  waves: readonly Wave[],
  snapshot: RunSnapshot,
): WaveDecision {
  const last = waves.at(-1)!
  const starts = new Starts(entries, snapshot)
  let waitMs = Infinity
  for (const entry of entries.filter(isReserved)) {
    if (!starts.mayAdd) break
    const verdict = startWorkload(entry, snapshot, last.number)
    if ('waitMs' in verdict) waitMs = Math.min(waitMs, verdict.waitMs)
    else if ('binding' in verdict) starts.add(verdict)
    else starts.replace(verdict.entry)
  }
  const { entries: after, steps } = starts.conclude()
  const now = [...waves.slice(0, -1), { ...last, ...sumsOf(after, last.number) }]
  const closed = closeWave(now, after, snapshot.now)
  if (closed.at(-1)?.finishedAt !== undefined) return advanceWave(after, closed, snapshot)
  return { entries: after, steps, waves: now, ...(waitMs !== Infinity && steps.length === 0 && { waitMs }) }
}

const sumsOf = (entries: readonly PlannedWorkload[], number: number): Pick<Wave, 'workloads' | 'replicasMoved'> => {
  const own = entries.filter(({ wave }) => wave === number)
  return { workloads: own.length, replicasMoved: replicasOf(own) }
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
  const starts = new Starts(entries, snapshot)
  let [workloads, replicas, waitMs] = [0, 0, Infinity]
  for (const entry of entries.filter(isPending)) {
    if (workloads >= limits.workloads) break
    const verdict = startWorkload(entry, snapshot, number)
    if ('waitMs' in verdict) {
      waitMs = Math.min(waitMs, verdict.waitMs)
    } else if ('binding' in verdict) {
      const { replicasMoved = 0 } = verdict.entry
      if (workloads > 0 && replicas + replicasMoved > limits.replicas) break
      workloads += 1
      replicas += replicasMoved
      if (starts.mayAdd) starts.add(verdict)
      else starts.replace({ ...entry, wave: number, replicasMoved })
    } else {
      starts.replace(verdict.entry)
    }
  }
  const decision = starts.conclude()
  return { ...decision, ...(waitMs !== Infinity && workloads === 0 && { waitMs }) }
}

/** Collects the workloads that start in one pass, as many as the scheduler may have pending. */
class Starts {
  readonly #next = new Map<string, PlannedWorkload>()
  readonly #starting: (Starting & { step: RunStep })[] = []
  readonly #most: number

  constructor(
    private readonly entries: readonly PlannedWorkload[],
    private readonly snapshot: RunSnapshot,
  ) {
    this.#most = (snapshot.pace ?? Infinity) - entries.filter(({ stage }) => stage === 'Triggered').length
  }

  get mayAdd(): boolean {
    return this.#starting.length < this.#most
  }

  add(start: Starting & { step: RunStep }): void {
    this.#starting.push(start)
  }

  /** Notes an entry that does not start now. */
  replace(entry: PlannedWorkload): void {
    this.#next.set(workloadKey(entry.workload), entry)
  }

  conclude(): Pick<WaveDecision, 'entries' | 'steps'> {
    const { entries, snapshot } = this
    const started = isRestore(snapshot)
      ? this.#starting.map(({ entry }) => entry)
      : withDoubts(this.#starting, entries, snapshot)
    for (const entry of started) this.replace(entry)
    return {
      entries: entries.map((entry) => this.#next.get(workloadKey(entry.workload)) ?? entry),
      steps: this.#starting.map(({ step }) => step),
    }
  }
}
