/**
 * Why a cluster has or has not the workload: the scheduling code itself is asked, as it would schedule afresh, and where
 * scheduling fails, as it tries now.
 */
import {
  type ClusterVerdict, explainAttempt, explainVerdict, factsOf as clusterFacts, isInGroup, matchesAffinity, scheduleBinding,
  type ScheduleVerdict,
} from '@/lib/domain/placement'
import { isConditionTrue } from '@/lib/kube/conditions'
import { formatCount, formatNumberOf } from '@/lib/format/numbers'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { WhyView } from '../model'
import { type AnyBinding, hasReplicas } from './binding-facts'

/** The estimate of what is not estimated at all. */
const NO_LIMIT = 2 ** 31 - 1

type Rejection = NonNullable<ClusterVerdict['rejectedBy']>

/** What all lines of one run share. */
interface Run {
  binding: AnyBinding
  verdict: ScheduleVerdict
  clusters: readonly Cluster[]
  /** Sum of all weights by which replicas were divided. */
  totalWeight: number
}

/** One line for each cluster, by name. Empty for a binding without placement, which the scheduler leaves alone. */
export function explainPlacement(binding: AnyBinding, clusters: readonly Cluster[]): WhyView[] {
  if (!binding.spec.placement) return []
  const verdict = scheduleBinding({ binding, clusters, ...(isFailing(binding) ? {} : { mode: 'Fresh' as const }) })
  const lines = explainVerdict(verdict, clusters.map(({ metadata }) => metadata.name))
  const run = { binding, verdict, clusters, totalWeight: lines.reduce((sum, { weight = 0 }) => sum + weight, 0) }
  return lines.map((line) => toWhy(line, run))
}

/** The scheduler tries to place it and finds no place. */
function isFailing({ status }: AnyBinding): boolean {
  return status?.lastScheduledTime !== undefined && !isConditionTrue(status.conditions, 'Scheduled')
}

function toWhy(line: ClusterVerdict, run: Run): WhyView {
  const { cluster, fits, score, weight, replicas } = line
  const capacity = capacityOf(line)
  return {
    cluster, fits, sentence: `${sentenceOf(line, run)}.`,
    ...(score !== undefined && { score }),
    ...(capacity !== undefined && { capacity }),
    ...(weight !== undefined && { weight }),
    ...(replicas !== undefined && hasReplicas(run.binding) && { replicas }),
  }
}

function capacityOf({ allocatableReplicas }: ClusterVerdict): number | undefined {
  return allocatableReplicas !== undefined && allocatableReplicas < NO_LIMIT ? allocatableReplicas : undefined
}

function sentenceOf(line: ClusterVerdict, run: Run): string {
  const { rejectedBy, selected, replicas } = line
  const ofGroup = run.binding.spec.placement?.clusterAffinities && groupSentence(line, run)
  if (ofGroup !== undefined) return ofGroup
  if (rejectedBy) return rejectionText(rejectedBy, run)
  if (replicas === undefined) return `It fits, but nothing can be placed: ${failureText(run)}`
  if (!selected) return `It fits, but the spread constraints prefer other clusters${factsOf(line, run)}`
  if (!hasReplicas(run.binding)) return 'It would get a copy'
  if (replicas > 0) return `It would get ${formatNumberOf(replicas, 'replica')}${factsOf(line, run)}`
  return `It fits, but ${leftOutText(line, run)}${factsOf(line, run)}`
}

function failureText({ verdict: { failure } }: Run): string {
  return failure?.message.replace(/\.$/, '') ?? 'the clusters do not suffice'
}

function rejectionText({ rule, reason }: Rejection, run: Run): string {
  switch (rule) {
    case 'APIEnablement': {
      const { apiVersion, kind } = run.binding.spec.resource
      return `It does not serve ${kind} of ${apiVersion}`
    }
    case 'TaintToleration':
      return `It has a taint that the placement does not tolerate: ${/\{(.*)\}/.exec(reason)?.[1] ?? reason}`
    case 'ClusterAffinity':
      return 'The placement does not ask for it'
    case 'SpreadConstraint':
      return `It has no ${/(provider|region|zone)/.exec(reason)?.[1] ?? 'field'}, by which the placement spreads`
    case 'ClusterEviction':
      return 'The workload is just being evicted from it'
    case 'EvictionHistory':
      return 'The workload failed there a short while ago, and its policy keeps it away for a while'
    case 'WorkloadAffinity':
      return 'A workload that belongs together with it does not run there'
    case 'WorkloadAntiAffinity':
      return 'A workload from which it is to stay apart runs there'
    case 'Deleting':
      return 'It is being deleted'
  }
}

/**
 * With affinity groups, what became of the group of the cluster: tried in vain, not tried yet, or passed already.
 * Undefined where its group won.
 */
function groupSentence({ cluster: name }: ClusterVerdict, { binding, verdict, clusters }: Run): string | undefined {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  if (!cluster || cluster.metadata.deletionTimestamp) return undefined
  const facts = clusterFacts(cluster)
  const own = verdict.attempts.filter((attempt) => isInGroup(attempt, facts))
  if (own.some(({ run }) => run.outcome.ok)) return undefined
  if (own.length > 0) return own.map((attempt) => explainAttempt(attempt, clusters)).join('; ')
  const terms = binding.spec.placement?.clusterAffinities ?? []
  const group = terms.find((term) =>
    [term, ...(term.overflowAffinities ?? [])].some((affinity) => matchesAffinity(affinity, facts)))
  if (!group) return 'No affinity group of the placement includes it'
  const [first] = verdict.attempts
  const isPassed = terms.findIndex(({ affinityName }) => affinityName === first?.affinityName) > terms.indexOf(group)
  return isPassed
    ? `It is in affinity group ${group.affinityName}; the scheduler has gone on to ${first?.affinityName}, and only a `
      + 'rebalance tries the groups from the first'
    : `It is in affinity group ${group.affinityName}, which is only tried when ${verdict.affinityName} cannot take it`
}

/** Why a selected cluster gets nothing. Without a weight it took no part in the division. */
function leftOutText({ weight }: ClusterVerdict, { binding, totalWeight }: Run): string {
  const scheduling = binding.spec.placement?.replicaScheduling
  if (weight !== undefined || totalWeight === 0) return 'no replicas are left for it'
  if (scheduling?.replicaDivisionPreference === 'Aggregated') return 'fewer clusters suffice'
  return scheduling?.weightPreference?.dynamicWeight ? 'nearer clusters suffice' : 'the placement gives it no weight'
}

/** ` (runs there already, room for 10 more, weight 12 of 40)` */
function factsOf(line: ClusterVerdict, { totalWeight }: Run): string {
  const { score = 0, weight } = line
  const capacity = capacityOf(line)
  const facts = [
    ...(score > 0 ? ['runs there already'] : []),
    ...(capacity === undefined ? [] : [`room for ${formatCount(capacity)} more`]),
    ...(weight === undefined ? [] : [`weight ${formatCount(weight)} of ${formatCount(totalWeight)}`]),
  ]
  return facts.length > 0 ? ` (${facts.join(', ')})` : ''
}
