/**
 * Schedules the writes to all sockets: how often each is written to, at which of a few times within that interval, and
 * in which turns of the event loop.
 */
import type { Clock, Stop } from '@/lib/std/clock'
import { FlushPace } from './flush-pace'
import { FlushTurns } from './flush-turns'

/** Minimum time between two messages to one socket where no schedule says otherwise. */
export const FLUSH_INTERVAL_MS = 250
/**
 * With more sockets than these all are written to at their own times only, so that those with the same time get the same
 * message: it is built once, and a topic is updated once for all of them.
 */
const ALIGNED_ABOVE = 1_000
/**
 * Number of times within an interval at which sockets are written to. More phases make more frames, because each frame
 * serves the readers of one phase; fewer phases make many writes coincide. Five phases are a whole interval of the
 * failover monitor apart, so that its readers, which are written to most often, share one phase.
 */
const PHASE_COUNT = 5
/** This many readers with the same rights share a phase, and therefore their frames. */
const TOGETHER = 25
/** A timer that is later than this moves the following times. */
const LATE_MS = 20
/**
 * A socket waits longer by this share of an interval until it is back at its own times, which takes seconds after a
 * very late timer.
 */
const DRIFT = 0.02

export interface FlushTiming {
  /** Milliseconds of a monotonic clock; all other times use the same clock. */
  now: number
  /** The last flush; -Infinity before the first. */
  last: number
  /** Minimum time between two flushes. */
  flushIntervalMs: number
  /** The phase of the socket within `FLUSH_INTERVAL_MS`. */
  phaseMs: number
}

/**
 * Returns the next flush of a socket: as soon as the interval allows, or slightly later to return to its phase; now
 * when that time is past. Never two within `flushIntervalMs`.
 */
export function nextFlush({ now, last, flushIntervalMs, phaseMs }: FlushTiming): number {
  const free = last + flushIntervalMs
  if (free + flushIntervalMs < now) return now
  const cycleMs = Math.min(flushIntervalMs, FLUSH_INTERVAL_MS)
  return Math.max(now, free + Math.min(untilPhase(free, phaseMs, cycleMs), Math.floor(cycleMs * DRIFT)))
}

/**
 * Returns the next own time of a socket that is written to at no other: at least `flushIntervalMs` after its last one,
 * or half of a cycle less, so that no time is missed for a change of the cycle. A time that has just passed still counts.
 */
export function nextOwnTime({
  now,
  last,
  flushIntervalMs,
  phaseMs,
  cycleMs,
}: FlushTiming & { cycleMs: number }): number {
  const from = Math.max(now - LATE_MS, last + flushIntervalMs - cycleMs / 2)
  return Math.ceil(from + untilPhase(from, (phaseMs * cycleMs) / FLUSH_INTERVAL_MS, cycleMs))
}

const untilPhase = (from: number, phaseMs: number, cycleMs: number): number =>
  (((phaseMs - from) % cycleMs) + cycleMs) % cycleMs

/** Returns the time that a flush counts from: its due time, so that slightly late timers do not reduce the rate. */
export function flushTime(due: number, now: number): number {
  return Math.min(now, Math.max(due, now - LATE_MS))
}

interface Group {
  first: number
  joined: number
  members: number
}

/** Assigns phases to sockets. Sockets with the same rights share a phase until there are many of them. */
export class FlushPhases {
  readonly #groups = new Map<string, Group>()
  #first = 0

  /** Returns a phase, in milliseconds, for a reader with these rights. */
  join(rights: string): number {
    const group = this.#groups.get(rights) ?? { first: this.#first++, joined: 0, members: 0 }
    this.#groups.set(rights, group)
    group.members += 1
    const place = (group.first + Math.floor(group.joined++ / TOGETHER)) % PHASE_COUNT
    return Math.round((place * FLUSH_INTERVAL_MS) / PHASE_COUNT)
  }

  leave(rights: string): void {
    const group = this.#groups.get(rights)
    if (group && --group.members === 0) this.#groups.delete(rights)
  }
}

/** A socket as its schedule knows it. */
export interface FlushState {
  /** The last flush; -Infinity before the first. */
  last: number
  phaseMs: number
}

export class FlushSchedule {
  readonly phases = new FlushPhases()
  readonly #clock: Clock
  readonly #sockets: () => number
  readonly #turns: FlushTurns
  readonly #pace = new FlushPace()

  /** `sockets`: how many are connected. */
  constructor(clock: Clock, sockets: () => number) {
    this.#clock = clock
    this.#sockets = sockets
    this.#turns = new FlushTurns(clock, (lateMs) => this.#pace.note(lateMs, clock.elapsed(), sockets()))
  }

  /** Reports whether sockets are written to at their own times only. */
  get isAligned(): boolean {
    return this.#sockets() > ALIGNED_ABOVE
  }

  /**
   * Returns the minimum time between two messages to one socket. `ownMs`: the interval of a topic that has its own,
   * which is not shorter than that of all others once messages are to be saved.
   */
  intervalMs(ownMs?: number): number {
    const intervalMs = this.#pace.intervalFor(this.#sockets())
    if (ownMs === undefined) return intervalMs
    return this.isAligned || this.#pace.isSlowed ? Math.max(ownMs, intervalMs) : ownMs
  }

  /** Returns when a socket may get its next message of a topic with this interval. */
  next({ last, phaseMs }: FlushState, flushIntervalMs: number): number {
    const timing = { now: this.#clock.elapsed(), last, flushIntervalMs, phaseMs }
    return this.isAligned ? nextOwnTime({ ...timing, cycleMs: this.intervalMs() }) : nextFlush(timing)
  }

  /** Returns the time that a flush counts from. */
  timeOf(due: number): number {
    return this.isAligned ? due : flushTime(due, this.#clock.elapsed())
  }

  /** Reports whether a topic with this interval may be in a message at that time. */
  allows(time: number, last: number, flushIntervalMs: number): boolean {
    return time >= last + flushIntervalMs - (this.isAligned ? this.intervalMs() / 2 : 0)
  }

  /** Runs a flush at its time, in turns with those of all other sockets. */
  at(time: number, flush: () => void): Stop {
    return this.#turns.at(time, flush)
  }
}
