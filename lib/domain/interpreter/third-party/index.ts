/** Rules of third-party kinds, for which upstream ships scripts. */
import type { BindingComponent } from '../../../kube/kinds/binding'
import type { UnknownObject } from '../../../kube/object'
import { deepEqual } from '../../../std/equal'
import { likeSource } from '../empty-tables'
import { fieldsIn } from '../json-fields'
import { ruleFor, type RulesByKind } from '../kind-key'
import type { MemberStatus } from '../member-status'
import type { InterpreterOptions } from '../options'
import type { Fields } from '../shape'
import { argoRules } from './argo'
import { flinkRules } from './flink'
import { fluxRules } from './flux'
import { kruiseRules } from './kruise'
import { kubeflowRules } from './kubeflow'
import { kyvernoRules } from './kyverno'
import { rayRules } from './ray'
import type { ThirdPartyRule } from './rule'
import { sparkRules } from './spark'
import { volcanoRules } from './volcano'
import { withoutNulls } from './without-nulls'

const RULES: RulesByKind<ThirdPartyRule> = {
  ...kruiseRules,
  ...argoRules,
  ...fluxRules,
  ...kyvernoRules,
  ...flinkRules,
  ...volcanoRules,
  ...sparkRules,
  ...rayRules,
  ...kubeflowRules,
}

type Named = Pick<UnknownObject, 'apiVersion' | 'kind'>

/** Returns the kind's rule for a question. */
export function thirdPartyRule<Q extends keyof ThirdPartyRule>(object: Named, question: Q): ThirdPartyRule[Q] {
  return ruleFor(RULES, object)?.[question]
}

/**
 * Returns replicas, health or dependencies by the kind's rule, if there is one. Nulls are removed from the object, as a
 * script would not see them.
 */
export function askThirdParty<Q extends 'replicas' | 'isHealthy' | 'needs'>(
  object: UnknownObject,
  question: Q,
): ReturnType<Required<ThirdPartyRule>[Q]> | undefined {
  const rule = thirdPartyRule(object, question) as ((asked: UnknownObject) => unknown) | undefined
  return rule?.(withoutNulls(object)) as ReturnType<Required<ThirdPartyRule>[Q]> | undefined
}

/** Reports whether the kind has several pod templates, whose replicas are known individually. */
export function hasComponentRule(object: Named): boolean {
  return thirdPartyRule(object, 'components') !== undefined
}

/** Returns the components of a workload with several templates; undefined for other kinds. Throws an InterpretError. */
export function interpretComponents(object: UnknownObject): BindingComponent[] | undefined {
  return thirdPartyRule(object, 'components')?.(withoutNulls(object))
}

/** Returns the status to collect from a member's object; undefined if the kind has no rule. */
export function reflectThirdParty(object: UnknownObject, options: InterpreterOptions): Fields | undefined {
  const reflected = thirdPartyRule(object, 'reflect')?.(withoutNulls(object), options)
  return reflected && likeSource(reflected, [])
}

/**
 * Returns the template's new status, or the identical object if nothing changed. Items are absent if nothing was ever
 * collected.
 */
export function aggregateThirdParty(
  given: UnknownObject,
  items: readonly MemberStatus[] | undefined,
  options: { now: string } & InterpreterOptions,
): unknown {
  const template = withoutNulls(given)
  const old = fieldsIn(template.status)
  const aggregated = items
    ? thirdPartyRule(given, 'aggregate')?.({ template, old, items: withoutNulls(items), ...options })
    : thirdPartyRule(given, 'aggregateNone')?.(template, old)
  if (aggregated === undefined) return given.status
  const status = likeSource(aggregated, [])
  return deepEqual(status, given.status) ? given.status : status
}
