/** When each socket is written to: the first change at once, then at its own times, which differ from those of most others. */
/** Least time between two messages to one socket, which makes four a second. */
export const FLUSH_INTERVAL_MS = 250
/** The same while few are connected: then the writes are few as well. */
const QUICK_INTERVAL_MS = 100
const FEW_SOCKETS = 20

/** Least time between two messages to one of so many sockets. */
export const flushIntervalFor = (sockets: number): number =>
  sockets <= FEW_SOCKETS ? QUICK_INTERVAL_MS : FLUSH_INTERVAL_MS
/**
 * Times within an interval at which sockets are written to. More of them make more frames, as each serves the readers of one
 * time; fewer make many writes wait for each other. Five lie a whole interval of the failover monitor apart, so that its
 * readers, who are written to most often, share one time.
 */
const PHASE_COUNT = 5
/** So many readers with the same rights share their time, and so their frames. */
const TOGETHER = 25
/** A timer that was late by more than this moves the times after it. */
const LATE_MS = 20
/** By this part of an interval a socket waits longer until it is back at its own times: seconds, after a timer that was very late. */
const DRIFT = 0.02

export interface FlushTiming {
  /** Milliseconds of a monotonic clock; all others use the same. */
  now: number
  /** When it was flushed last; -Infinity before the first time. */
  last: number
  /** Least time between two flushes. */
  flushIntervalMs: number
  /** Where in the interval its own times are. */
  phaseMs: number
}

/**
 * The next flush of a socket: when the interval allows it, or a little later, as far as that leads to its own
 * times; now when that is over. Never two within `flushIntervalMs`.
 */
export function nextFlush({ now, last, flushIntervalMs, phaseMs }: FlushTiming): number {
  const free = last + flushIntervalMs
  if (free + flushIntervalMs < now) return now
  const cycleMs = Math.min(flushIntervalMs, FLUSH_INTERVAL_MS)
  const untilOwnMs = (((phaseMs - free) % cycleMs) + cycleMs) % cycleMs
  return Math.max(now, free + Math.min(untilOwnMs, Math.floor(cycleMs * DRIFT)))
}

/** The time that a flush counts from: when it was due, so that timers that are a little late do not make it rarer. */
export function flushTime(due: number, now: number): number {
  return Math.min(now, Math.max(due, now - LATE_MS))
}

interface Group {
  first: number
  joined: number
  members: number
}

/** Gives sockets their times within the interval. Those of the same rights share one until there are many of them. */
export class FlushPhases {
  readonly #groups = new Map<string, Group>()
  #first = 0

  /** A time within the interval, in milliseconds, for a reader of those rights. */
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
