/** The expressions with which a webhook chooses among the writes that its rules name. */
import { type CelProgram, compileCel } from '../cel'
import type { Result } from '@/lib/std/result'

/** Variables of an expression. */
const VARIABLES = { object: 'dyn', oldObject: 'dyn', request: 'dyn' } as const

/** Input of the conditions; absent values are null. */
export interface ConditionInput {
  object: unknown
  oldObject: unknown
  request: unknown
}

/** Compiles the expression of a match condition. Fails with the text of kube-apiserver. */
export function compileMatchCondition(expression: string): Result<CelProgram> {
  return compileCel(expression, VARIABLES)
}

/** Result of the match conditions: call, skip, or an error. */
export type ConditionVerdict = { matches: boolean; errors?: undefined } | { matches: false; errors: string[] }

/** One condition that is false settles it; only without one do failures count. */
export function judgeConditions(programs: readonly CelProgram[], input: ConditionInput): ConditionVerdict {
  const errors: string[] = []
  for (const program of programs) {
    const outcome = program.run({ ...input })
    if (!outcome.ok) errors.push(`expression '${program.expression}' resulted in error: ${outcome.error.message}`)
    else if (outcome.value === false) return { matches: false }
  }
  return errors.length > 0 ? { matches: false, errors } : { matches: true }
}
