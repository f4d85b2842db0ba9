/** What every decision that is shown before it is carried out has in common: steps, and reasons in two forms. */

/** A code for programs (CamelCase, fit for a condition) and a sentence for people. */
export interface Reason {
  code: string
  text: string
}

/** One thing that a loop is to do, and why. Carrying it out twice must do no harm. */
export interface Step<Act extends string, Details = unknown> {
  act: Act
  reason: Reason
  details: Details
}

/** Builds a reason. */
export function because(code: string, text: string): Reason {
  return { code, text }
}

/** `3`, `10%` of a whole: how many that is, rounded up for shares; undefined when the text is neither. */
export function amountOf(value: number | string, whole: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined
  const match = /^(\d+)(%?)$/.exec(value)
  if (!match) return undefined
  const amount = Number(match[1])
  if (!match[2]) return amount
  return Math.ceil((Math.min(100, amount) * whole) / 100)
}

/** `1 replica`, `2 replicas`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
