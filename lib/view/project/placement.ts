/** Describes a placement, one message per rule. */
import { message, type Message, type Value } from '@/lib/messages/message'
import type { ClusterAffinity, Placement, SpreadConstraint, Toleration } from '@/lib/kube/kinds/placement'

type Requirement = { key: string; operator: string; values?: readonly string[] }

/** Returns messages about selected clusters, spread constraints, division and tolerations. */
export function placementRules(placement: Placement | undefined): Message[] {
  if (!placement) return [message('placement.none')]
  return [
    ...affinityRules(placement),
    ...(placement.spreadConstraints ?? []).map(spreadRule),
    divisionRule(placement),
    ...(placement.clusterTolerations ?? []).map(tolerationRule),
  ]
}

/** Returns the clusters that an affinity selects. */
function clustersOf({
  clusterNames: names = [],
  exclude = [],
  labelSelector,
  fieldSelector,
}: ClusterAffinity = {}): Value {
  const selectors = [...selectorTexts(labelSelector), ...selectorTexts(fieldSelector)]
  const clusters = selected(names, selectors)
  return exclude.length > 0 ? message('placement.except', { clusters, excluded: exclude }) : clusters
}

function selected(names: readonly string[], selectors: readonly string[]): Value {
  if (selectors.length === 0) return names.length === 0 ? message('placement.anyCluster') : names
  return names.length === 0
    ? message('placement.matching', { selectors })
    : message('placement.namesMatching', { names, selectors })
}

/** Returns the requirements of a selector in kubectl's syntax. */
export function selectorTexts({
  matchLabels = {},
  matchExpressions = [],
}: { matchLabels?: Readonly<Record<string, string>>; matchExpressions?: readonly Requirement[] } = {}): string[] {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`)
  return [...labels, ...matchExpressions.map(requirementText)]
}

function requirementText({ key, operator, values = [] }: Requirement): string {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values.join(',')})`
}

function affinityRules({ clusterAffinities: groups = [], clusterAffinity }: Placement): Message[] {
  if (groups.length === 0) return [message('placement.on', { clusters: clustersOf(clusterAffinity) })]
  return groups.map((group, at) =>
    message(at === 0 ? 'placement.firstGroup' : 'placement.nextGroup', {
      group: group.affinityName,
      clusters: clustersOf(group),
    }),
  )
}

function spreadRule({
  spreadByLabel,
  spreadByField = 'cluster',
  minGroups: min,
  maxGroups: max,
}: SpreadConstraint): Message {
  const field = spreadByLabel || spreadByField
  if (min && max) return message('placement.spreadMinMax', { field, min, max })
  if (min) return message('placement.spreadMin', { field, min })
  return max ? message('placement.spreadMax', { field, max }) : message('placement.spread', { field })
}

function divisionRule({ replicaScheduling: division }: Placement): Message {
  if (!division || division.replicaSchedulingType === 'Duplicated') return message('placement.duplicated')
  const { replicaDivisionPreference, weightPreference } = division
  if (replicaDivisionPreference === 'Aggregated') return message('placement.aggregated')
  if (weightPreference?.dynamicWeight) return message('placement.dynamic')
  const weights = (weightPreference?.staticWeightList ?? []).map(({ targetCluster, weight }) =>
    message('placement.weight', { clusters: clustersOf(targetCluster), weight }),
  )
  return weights.length === 0 ? message('placement.even') : message('placement.weighted', { weights })
}

function tolerationRule({ key, value, effect, tolerationSeconds: seconds }: Toleration): Message {
  const any = effect ? message('placement.anyTaintOf', { effect }) : message('placement.anyTaint')
  const taint = key ? `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}` : any
  return seconds === undefined
    ? message('placement.tolerates', { taint })
    : message('placement.toleratesFor', { taint, span: { ms: seconds * 1000 } })
}
