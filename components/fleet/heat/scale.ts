/** The steps of the blue ramp: one scale for everything in the picture. */

/** Tokens `amount-2` to `amount-7`; the first step of the ramp is too pale for a mark without an outline. */
export const STEPS = 6
const RATIOS = [2, 3, 4, 5, 6, 8, 10]

export interface Scale {
  /** The smallest number of replicas of each step, the first is 1. */
  from: readonly number[]
}

/** Each step has as many times the replicas of the one before; the last one holds `most`. */
export function scaleOf(most: number): Scale {
  const ratio = RATIOS.find((each) => each ** STEPS > most) ?? Math.ceil((most + 1) ** (1 / STEPS))
  return { from: Array.from({ length: STEPS }, (_, step) => ratio ** step) }
}

/** The step of a number of replicas, from 0. */
export function stepOf({ from }: Scale, replicas: number): number {
  let step = 0
  while (step + 1 < from.length && replicas >= (from[step + 1] ?? Infinity)) step += 1
  return step
}
