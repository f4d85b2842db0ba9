/** Evaluates RBAC rules. Rules only allow; requests without a matching rule are refused. */
import type { PolicyRule } from '../kinds/cluster-role'
import { type Attributes, combinedResource, isPathRequest, type ResourceAttributes } from './attributes'

const ALL = '*'

/** True when one of the rules allows it. */
export function rulesAllow(rules: readonly PolicyRule[], attributes: Attributes): boolean {
  return rules.some((rule) => ruleAllows(rule, attributes))
}

/** True when the rule allows it: verb, group, resource and name all match, or verb and path. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false
  if (isPathRequest(attributes)) return (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, attributes.path))
  if (!includesOrAll(rule.apiGroups, attributes.group)) return false
  return matchesResource(rule, attributes) && matchesName(rule, attributes)
}

function includesOrAll(values: readonly string[] | undefined, wanted: string): boolean {
  return values !== undefined && (values.includes(wanted) || values.includes(ALL))
}

/** `*` is every resource and subresource, `*` and a subresource that one of every resource. */
function matchesResource({ resources = [] }: PolicyRule, attributes: ResourceAttributes): boolean {
  if (includesOrAll(resources, combinedResource(attributes))) return true
  return attributes.subresource !== '' && resources.includes(`*/${attributes.subresource}`)
}

/** A request without a name, such as a list, matches no rule that is limited to names. */
function matchesName({ resourceNames = [] }: PolicyRule, { name }: ResourceAttributes): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name)
}

/** A rule's path matches itself and, when it ends with a star, everything that begins with what precedes it. */
export function matchesPath(url: string, path: string): boolean {
  if (url === ALL || url === path) return true
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))
}
