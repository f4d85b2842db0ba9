/**
 * Explains why a cluster is or is not selected for the workload, with the scheduling code itself: a fresh scheduling
 * or, if scheduling fails, the current attempt.
 */
import {
  type ClusterVerdict,
  explainAttempts,
  withoutPeriod,
  explainVerdict,
  factsOf as clusterFacts,
  isInGroup,
  matchesAffinity,
  scheduleBinding,
  type ScheduleVerdict,
} from '@/lib/domain/placement'
import { isConditionTrue } from '@/lib/kube/conditions'
import { message, type Message, type Value } from '@/lib/messages/message'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { WhyView } from '../model'
import { type AnyBinding, hasReplicas } from './binding-facts'

/** Estimate that means "unlimited". */
const NO_LIMIT = 2 ** 31 - 1

type Rejection = NonNullable<ClusterVerdict['rejectedBy']>

/** Shared by all rows of a run. */
interface Run {
  binding: AnyBinding
  verdict: ScheduleVerdict
  clusters: readonly Cluster[]
  /** Sum of all weights of the division. */
  totalWeight: number
}

/** Returns one row per cluster, sorted by name. Empty for a binding without placement, which the scheduler ignores. */
export function explainPlacement(binding: AnyBinding, clusters: readonly Cluster[]): WhyView[] {
  if (!binding.spec.placement) return []
  const mode = isFailing(binding) ? {} : { mode: 'Fresh' as const }
  return explainVerdictOf(binding, clusters, scheduleBinding({ binding, clusters, ...mode }))
}

/** Same as `explainPlacement` for an existing run. */
export function explainVerdictOf(
  binding: AnyBinding,
  clusters: readonly Cluster[],
  verdict: ScheduleVerdict,
): WhyView[] {
  const lines = explainVerdict(
    verdict,
    clusters.map(({ metadata }) => metadata.name),
  )
  const run = { binding, verdict, clusters, totalWeight: lines.reduce((sum, { weight = 0 }) => sum + weight, 0) }
  return lines.map((line) => toWhy(line, run))
}

/** Reports whether the scheduler finds no placement. */
function isFailing({ status }: AnyBinding): boolean {
  return status?.lastScheduledTime !== undefined && !isConditionTrue(status.conditions, 'Scheduled')
}

function toWhy(line: ClusterVerdict, run: Run): WhyView {
  const { cluster, fits, score, weight, replicas } = line
  const capacity = capacityOf(line)
  return {
    cluster,
    fits,
    sentence: decisionOf(line, run),
    ...(score !== undefined && { score }),
    ...(capacity !== undefined && { capacity }),
    ...(weight !== undefined && { weight }),
    ...(replicas !== undefined && hasReplicas(run.binding) && { replicas }),
  }
}

function capacityOf({ allocatableReplicas }: ClusterVerdict): number | undefined {
  return allocatableReplicas !== undefined && allocatableReplicas < NO_LIMIT ? allocatableReplicas : undefined
}

function decisionOf(line: ClusterVerdict, run: Run): Message | string {
  const { rejectedBy, selected, replicas } = line
  const ofGroup = run.binding.spec.placement?.clusterAffinities && groupDecision(line, run)
  if (ofGroup !== undefined) return ofGroup
  if (rejectedBy) return rejectionOf(rejectedBy, run)
  if (replicas === undefined) return failureOf(run)
  if (!selected) return withFacts(message('placement.why.notSelected'), line, run)
  if (!hasReplicas(run.binding)) return message('placement.why.copy')
  return withFacts(replicas > 0 ? message('placement.why.replicas', { n: replicas }) : leftOut(line, run), line, run)
}

function failureOf({ verdict }: Run): Message {
  const { failure } = verdict
  return failure === undefined
    ? message('placement.why.notEnough')
    : message('placement.why.noReplicas', { why: withoutPeriod(failure.message) })
}

function rejectionOf(rejected: Rejection, run: Run): Message {
  switch (rejected.rule) {
    case 'APIEnablement': {
      const { apiVersion, kind } = run.binding.spec.resource
      return message('placement.why.api', { kind, apiVersion })
    }
    case 'TaintToleration':
      return message('placement.why.taint', { taint: /\{(.*)\}/.exec(rejected.reason)?.[1] ?? rejected.reason })
    case 'ClusterAffinity':
      return message('placement.why.affinity')
    case 'SpreadConstraint':
      return message('placement.why.spreadField', {
        field: /(provider|region|zone)/.exec(rejected.reason)?.[1] ?? 'field',
      })
    case 'ClusterEviction':
      return message('placement.why.evicting')
    case 'EvictionHistory':
      return message('placement.why.evictionHistory')
    case 'WorkloadAffinity':
      return message('placement.why.workloadAffinity')
    case 'WorkloadAntiAffinity':
      return message('placement.why.workloadAntiAffinity')
    case 'Deleting':
      return message('placement.why.deleting')
  }
}

/**
 * With affinity groups, returns the result for the cluster's group: failed, not tried yet, or already passed. Undefined
 * if its group was selected.
 */
function groupDecision(
  { cluster: name }: ClusterVerdict,
  { binding, verdict, clusters }: Run,
): Message | string | undefined {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  if (!cluster || cluster.metadata.deletionTimestamp) return undefined
  const facts = clusterFacts(cluster)
  const own = verdict.attempts.filter((attempt) => isInGroup(attempt, facts))
  if (own.some(({ run }) => run.outcome.ok)) return undefined
  if (own.length > 0) return explainAttempts(own, clusters)
  const terms = binding.spec.placement?.clusterAffinities ?? []
  const group = terms.find((term) =>
    [term, ...(term.overflowAffinities ?? [])].some((affinity) => matchesAffinity(affinity, facts)),
  )
  if (!group) return message('placement.why.inNoGroup')
  const [first] = verdict.attempts
  const isPassed = terms.findIndex(({ affinityName }) => affinityName === first?.affinityName) > terms.indexOf(group)
  return isPassed
    ? message('placement.why.groupPassed', { group: group.affinityName, current: first?.affinityName ?? '' })
    : message('placement.why.groupNotTried', { group: group.affinityName, current: verdict.affinityName ?? '' })
}

/** Returns why a selected cluster gets no replica. Without a weight it took no part in the division. */
function leftOut({ weight }: ClusterVerdict, { binding, totalWeight }: Run): Message {
  const scheduling = binding.spec.placement?.replicaScheduling
  if (weight !== undefined || totalWeight === 0) return message('placement.why.noneLeft')
  if (scheduling?.replicaDivisionPreference === 'Aggregated') return message('placement.why.fewerSuffice')
  return message(scheduling?.weightPreference?.dynamicWeight ? 'placement.why.noOverflow' : 'placement.why.noWeight')
}

/** Returns "Gets 2 replicas (already runs there, 10 more available and weight 12 of 40)". */
function withFacts(decision: Message, line: ClusterVerdict, { totalWeight }: Run): Message {
  const { score = 0, weight } = line
  const capacity = capacityOf(line)
  const facts: Value[] = [
    ...(score > 0 ? [message('placement.why.current')] : []),
    ...(capacity === undefined ? [] : [message('placement.why.capacity', { n: capacity })]),
    ...(weight === undefined ? [] : [message('placement.why.weight', { weight, total: totalWeight })]),
  ]
  return facts.length > 0 ? message('placement.why.withFacts', { decision, facts }) : decision
}
