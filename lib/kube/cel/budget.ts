/** Cost limit of an evaluation, in steps: one per expression node visited in a loop. */

/** The evaluation was too expensive and was given up. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

let left = Infinity

/** Counts steps of the evaluation under way. Throws when they are used up. */
export function spend(steps: number): void {
  left -= steps
  if (left < 0) throw new BudgetExceeded('call cost limit exceeded')
}

/** Runs `evaluate` with at most `steps`. Evaluations are synchronous, so one counter serves all. */
export function withBudget<T>(steps: number, evaluate: () => T): T {
  const before = left
  left = Math.min(before, steps)
  try {
    return evaluate()
  } finally {
    left = before
  }
}
