/** `x-kubernetes-validations`: rules in CEL about the values of a schema, compiled once for each schema. */
import type { Environment } from '@marcbachmann/cel-js'
import { Optional } from '@marcbachmann/cel-js'
import { type CelProgram, compileIn } from '../cel/compile'
import { type Declared, declareSchema, withIdentity } from '../cel/declare'
import { newEnvironment } from '../cel/environment'
import { ok, type Result } from '@/lib/std/result'
import type { StructuralSchema, ValidationRule } from '../schema'

/** A rule that is ready to run. */
export interface CompiledRule {
  source: ValidationRule
  program: CelProgram
  message: CelProgram | undefined
  /** True for a transition rule: it is not evaluated for new values. */
  transition: boolean
}

/** Rules of a schema and its nested schemas; schemas without rules are omitted. */
export interface RuleTree {
  rules: readonly CompiledRule[]
  declared: Declared | undefined
  schema: StructuralSchema
  properties: ReadonlyMap<string, RuleTree>
  items: RuleTree | undefined
  values: RuleTree | undefined
}

/** A rule that cannot be compiled, and why. */
export interface RuleProblem {
  /** Which rule of the schema. */
  index: number
  part: 'rule' | 'messageExpression'
  detail: string
}

const trees = new WeakMap<StructuralSchema, RuleTree | undefined>()

/** The rules of a schema; undefined when it has none. Rules that cannot be compiled are left out. */
export function rulesOf(schema: StructuralSchema): RuleTree | undefined {
  if (!trees.has(schema)) trees.set(schema, compileTree(schema, true))
  return trees.get(schema)
}

/** Compile errors of the rules of a schema itself. */
export function rulesProblems(schema: StructuralSchema, isRoot: boolean): RuleProblem[] {
  const problems: RuleProblem[] = []
  compileRules(schema, isRoot, problems)
  return problems
}

function compileTree(schema: StructuralSchema, isRoot: boolean): RuleTree | undefined {
  const inside = (child: StructuralSchema | undefined): RuleTree | undefined => child && compileTree(child, false)
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, child]): [string, RuleTree][] => {
    const tree = inside(child)
    return tree ? [[name, tree]] : []
  })
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const tree: RuleTree = {
    ...compileRules(schema, isRoot, []),
    schema,
    properties: new Map(named),
    items: inside(schema.items),
    values: inside(values),
  }
  return tree.rules.length > 0 || named.length > 0 || tree.items || tree.values ? tree : undefined
}

function compileRules(
  schema: StructuralSchema,
  isRoot: boolean,
  problems: RuleProblem[],
): Pick<RuleTree, 'rules' | 'declared'> {
  const sources = schema['x-kubernetes-validations'] ?? []
  if (sources.length === 0) return { rules: [], declared: undefined }
  const types = newEnvironment()
  const declared = declareSchema(types, isRoot ? withIdentity(schema) : schema)
  const rules = sources.flatMap((source, index) => {
    const refuse = (part: RuleProblem['part'], detail: string): [] => {
      problems.push({ index, part, detail })
      return []
    }
    // A rule without an expression is missing, not broken.
    if (!source.rule?.trim()) return []
    const program = compileOne(types, declared, { source, expression: source.rule, result: 'bool' })
    if (!program.ok) return refuse('rule', resultText('cel expression', program.error))
    const message =
      source.messageExpression === undefined
        ? ok(undefined)
        : compileOne(types, declared, { source, expression: source.messageExpression, result: 'string' })
    if (!message.ok) return refuse('messageExpression', resultText('messageExpression', message.error))
    return [{ source, program: program.value, message: message.value, transition: usesOldSelf(source) }]
  })
  return { rules, declared }
}

/** An expression of another type, in the words of the validation of definitions. */
function resultText(what: string, error: string): string {
  const [, type] = /^must evaluate to (\w+) but got /.exec(error) ?? []
  if (type !== undefined) return `${what} must evaluate to a ${type}`
  return what === 'messageExpression' ? `${what} ${error}` : error
}

interface Expression {
  source: ValidationRule
  expression: string
  result: 'bool' | 'string'
}

function compileOne(types: Environment, { type }: Declared, of: Expression): Result<CelProgram> {
  const compiled = (oldType: string): Result<CelProgram> => {
    const env = types.clone().registerVariable('self', type).registerVariable('oldSelf', oldType)
    return compileIn(env, of.expression, of.result, { exact: true })
  }
  if (!of.source.optionalOldSelf) return compiled(type)
  const program = compiled(`optional<${type}>`)
  // What may be anything may be compared with an optional, too.
  const untyped = program.ok || type !== 'dyn' ? program : compiled('dyn')
  return untyped.ok ? untyped : program
}

/** Reports whether a rule asks for the old value; the name inside of a text does not count. */
export const usesOldSelf = ({ rule }: ValidationRule): boolean => /\boldSelf\b/.test(withoutTexts(rule))

/** Reports whether a rule asks for the value. */
export const usesSelf = ({ rule }: ValidationRule): boolean => /\bself\b/.test(withoutTexts(rule))

const withoutTexts = (rule: string): string => rule.replaceAll(/'[^']*'|"[^"]*"/g, '')

/** Values of the variables of a rule. */
export function bindingsOf(
  { source }: CompiledRule,
  declared: Declared,
  { value, old }: { value: unknown; old: unknown },
): Record<string, unknown> {
  const self = declared.convert(value)
  if (source.optionalOldSelf) {
    return { self, oldSelf: old === undefined ? Optional.none() : Optional.of(declared.convert(old)) }
  }
  return old === undefined ? { self } : { self, oldSelf: declared.convert(old) }
}
