/**
 * Schedules the writes to each socket: the first change immediately, then at the socket's own times, which differ
 * between most sockets.
 */
/** Minimum time between two messages to one socket: four a second, for any number of sockets. */
export const FLUSH_INTERVAL_MS = 250
/** The same while there are no more sockets than these. Four more a second to a thousand take a tenth of a core. */
const QUICKER = [
  { sockets: 20, intervalMs: 50 },
  { sockets: 1_000, intervalMs: 125 },
] as const

/** Returns the minimum time between two messages to one of this many sockets. */
export const flushIntervalFor = (sockets: number): number =>
  QUICKER.find((step) => sockets <= step.sockets)?.intervalMs ?? FLUSH_INTERVAL_MS
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
  /** The phase of the socket within the interval. */
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
  const untilOwnMs = (((phaseMs - free) % cycleMs) + cycleMs) % cycleMs
  return Math.max(now, free + Math.min(untilOwnMs, Math.floor(cycleMs * DRIFT)))
}

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
