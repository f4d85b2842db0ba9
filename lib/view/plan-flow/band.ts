/**
 * The prediction of a plan as a band: minimum and maximum ready replicas over time. Derived from the budget of each
 * workload, the desired replicas, and the durations of earlier waves on this control plane.
 */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { Steps } from '../incident/steps'
import type { PlanRunView } from '../rebalance-model'
import type { BegunWave, ReadyOver } from './ready'

type Target = PlanRunView['targets'][number]

/** Shortest, median and longest duration of measured waves. */
export interface WaveDurations {
  measured: number
  fast: number
  typical: number
  slow: number
}

/** Earliest, typical and latest time. */
export interface Span {
  earliest: EpochMs
  typical: EpochMs
  latest: EpochMs
}

export interface BandWave {
  number: number
  workloads: number
  from: Span
  to: Span
  isUpcoming: boolean
  /** The predicted minimum, the minimum that the budget permits, and the maximum that the plan runs at once. */
  predicted: number
  least: number
  most: number
}

export interface Limits {
  least: number
  most: number
}

export interface Band {
  waves: BandWave[]
  /** Before the first step, both are the ready replicas before the plan. */
  limits: Steps<Limits>
  durations: WaveDurations | undefined
  /**
   * Why upcoming waves have no times. `overdue`: the running wave takes longer than any measured one. `inOrder`: they
   * are drawn one after the other anyway, because the plan has not started.
   */
  untimed: 'unmeasured' | 'notRunning' | 'overdue' | 'inOrder' | undefined
  to: EpochMs
}

/** Maximum number of waves evaluated, latest first. */
const MAX_MEASURED = 50
/** Equal durations for the waves of a plan before its approval, if none was measured. */
const IN_ORDER: WaveDurations = { measured: 0, fast: 1000, typical: 1000, slow: 1000 }
/** Times of plans have whole seconds. */
const ROUNDING_MS = 1000

/** Returns the durations of all finished waves; undefined if there is none. */
export function durationsOf(plans: readonly Pick<PlanRunView, 'waves'>[]): WaveDurations | undefined {
  const measured = plans
    .flatMap(({ waves }) => waves)
    .flatMap(({ startedAt, finishedAt }) =>
      finishedAt === undefined
        ? []
        : [{ end: parseTime(finishedAt), took: parseTime(finishedAt) - parseTime(startedAt) }],
    )
    .filter(({ took }) => took >= 0)
    .toSorted((a, b) => b.end - a.end)
    .slice(0, MAX_MEASURED)
    .map(({ took }) => took)
    .toSorted((a, b) => a - b)
  const [fast, typical, slow] = [measured[0], measured[measured.length >> 1], measured.at(-1)]
  if (fast === undefined || typical === undefined || slow === undefined) return undefined
  return { measured: measured.length, fast: Math.max(0, fast - ROUNDING_MS), typical, slow: slow + ROUNDING_MS }
}

export interface BandFacts {
  ready: Pick<ReadyOver, 'before' | 'initial' | 'waves' | 'from'>
  plan: Pick<PlanRunView, 'targets' | 'schedule' | 'phase'>
  durations: WaveDurations | undefined
  now: EpochMs
}

/** Returns the past and upcoming waves of the plan, with the limits of ready replicas. */
export function bandOf({ ready, plan, durations, now }: BandFacts): Band {
  const begun = ready.waves.map((wave) => begunWave(wave, durations, now))
  // Those with a wave wait for their turn in the running one.
  const pending = plan.targets.filter(({ stage, wave }) => stage === 'Pending' && wave === undefined)
  const untimed = untimedBecause({ ready, plan, durations, now }, pending.length)
  const { schedule } = plan
  const last = begun.at(-1)
  const upcoming =
    untimed === 'inOrder'
      ? upcomingWaves(pending, { ...schedule, pauseMs: 0 }, { last, durations: IN_ORDER, now })
      : untimed || !durations
        ? []
        : upcomingWaves(pending, schedule, { last, durations, now })
  const levels = new Levels(ready, schedule.keepsOld)
  const waves = [
    ...begun.map((wave) => ({ ...wave, targets: plan.targets.filter((target) => target.wave === wave.number) })),
    ...upcoming,
  ].map(({ targets, ...wave }) => ({ ...wave, workloads: targets.length, ...levels.next(targets) }))
  return {
    waves,
    limits: limitsOf(waves, ready.before, levels),
    durations,
    untimed,
    to: Math.max(now, ...waves.map(({ to }) => to.latest)),
  }
}

function untimedBecause({ ready, plan, durations, now }: BandFacts, pending: number): Band['untimed'] {
  const running = ready.waves.at(-1)
  if (running && !running.isOver && durations && now > running.from + durations.slow) return 'overdue'
  if (pending === 0) return undefined
  if (plan.phase === 'AwaitingApproval') return durations ? undefined : 'inOrder'
  if (plan.phase !== 'Running') return 'notRunning'
  return durations ? undefined : 'unmeasured'
}

const at = (time: EpochMs): Span => ({ earliest: time, typical: time, latest: time })

const later = ({ earliest, typical, latest }: Span, by: Omit<WaveDurations, 'measured'>): Span => ({
  earliest: earliest + by.fast,
  typical: typical + by.typical,
  latest: latest + by.slow,
})

const notBefore = ({ earliest, typical, latest }: Span, time: EpochMs): Span => ({
  earliest: Math.max(earliest, time),
  typical: Math.max(typical, time),
  latest: Math.max(latest, time),
})

type TimedWave = Pick<BandWave, 'number' | 'from' | 'to' | 'isUpcoming'>

/** A running wave does not end before now. */
function begunWave({ number, from, to, isOver }: BegunWave, durations: WaveDurations | undefined, now: EpochMs) {
  const end = isOver || !durations ? at(to) : notBefore(later(at(from), durations), now)
  return { number, from: at(from), to: end, isUpcoming: false }
}

interface Upcoming {
  last: TimedWave | undefined
  durations: WaveDurations
  now: EpochMs
}

/**
 * Divides the pending workloads into waves as the controller will: each wave begins after the pause of the previous
 * one.
 */
function upcomingWaves(
  pending: readonly Target[],
  schedule: PlanRunView['schedule'],
  { last, durations, now }: Upcoming,
): (TimedWave & { targets: Target[] })[] {
  const pause = { fast: schedule.pauseMs, typical: schedule.pauseMs, slow: schedule.pauseMs }
  let [end, number] = [last?.to, last?.number ?? 0]
  return groupsOf(pending, schedule).map((targets) => {
    const from = notBefore(end ? later(end, pause) : at(now), now)
    end = later(from, durations)
    number += 1
    return { number, from, to: end, isUpcoming: true, targets }
  })
}

function groupsOf(pending: readonly Target[], { workloads, replicas = Infinity }: PlanRunView['schedule']): Target[][] {
  const groups: Target[][] = []
  let moved = 0
  for (const target of pending) {
    const group = groups.at(-1)
    if (group && group.length < workloads && moved + target.moved <= replicas) {
      group.push(target)
      moved += target.moved
    } else {
      groups.push([target])
      moved = target.moved
    }
  }
  return groups
}

/** Levels of ready replicas by wave: moved workloads may have gained replicas, or lost some permanently. */
class Levels {
  readonly #initial: ReadonlyMap<string, number>
  readonly #keepsOld: boolean
  settled: Limits
  /** `settled` after each wave. */
  readonly after: Limits[] = []

  constructor({ before, initial }: Pick<ReadyOver, 'before' | 'initial'>, keepsOld: boolean) {
    this.#initial = initial
    this.#keepsOld = keepsOld
    this.settled = { least: before, most: before }
  }

  next(targets: readonly Target[]): Limits & { predicted: number } {
    const sum = (amount: (target: Target, had: number) => number): number =>
      targets.reduce((all, target) => all + Math.max(0, amount(target, this.#initial.get(target.id) ?? 0)), 0)
    const before = this.settled
    const gained = sum((target, had) => wantedOf(target) - had)
    const lost = sum((target, had) => had - wantedOf(target))
    const dip = sum(({ ready: { expected } }, had) => had - (expected ?? had))
    const budget = sum(({ ready: { floor } }, had) => had - (floor ?? 0))
    const surge = this.#keepsOld ? sum(({ moved }) => moved) : 0
    this.settled = { least: before.least - lost, most: before.most + gained }
    this.after.push(this.settled)
    const predicted = Math.max(0, before.least - dip)
    return {
      predicted,
      least: Math.max(0, Math.min(predicted, before.least - Math.max(budget, lost))),
      most: this.settled.most + surge,
    }
  }
}

const wantedOf = ({ predicted, actual }: Target): number =>
  (actual ?? predicted).reduce((sum, { replicas }) => sum + replicas, 0)

/**
 * Returns for each time the minimum and maximum over all waves that may run then, and over the results of earlier ones.
 */
function limitsOf(waves: readonly BandWave[], before: number, { after }: Levels): Steps<Limits> {
  const edges = waves.flatMap(({ from, to }) => [from.earliest, to.latest])
  const limits = new Steps<Limits>()
  for (const time of [...new Set(edges)].toSorted((a, b) => a - b)) {
    const possible: Limits[] = []
    // The result of the last wave that is certainly finished, and of any wave that may be.
    const over = waves.findLastIndex(({ to }) => to.latest <= time)
    possible.push(after[over] ?? { least: before, most: before })
    waves.forEach((wave, index) => {
      if (wave.from.earliest <= time && time < wave.to.latest) possible.push(wave)
      if (index > over && wave.to.earliest <= time) possible.push(after[index]!)
    })
    limits.push(time, {
      least: Math.max(0, Math.min(...possible.map(({ least }) => least))),
      most: Math.max(...possible.map(({ most }) => most)),
    })
  }
  return limits
}
