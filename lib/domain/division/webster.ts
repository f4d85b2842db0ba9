/**
 * Webster's method (Sainte-Laguë) for dividing replicas by weight.
 *
 * Each seat goes to the party with the largest votes / (2·seats + 1). Ties go to the party with fewer seats, then by
 * name. This is slow for tens of thousands of seats, so all seats above a common quotient are assigned at once and only
 * the last ones individually. The result is the same.
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
  const won = votes.map(() => 0)
  if (seats <= 0 || votes.reduce((sum, vote) => sum + vote, 0) === 0) return won
  const positive = indexesOf(votes, (vote) => vote > 0)
  if (positive.length === 0) return dispenseWithoutPositive({ seats, votes, laterNameFirst })
  const left = dealCommonQuotient({ seats, votes, parties: positive }, won)
  dealOneByOne({ seats: left, votes, parties: positive, laterNameFirst }, won)
  return won
}

interface Deal {
  seats: number
  votes: readonly number[]
  /** Indexes of the participating parties, ascending. */
  parties: readonly number[]
}

/**
 * Assigns every party the seats whose quotient reaches a threshold; returns the number of seats left. V / (2n − k), for
 * n seats, V votes and k parties, is always high enough: it assigns between n − k and n seats. The number assigned by
 * it yields a lower threshold that leaves about √k; that one is used unless it assigns too many.
 */
function dealCommonQuotient({ seats, votes, parties }: Deal, won: number[]): number {
  const total = parties.reduce((sum, party) => sum + votes[party]!, 0)
  if (2 * seats <= parties.length) return seats
  const safe = (total / (2 * seats - parties.length)) * (1 + 1e-12)
  const bias = countAbove(safe, { votes, parties }) - total / (2 * safe)
  const close = total / (2 * (seats - bias - Math.sqrt(parties.length)))
  const usable = close > 0 && close < safe && countAbove(close, { votes, parties }) <= seats
  return deal(usable ? close : safe, { seats, votes, parties }, won)
}

function countAbove(threshold: number, { votes, parties }: Pick<Deal, 'votes' | 'parties'>): number {
  return parties.reduce((sum, party) => sum + seatsAbove(votes[party]!, threshold), 0)
}

function deal(threshold: number, { seats, votes, parties }: Deal, won: number[]): number {
  let left = seats
  for (const party of parties) {
    won[party] = seatsAbove(votes[party]!, threshold)
    left -= won[party]
  }
  return left
}

/**
 * Returns the number of s with votes / (2s + 1) >= threshold, with the same floating-point operations as the individual
 * assignment.
 */
function seatsAbove(votes: number, threshold: number): number {
  let count = Math.max(0, Math.floor((votes / threshold + 1) / 2))
  while (count > 0 && quotient(votes, count - 1) < threshold) count -= 1
  while (quotient(votes, count) >= threshold) count += 1
  return count
}

function quotient(votes: number, seats: number): number {
  return votes / (2 * seats + 1)
}

/** Assigns seats individually, using a binary heap of the parties. */
function dealOneByOne({ seats, votes, parties, laterNameFirst }: Deal & WebsterInput, won: number[]): void {
  if (seats <= 0) return
  const priority = new Float64Array(votes.length)
  for (const party of parties) priority[party] = quotient(votes[party]!, won[party]!)
  const before = (a: number, b: number): boolean => {
    if (priority[a] !== priority[b]) return priority[a]! > priority[b]!
    if (won[a] !== won[b]) return won[a]! < won[b]!
    return laterNameFirst ? a > b : a < b
  }
  const heap = new Int32Array(parties)
  for (let root = (heap.length >> 1) - 1; root >= 0; root -= 1) sink(heap, root, before)
  for (let left = seats; left > 0; left -= 1) {
    const winner = heap[0]!
    won[winner]! += 1
    priority[winner] = quotient(votes[winner]!, won[winner]!)
    sink(heap, 0, before)
  }
}

function sink(heap: Int32Array, start: number, before: (a: number, b: number) => boolean): void {
  const item = heap[start]!
  let hole = start
  for (let child = 2 * hole + 1; child < heap.length; child = 2 * hole + 1) {
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
    if (!before(heap[child]!, item)) break
    heap[hole] = heap[child]!
    hole = child
  }
  heap[hole] = item
}

/**
 * Handles negative votes, which come from overflowed weights. Their quotients grow with every seat, so the least
 * negative party gets all seats; parties with zero votes come first and share evenly.
 */
function dispenseWithoutPositive({ seats, votes, laterNameFirst }: WebsterInput): number[] {
  const best = Math.max(...votes)
  const ties = indexesOf(votes, (vote) => vote === best)
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

function indexesOf(votes: readonly number[], keep: (vote: number) => boolean): number[] {
  const indexes: number[] = []
  votes.forEach((vote, index) => {
    if (keep(vote)) indexes.push(index)
  })
  return indexes
}

/**
 * Reports whether ties of a workload are broken by descending name. The UID decides, so that no cluster is always
 * preferred.
 */
export function prefersLaterName(uid: string | undefined): boolean {
  return !!uid && (fnv1a32(uid) & 1) === 1
}
