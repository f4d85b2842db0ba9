/** The order of preference of the candidates. */
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
  keys.sort()
  const places = placesFor(candidates)
  const sorted = new Array<Candidate>(candidates.length)
  for (let at = 0; at < keys.length; at += 1)
    sorted[at] = candidates[keys[at]! - Math.floor(keys[at]! / places) * places]!
  return sorted
}

/**
 * Returns one number for each candidate, because numbers are sorted several times faster than by a comparison function.
 * It puts the parts of the preference one after the other and the place in the list last. Undefined if they need more
 * digits than a number has, if an amount is no whole number, or if the list is not in the order of ranks.
 */
function preferenceKeys(candidates: readonly Candidate[]): Float64Array | undefined {
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
  const places = placesFor(candidates)
  if (tiers * scores.size * rooms.size * places > Number.MAX_SAFE_INTEGER) return undefined
  const keys = new Float64Array(candidates.length)
  for (let place = 0; place < keys.length; place += 1) {
    const { overflowOrder, score, availableReplicas } = candidates[place]!
    const better = overflowOrder * scores.size + scores.max - score
    keys[place] = (better * rooms.size + rooms.max - availableReplicas) * places + place
  }
  return keys
}

/** A power of two, so that dividing by it is exact. */
const placesFor = ({ length }: readonly Candidate[]): number => 2 ** Math.ceil(Math.log2(length))

class Span {
  min = Infinity
  max = -Infinity

  add(value: number): void {
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }

  get size(): number {
    return this.max - this.min + 1
  }
}
