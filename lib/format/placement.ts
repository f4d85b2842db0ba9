/** A placement in words, one line for each rule. */
import type { ClusterAffinity, Placement, SpreadConstraint, Toleration } from '@/lib/kube/kinds/placement'
import { formatNumberOf, joinWords } from './numbers'
import { formatDuration } from './durations'

type Requirement = { key: string; operator: string; values?: string[] }

/** What a placement asks for: where, how spread, how divided, which taints are tolerated. */
export function placementInWords(placement: Placement | undefined): string[] {
  if (!placement) return ['No placement: every cluster may be used.']
  return [
    ...affinityLines(placement),
    ...(placement.spreadConstraints ?? []).map(spreadLine),
    divisionLine(placement),
    ...(placement.clusterTolerations ?? []).map(tolerationLine),
  ]
}

/** Which clusters an affinity admits. */
export function affinityInWords(affinity: ClusterAffinity | undefined): string {
  const rules = affinity ? affinityRules(affinity) : []
  return rules.length === 0 ? 'every cluster' : rules.join(', ')
}

function affinityRules(affinity: ClusterAffinity): string[] {
  const rules: string[] = []
  if (affinity.clusterNames?.length) rules.push(joinWords(affinity.clusterNames))
  const labels = Object.entries(affinity.labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const selected = [affinity.labelSelector, affinity.fieldSelector]
  const expressions = selected.flatMap((selector) => selector?.matchExpressions ?? [])
  const selectors = [...labels, ...expressions.map(requirementInWords)]
  if (selectors.length > 0) rules.push(`clusters with ${joinWords(selectors)}`)
  if (affinity.exclude?.length) rules.push(`but not ${joinWords(affinity.exclude)}`)
  return rules
}

function requirementInWords({ key, operator, values = [] }: Requirement): string {
  if (operator === 'Exists') return `${key} set`
  if (operator === 'DoesNotExist') return `${key} not set`
  return `${key} ${operator === 'NotIn' ? 'not in' : 'in'} (${values.join(', ')})`
}

function affinityLines(placement: Placement): string[] {
  const groups = placement.clusterAffinities ?? []
  if (groups.length === 0) return [`On ${affinityInWords(placement.clusterAffinity)}.`]
  return groups.map((group, at) => `${at === 0 ? 'First' : 'Else'} ${group.affinityName}: ${affinityInWords(group)}.`)
}

function spreadLine(constraint: SpreadConstraint): string {
  const { spreadByLabel, spreadByField = 'cluster' } = constraint
  const field = spreadByLabel ? `value of ${spreadByLabel}` : spreadByField
  const plural = spreadByLabel ? `values of ${spreadByLabel}` : `${field}s`
  const least = constraint.minGroups ? `at least ${formatNumberOf(constraint.minGroups, field, plural)}` : ''
  const most = constraint.maxGroups ? `at most ${formatNumberOf(constraint.maxGroups, field, plural)}` : ''
  return `Spread over ${[least, most].filter(Boolean).join(' and ') || plural}.`
}

function divisionLine({ replicaScheduling: division }: Placement): string {
  if (!division || division.replicaSchedulingType === 'Duplicated') return 'Every cluster gets all replicas.'
  const { replicaDivisionPreference, weightPreference } = division
  if (replicaDivisionPreference === 'Aggregated') return 'Replicas are packed into as few clusters as possible.'
  if (weightPreference?.dynamicWeight) return 'Replicas are divided by free capacity.'
  const weights = (weightPreference?.staticWeightList ?? [])
    .map(({ targetCluster, weight }) => `${affinityInWords(targetCluster)} ${weight}`)
  if (weights.length === 0) return 'Replicas are divided evenly.'
  return `Replicas are divided by weight: ${weights.join(' · ')}.`
}

function tolerationLine({ key, value, effect, tolerationSeconds: seconds }: Toleration): string {
  const taint = key ? `taint ${key}${value ? `=${value}` : ''}` : 'any taint'
  const span = seconds === undefined ? '' : ` for ${formatDuration(seconds * 1000)}`
  return `Tolerates ${taint}${effect ? ` (${effect})` : ''}${span}.`
}
