/** Which writes the rules of a webhook are about. */
import type { RuleWithOperations } from '../kinds/admission-webhook'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** The kind of thing that a write is about. */
export interface WriteTarget {
  operation: Operation
  group: string
  version: string
  /** The plural of the kind: `pods`. */
  resource: string
  /** Empty for the object itself. */
  subresource: string
  /** A Namespace counts as cluster-scoped. */
  namespaced: boolean
}

/** True when one of the rules is about the write. */
export function matchesRules(rules: readonly RuleWithOperations[], target: WriteTarget): boolean {
  return rules.some((rule) => matchesRule(rule, target))
}

function matchesRule(rule: RuleWithOperations, target: WriteTarget): boolean {
  return (
    matchesScope(rule.scope, target.namespaced)
    && names(rule.operations, target.operation)
    && names(rule.apiGroups, target.group)
    && names(rule.apiVersions, target.version)
    && (rule.resources ?? []).some((resource) => matchesResource(resource, target))
  )
}

function matchesScope(scope: RuleWithOperations['scope'], namespaced: boolean): boolean {
  return scope === undefined || scope === '*' || (scope === 'Namespaced') === namespaced
}

function names(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(value))
}

/** `pods` matches the object alone, `pods/*` its subresources, and `*` no subresource. */
function matchesResource(text: string, { resource, subresource }: WriteTarget): boolean {
  const slash = text.indexOf('/')
  const [name, below] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)]
  return (name === '*' || name === resource) && (below === '*' || below === subresource)
}
