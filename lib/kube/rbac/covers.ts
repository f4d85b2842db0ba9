/** Whether somebody already holds what they want to grant, and how missing rights are told. */
import type { PolicyRule } from '../kinds/cluster-role'
import { matchesPath } from './rules'

/** The rights in `wanted` that no single rule of `held` covers, each as small as it can be. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(smallestParts).filter((part) => !held.some((rule) => covers(rule, part)))
}

/** One rule for each group, resource, verb and name, and for each path and verb. */
function smallestParts(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [] } = rule
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}]
  const onResources = apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.flatMap((verb) =>
    names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
  )))
  const onPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })))
  return [...onResources, ...onPaths]
}

function covers(held: PolicyRule, part: PolicyRule): boolean {
  return (
    coversAll(held.verbs, part.verbs) && coversAll(held.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(held.resources ?? [], resource)) &&
    (part.nonResourceURLs ?? []).every((url) => (held.nonResourceURLs ?? []).some((own) => matchesPath(own, url))) &&
    coversNames(held.resourceNames ?? [], part.resourceNames ?? [])
  )
}

function coversAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes('*') || wanted.every((value) => held.includes(value))
}

function coversResource(held: readonly string[], wanted: string): boolean {
  if (held.includes('*') || held.includes(wanted)) return true
  const slash = wanted.indexOf('/')
  return slash >= 0 && held.includes(`*${wanted.slice(slash)}`)
}

/** A right to everything is not covered by rights to some names. */
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  return held.length === 0 || (wanted.length > 0 && wanted.every((name) => held.includes(name)))
}

/** The rules as lines of a refusal: those that differ in verbs only become one, in the order of their texts. */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  const merged = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...rest } = rule
    const key = JSON.stringify(rest)
    if (rule.nonResourceURLs) merged.set(JSON.stringify(rule), rule)
    else merged.set(key, { ...rest, verbs: [...(merged.get(key)?.verbs ?? []), ...verbs] })
  }
  return [...new Set([...merged.values()].map(describeRule))].sort()
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}` */
function describeRule(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups], ['Resources', rule.resources], ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames], ['Verbs', rule.verbs],
  ]
  const texts = parts.flatMap(([name, values]) => (values?.length ? [`${name}:${quotedList(values)}`] : []))
  return `{${texts.join(', ')}}`
}

/** A list of texts as Go prints it with quotes. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`
}
