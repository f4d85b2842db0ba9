/** The order of preference of the candidates. */
import { radixOrder } from '@/lib/std/radix-order'
import type { Candidate } from './candidate'

/** What the order of preference reads. */
type Preference = Pick<Candidate, 'overflowOrder' | 'score' | 'availableReplicas' | 'rank'>

/** Orders by preference: lower overflow order, higher score, more available replicas, name. Total. */
export function comparePreference(a: Preference, b: Preference): number {
  return (
    a.overflowOrder - b.overflowOrder
    || b.score - a.score
    || b.availableReplicas - a.availableReplicas
    || a.rank - b.rank
  )
}

/** Below this number, a comparison function is as quick. */
const MANY = 100

/** Sorts by preference; may sort the list itself. */
export function sortByPreference(candidates: Candidate[]): Candidate[] {
  const keys = candidates.length < MANY ? undefined : preferenceKeys(candidates)
  if (!keys) return candidates.sort(comparePreference)
  const sorted: Candidate[] = []
  for (const place of radixOrder(keys)) sorted.push(candidates[place]!)
  return sorted
}

/**
 * Returns the parts of the preference as one number for each candidate, because ordering thousands of clusters with a
 * comparison function would take most of the time of a decision. Undefined if the parts need more than 32 bits, if an
 * amount is no whole number, or if the list is not in the order of ranks.
 */
function preferenceKeys(candidates: readonly Candidate[]): Uint32Array | undefined {
  const [scores, rooms] = [new Span(), new Span()]
  let tiers = 0
  let last = -1
  for (const { overflowOrder, score, availableReplicas, rank } of candidates) {
    if (rank < last || !Number.isSafeInteger(availableReplicas)) return undefined
    last = rank
    tiers = Math.max(tiers, overflowOrder + 1)
    scores.add(score)
    rooms.add(availableReplicas)
  }
  if (tiers * scores.size * rooms.size > 2 ** 32) return undefined
  const keys = new Uint32Array(candidates.length)
  for (let place = 0; place < keys.length; place += 1) {
    const { overflowOrder, score, availableReplicas } = candidates[place]!
    keys[place] = (overflowOrder * scores.size + scores.max - score) * rooms.size + rooms.max - availableReplicas
  }
  return keys
}

class Span {
  #min = Infinity
  max = -Infinity

  add(value: number): void {
    if (value < this.#min) this.#min = value
    if (value > this.max) this.max = value
  }

  get size(): number {
    return this.max - this.#min + 1
  }
}
