/** When each socket is written to: the first change at once, then at its own times, which are not those of all others. */
/** Least time between two messages to one socket, which makes four a second. */
export const PACE_MS = 250
/**
 * Times within a beat at which sockets are written to. More of them make more frames, as each serves the readers of one
 * time; fewer make many writes wait for each other. Five lie a whole pace of the failover monitor apart, so that its
 * readers, who are written to most often, share one time.
 */
const PHASES = 5
/** So many readers with the same rights share their time, and so their frames. */
const TOGETHER = 25
/** A timer that was late by more than this moves the times after it. */
const LATE_MS = 20
/** By this part of a beat a socket waits longer until it is back at its own times: seconds, after a timer that was very late. */
const DRIFT = 0.02

export interface Turn {
  /** Milliseconds by a clock that nobody sets; all others are by the same. */
  now: number
  /** When it had its last turn; -Infinity before the first. */
  last: number
  /** Least time between two turns. */
  paceMs: number
  /** Where in the beat its own times are. */
  phaseMs: number
}

/**
 * The next turn of a socket: when the pace allows it, or a little later, as far as that leads to its own
 * times; now when that is over. Never two within `paceMs`.
 */
export function nextTurn({ now, last, paceMs, phaseMs }: Turn): number {
  const free = last + paceMs
  if (free + paceMs < now) return now
  const beatMs = Math.min(paceMs, PACE_MS)
  const untilOwnMs = (((phaseMs - free) % beatMs) + beatMs) % beatMs
  return Math.max(now, free + Math.min(untilOwnMs, Math.floor(beatMs * DRIFT)))
}

/** What counts as the time of a turn: when it was due, so that timers that are a little late do not slow the pace down. */
export function turnAt(due: number, now: number): number {
  return Math.min(now, Math.max(due, now - LATE_MS))
}

interface Group {
  first: number
  joined: number
  members: number
}

/** Gives sockets their times within the beat. Those of the same rights share one until there are many of them. */
export class Phases {
  readonly #groups = new Map<string, Group>()
  #first = 0

  /** A place within the beat, in milliseconds, for a reader of those rights. */
  join(rights: string): number {
    const group = this.#groups.get(rights) ?? { first: this.#first++, joined: 0, members: 0 }
    this.#groups.set(rights, group)
    group.members += 1
    const place = (group.first + Math.floor(group.joined++ / TOGETHER)) % PHASES
    return Math.round((place * PACE_MS) / PHASES)
  }

  leave(rights: string): void {
    const group = this.#groups.get(rights)
    if (group && --group.members === 0) this.#groups.delete(rights)
  }
}
