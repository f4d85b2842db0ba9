/** The expressions with which a webhook chooses among the writes that its rules name. */
import { type CelProgram, celBindings, compileCel } from '../cel'
import type { Result } from '@/lib/std/result'

/** What an expression may speak of. */
const VARIABLES = { object: 'dyn', oldObject: 'dyn', request: 'dyn' } as const

/** What the conditions are asked about; what is absent is null to them. */
export interface ConditionInput {
  object: unknown
  oldObject: unknown
  request: unknown
}

/** Compiles the expression of a match condition. Fails with the text of kube-apiserver. */
export function compileMatchCondition(expression: string): Result<CelProgram> {
  return compileCel(expression, VARIABLES)
}

/** What the conditions of a webhook say: call it, leave it, or what went wrong. */
export type ConditionVerdict = { matches: boolean; errors?: undefined } | { matches: false; errors: string[] }

/** One condition that is false settles it; only without one do failures count. */
export function judgeConditions(programs: readonly CelProgram[], input: ConditionInput): ConditionVerdict {
  const bindings = celBindings({ ...input })
  const errors: string[] = []
  for (const program of programs) {
    const outcome = program.run(bindings)
    if (!outcome.ok) errors.push(`expression '${program.expression}' resulted in error: ${outcome.error.message}`)
    else if (outcome.value === false) return { matches: false }
  }
  return errors.length > 0 ? { matches: false, errors } : { matches: true }
}
