/** A finding, and the smallest sequence that reproduces it. */
import type { Step } from './steps'

export interface Complaint {
  /** Which guarantee does not hold. */
  oracle: string
  what: string
}

export interface Finding extends Complaint {
  target: string
  sequence: number
  /** How often it was found in this run. */
  times: number
  /** Found again when the sequence was repeated on a new product. */
  confirmed: boolean
  /** Repeats the whole sequence. */
  command: string
  /** The remaining steps after removing all unneeded ones, setup included. */
  reproduction: readonly Step[]
}

/** Two complaints with the same key are one finding: numbers and names of one sequence do not count. */
export function keyOf(target: string, { oracle, what }: Complaint): string {
  return `${target} ${oracle} ${what
    .replaceAll(/fz-[a-z]+-\d+\S*/g, 'NAME')
    .replaceAll(/\d+(\.\d+)?/g, 'N')
    .slice(0, 160)}`
}

/** A step as a person reads it: long bodies are cut. */
export function shortened(step: Step): Step {
  const cut = (text: string): string =>
    text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text
  switch (step.do) {
    case 'request':
      return step.body === undefined ? step : { ...step, body: cut(step.body) }
    case 'raw':
      return { ...step, bytes: cut(step.bytes) }
    default:
      return step
  }
}
