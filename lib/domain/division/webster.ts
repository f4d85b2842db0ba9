/**
 * Webster's method (Sainte-Laguë) for dividing replicas by weight.
 *
 * Each seat goes to the party with the largest votes / (2·seats + 1). Ties go to the party with fewer seats, then by
 * name. Seat by seat, this is slow for tens of thousands of seats, but every seat has its own quotient, so the result is
 * the largest quotients of all: those above a threshold are counted by a division for each party, and only the ones
 * around the last seat are compared with each other.
 */

import { fnv1a32 } from '@/lib/std/fnv'

export interface WebsterInput {
  seats: number
  /** Votes by party; parties are sorted by name. */
  votes: readonly number[]
  /** Whether the last tie-break prefers the later name. */
  laterNameFirst: boolean
}

/** Returns the seats by party, in the order of `votes`. All zero when the votes sum to zero. */
export function dispenseSeats({ seats, votes, laterNameFirst }: WebsterInput): number[] {
  const won: number[] = []
  const parties: number[] = []
  let [sum, total] = [0, 0]
  for (let party = 0; party < votes.length; party += 1) {
    const vote = votes[party]!
    won.push(0)
    sum += vote
    if (vote <= 0) continue
    total += vote
    parties.push(party)
  }
  if (seats <= 0 || sum === 0) return won
  if (parties.length === 0) return dispenseWithoutPositive({ seats, votes, laterNameFirst })
  const election = { seats, votes, parties, total }
  const [high, low] = thresholdsOf(election)
  const left = seats - dealAbove(high, election, won)
  if (left > 0) dealLargest(left, quotientsBelow(won, election, { low, left }), { won, laterNameFirst })
  return won
}

interface Election {
  seats: number
  votes: readonly number[]
  /** Indexes of the parties with votes, ascending. */
  parties: readonly number[]
  /** Sum of their votes. */
  total: number
}

/**
 * Returns thresholds with about √k quotients, for k parties, more and fewer above them than seats. They are guesses:
 * V / 2n, for V votes and n seats, shows by how much rounding changes the number of seats.
 */
function thresholdsOf({ seats, votes, parties, total }: Election): [high: number, low: number] {
  const middle = total / (2 * seats)
  let above = 0
  for (const party of parties) above += Math.floor((votes[party]! / middle + 1) / 2)
  const aim = 2 * seats - above
  const margin = Math.sqrt(parties.length)
  return [aim > margin ? total / (2 * (aim - margin)) : Infinity, total / (2 * Math.max(1, aim + margin))]
}

/**
 * Assigns the seats whose quotient reaches the threshold; returns their number. V / (2n − k) is high enough, because it
 * assigns between n − k and n seats.
 */
function dealAbove(high: number, { seats, votes, parties, total }: Election, won: number[]): number {
  const safe = 2 * seats > parties.length ? (total / (2 * seats - parties.length)) * (1 + 1e-12) : Infinity
  let dealt = 0
  for (const threshold of [high, safe]) {
    dealt = 0
    for (const party of parties) {
      const count = seatsAbove(votes[party]!, threshold)
      won[party] = count
      dealt += count
    }
    if (dealt <= seats) break
  }
  return dealt
}

/** Returns the number of s with votes / (2s + 1) >= threshold, as floating-point numbers. */
function seatsAbove(votes: number, threshold: number): number {
  const exact = (votes / threshold + 1) / 2
  let count = Math.floor(exact)
  // Elsewhere, rounding cannot lead to another whole number.
  const isNearWhole = Math.abs(exact - Math.round(exact)) <= exact * 1e-12
  if (!isNearWhole) return count
  while (count > 0 && quotient(votes, count - 1) < threshold) count -= 1
  while (quotient(votes, count) >= threshold) count += 1
  return count
}

function quotient(votes: number, seats: number): number {
  return votes / (2 * seats + 1)
}

/** The next quotients of the parties, ordered by party: three lists of the same length. */
interface Quotients {
  values: number[]
  parties: number[]
  /** Seats of the party before this one. */
  seats: number[]
}

/**
 * Returns the quotients of seats that are not assigned yet, down to a threshold. V / (2n + k) is low enough for at least
 * as many as seats are left.
 */
function quotientsBelow(
  won: readonly number[],
  election: Election,
  { low, left }: { low: number; left: number },
): Quotients {
  const guessed = quotientsDownTo(low, election, won)
  if (guessed.values.length >= left) return guessed
  const { seats, parties, total } = election
  return quotientsDownTo((total / (2 * seats + parties.length)) * (1 - 1e-12), election, won)
}

function quotientsDownTo(threshold: number, { votes, parties }: Election, won: readonly number[]): Quotients {
  const found: Quotients = { values: [], parties: [], seats: [] }
  for (const party of parties) {
    let seats = won[party]!
    for (let value = quotient(votes[party]!, seats); value >= threshold; value = quotient(votes[party]!, seats)) {
      found.values.push(value)
      found.parties.push(party)
      found.seats.push(seats)
      seats += 1
    }
  }
  return found
}

/** Assigns a seat for each of the `left` largest quotients. */
function dealLargest(
  left: number,
  { values, parties, seats }: Quotients,
  { won, laterNameFirst }: { won: number[]; laterNameFirst: boolean },
): void {
  const last = Float64Array.from(values).sort().at(-left)!
  const ties: number[] = []
  let open = left
  values.forEach((value, at) => {
    if (value === last) ties.push(at)
    if (value <= last) return
    won[parties[at]!]! += 1
    open -= 1
  })
  ties.sort((a, b) => seats[a]! - seats[b]! || (laterNameFirst ? b - a : a - b))
  for (const at of ties.slice(0, open)) won[parties[at]!]! += 1
}

/**
 * Handles negative votes, which come from overflowed weights. Their quotients grow with every seat, so the least
 * negative party gets all seats; parties with zero votes come first and share evenly.
 */
function dispenseWithoutPositive({ seats, votes, laterNameFirst }: WebsterInput): number[] {
  const best = Math.max(...votes)
  const ties = votes.flatMap((vote, party) => (vote === best ? [party] : []))
  const order = laterNameFirst ? ties.toReversed() : ties
  const won = votes.map(() => 0)
  if (best < 0) {
    won[order[0]!] = seats
    return won
  }
  order.forEach((party, place) => {
    won[party] = Math.floor(seats / order.length) + (place < seats % order.length ? 1 : 0)
  })
  return won
}

/**
 * Reports whether ties of a workload are broken by descending name. The UID decides, so that no cluster is always
 * preferred.
 */
export function prefersLaterName(uid: string | undefined): boolean {
  return !!uid && (fnv1a32(uid) & 1) === 1
}
