/** Randomness as an argument: runs with the same seed make the same choices. */
export interface Rng {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from 0 (included) to `bound` (excluded). */
  below(bound: number): number
}

/** A generator with the given seed (mulberry32): fast, well distributed, and not for secrets. */
export function seededRng(seed: number): Rng {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (bound) => Math.floor(next() * bound) }
}
