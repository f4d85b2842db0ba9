/** Finds candidates by typed words: every word must occur, and names that begin with it come first. */

/** Something that can be chosen. */
export interface Candidate {
  /** What is looked at first, and shown. */
  label: string
  /** Further words that lead to it. */
  words?: string
}

export interface Found<T> {
  /** The best first; as many as were asked for at most. */
  shown: T[]
  /** How many more match. */
  more: number
}

/**
 * Finds candidates by a query. An empty query matches all, in their order; equal matches are ordered by the length of
 * the name.
 */
export function find<T extends Candidate>(candidates: readonly T[], query: string, most: number): Found<T> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { shown: candidates.slice(0, most), more: Math.max(0, candidates.length - most) }
  const ranked = candidates
    .map((candidate) => ({ candidate, cost: costOf(candidate, words) }))
    .filter(({ cost }) => cost < NO_MATCH)
    .sort((a, b) => a.cost - b.cost || a.candidate.label.length - b.candidate.label.length)
  return { shown: ranked.slice(0, most).map(({ candidate }) => candidate), more: Math.max(0, ranked.length - most) }
}

const NO_MATCH = 1000

/** The sum over the words: 0 for the whole name or the part after its last slash, up to 4 for a further word. */
function costOf({ label, words = '' }: Candidate, wanted: readonly string[]): number {
  const name = label.toLowerCase()
  const further = words.toLowerCase()
  return wanted.reduce((sum, word) => sum + costOfWord({ name, further }, word), 0)
}

function costOfWord({ name, further }: { name: string; further: string }, word: string): number {
  const last = name.slice(name.lastIndexOf('/') + 1)
  if (name === word || last === word) return 0
  if (name.startsWith(word) || last.startsWith(word)) return 1
  const at = name.indexOf(word)
  if (at >= 0) return /[^a-z0-9]/.test(name.charAt(at - 1)) ? 2 : 3
  return further.includes(word) ? 4 : NO_MATCH
}
