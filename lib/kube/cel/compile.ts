/** Compiles and runs expressions of users: checked once, run often, never for long. */
import type { Environment } from '@marcbachmann/cel-js'
import { err, ok, type Result } from '@/lib/std/result'
import { BudgetExceeded, withBudget } from './budget'
import { newEnvironment } from './environment'
import { compilationText, evaluationText } from './failure-text'
import { askedFor, instrument, plainSelection } from './instrument'
import { readsOf } from './reads'
import { toReadCelValue } from './value'

/** Steps that one expression may take. */
export const STEPS_PER_CALL = 1_000_000

/** Result types of an expression. */
export type CelResult = 'bool' | 'string' | 'dyn'

/** Why an expression gave no value. */
export interface CelFailure {
  message: string
  /** True when it was given up because it took too many steps. */
  exhausted: boolean
}

/** An expression that may be run any number of times. */
export interface CelProgram {
  readonly expression: string
  /** Runs with the values of variables. Variables that are left out are errors when used. */
  run(values: Readonly<Record<string, unknown>>): Result<unknown, CelFailure>
}

/**
 * Compiles an expression over variables of CEL types (`dyn` for JSON of unknown shape). Fails with the text that
 * kube-apiserver gives for it: a syntax error, an unknown name, or types that do not fit. The program takes JSON, of which it
 * converts only what the expression reads; undefined becomes null.
 */
export function compileCel(
  expression: string,
  variables: Readonly<Record<string, string>>,
  result: CelResult = 'bool',
): Result<CelProgram> {
  const env = newEnvironment()
  for (const [name, type] of Object.entries(variables)) env.registerVariable(name, type)
  const compiled = compileIn(env, expression, result)
  if (!compiled.ok) return compiled
  const reads = [...readsOf(env.parse(expression).ast)]
  return ok({
    expression,
    run: (values) => {
      const given = reads.filter(([name]) => Object.hasOwn(values, name))
      return compiled.value.run(
        Object.fromEntries(given.map(([name, read]) => [name, toReadCelValue(values[name] ?? null, read)])),
      )
    },
  })
}

/**
 * The same in an environment with registered variables, for CEL values (`toCelValue`). With `exact`, a variable or field of
 * any type is no result.
 */
export function compileIn(
  env: Environment,
  expression: string,
  result: CelResult,
  { exact = false }: { exact?: boolean } = {},
): Result<CelProgram> {
  let parsed: ReturnType<Environment['parse']>
  try {
    parsed = env.parse(expression)
  } catch (error) {
    return err(compilationText(expression, error))
  }
  instrument(parsed.ast)
  const checked = parsed.check()
  if (!checked.valid) return err(compilationText(expression, checked.error))
  const missing = plainSelection(parsed.ast) ?? missingField(env, expression, parsed.ast)
  if (missing) return err(compilationText(expression, missing))
  const isUntyped = exact && checked.type === 'dyn' && READS.has((parsed.ast as { op?: string }).op ?? '')
  if (isUntyped || !fits(checked.type, result)) return err(`must evaluate to ${result} but got ${checked.type}`)
  return ok({ expression, run: (bindings) => run(() => parsed(bindings)) })
}

/**
 * The library accepts any name in `has`; a field that the object cannot have is an error. Loop variables are not
 * checked.
 */
function missingField(env: Environment, expression: string, root: unknown): Error | undefined {
  for (const { start, end } of askedFor(root)) {
    // Blanks in front keep the position, which the text of the error names.
    const alone = expression.slice(0, start).replaceAll(/[^\n]/g, ' ') + expression.slice(start, end)
    const { error } = env.parse(alone).check()
    if (error?.message.startsWith('No such key') || error?.message.startsWith('Cannot index type')) return error
  }
  return undefined
}

/** What reads a variable, a field or an item. */
const READS = new Set(['id', '.', '[]'])

function fits(type: string | undefined, result: CelResult): boolean {
  return result === 'dyn' || type === result || type === 'dyn'
}

function run(evaluate: () => unknown): Result<unknown, CelFailure> {
  try {
    return ok(withBudget(STEPS_PER_CALL, evaluate))
  } catch (error) {
    return err({ message: evaluationText(error), exhausted: error instanceof BudgetExceeded })
  }
}
