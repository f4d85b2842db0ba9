/** Privilege escalation check: whether a user holds the permissions to grant, and the message about missing ones. */
import type { PolicyRule } from '../kinds/cluster-role'
import { matchesPath } from './rules'

/** Comparing these many values takes a fraction of a second. */
const MAX_COMPARISONS = 2_000_000
/** Rules of no more smallest parts than this are split at once, which is what refusals are told from. */
const FEW_PARTS = 1000

/** Thrown when comparing the rules would take too long. */
export class TooManyRules extends Error {
  override readonly name = 'TooManyRules'

  constructor() {
    super('the rules are too many to be checked for privilege escalation: split them over several roles')
  }
}

/**
 * The rights in `wanted` that no single rule of `held` covers. Each is as small as possible, except in rules with more
 * than 1000 combinations of verb, group, resource and name, whose uncovered rest is reported as a whole. Limited to
 * comparing `most` values: throws TooManyRules.
 */
export function uncovered(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
  most = MAX_COMPARISONS,
): PolicyRule[] {
  const budget = { left: most }
  return wanted.flatMap((rule) =>
    partsOf(rule) <= FEW_PARTS
      ? smallestParts(rule).filter((part) => !held.some((own) => covers(own, part, budget)))
      : kindsOf(rule).flatMap((one) => remainder(one, held, budget)),
  )
}

interface Budget {
  left: number
}

function spend(budget: Budget, values: number): void {
  budget.left -= values
  if (budget.left < 0) throw new TooManyRules()
}

function partsOf({ verbs, apiGroups = [], resources = [], ...rest }: PolicyRule): number {
  const { nonResourceURLs = [], resourceNames = [] } = rest
  const onResources = apiGroups.length * resources.length * Math.max(1, resourceNames.length)
  return verbs.length * (onResources + nonResourceURLs.length)
}

function valuesOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): number {
  return verbs.length + apiGroups.length + resources.length + resourceNames.length + nonResourceURLs.length
}

/** A rule may be about resources and about paths: the two are covered apart. */
function kindsOf({ nonResourceURLs, ...onResources }: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [] } = onResources
  return [
    ...(apiGroups.length > 0 && resources.length > 0 ? [onResources] : []),
    ...(nonResourceURLs?.length ? [{ verbs, nonResourceURLs }] : []),
  ]
}

/** What of a rule is left without the parts that single rules of `held` cover. */
function remainder(wanted: PolicyRule, held: readonly PolicyRule[], budget: Budget): PolicyRule[] {
  let left = [wanted]
  for (const own of held) {
    left = left.flatMap((piece) => without(piece, own, budget))
    if (left.length === 0) break
  }
  return left
}

type Values = 'verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs'

/**
 * `piece` without what `own` covers: pieces that do not overlap. A box less another box is a box for each side on which
 * the first reaches beyond the second, so that no product of the sides is ever made.
 */
function without(piece: PolicyRule, own: PolicyRule, budget: Budget): PolicyRule[] {
  spend(budget, valuesOf(own) + valuesOf(piece) + 1)
  const sides: [side: Values, isCovered: (value: string) => boolean][] = piece.nonResourceURLs
    ? [
        ['verbs', oneOf(own.verbs)],
        ['nonResourceURLs', (url) => (own.nonResourceURLs ?? []).some((path) => matchesPath(path, url))],
      ]
    : [
        ['verbs', oneOf(own.verbs)],
        ['apiGroups', oneOf(own.apiGroups)],
        ['resources', oneResourceOf(own.resources)],
      ]
  const named = own.resourceNames ?? []
  if (!piece.nonResourceURLs && named.length > 0) {
    if (!piece.resourceNames?.length) return [piece]
    const names = new Set(named)
    sides.push(['resourceNames', (name) => names.has(name)])
  }
  let rest = piece
  const left: PolicyRule[] = []
  for (const [side, isCovered] of sides) {
    const values = rest[side] ?? []
    const covered = values.filter(isCovered)
    if (covered.length === 0) return [piece]
    if (covered.length === values.length) continue
    const inside = new Set(covered)
    left.push({ ...rest, [side]: values.filter((value) => !inside.has(value)) })
    rest = { ...rest, [side]: covered }
  }
  return left
}

function oneOf(held: readonly string[] = []): (value: string) => boolean {
  const all = new Set(held)
  return (value) => all.has('*') || all.has(value)
}

function oneResourceOf(held: readonly string[] = []): (resource: string) => boolean {
  const all = new Set(held)
  return (resource) => {
    if (all.has('*') || all.has(resource)) return true
    const slash = resource.indexOf('/')
    return slash >= 0 && all.has(`*${resource.slice(slash)}`)
  }
}

/** One rule for each group, resource, verb and name, and for each path and verb. */
function smallestParts(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [] } = rule
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}]
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
      ),
    ),
  )
  const onPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })))
  return [...onResources, ...onPaths]
}

function covers(held: PolicyRule, part: PolicyRule, budget: Budget): boolean {
  spend(budget, valuesOf(held))
  return (
    coversAll(held.verbs, part.verbs)
    && coversAll(held.apiGroups, part.apiGroups)
    && (part.resources ?? []).every((resource) => coversResource(held.resources ?? [], resource))
    && (part.nonResourceURLs ?? []).every((url) => (held.nonResourceURLs ?? []).some((own) => matchesPath(own, url)))
    && coversNames(held.resourceNames ?? [], part.resourceNames ?? [])
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
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const texts = parts.flatMap(([name, values]) => (values?.length ? [`${name}:${quotedList(values)}`] : []))
  return `{${texts.join(', ')}}`
}

/** A list of texts as Go prints it with quotes. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`
}
