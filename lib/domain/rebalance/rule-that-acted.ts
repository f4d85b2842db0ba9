/** Which rule of the scheduler makes a workload move. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { strategyOf } from '../division'
import { type Binding, explainAttempt, explainVerdict, rejectionText, type ScheduleVerdict } from '../placement'
import { DIVISION_RULES } from './plan-reasons'

interface Moving {
  binding: Binding
  verdict: ScheduleVerdict
}

/**
 * Names the rule in words: another affinity group than the one in force, then a rule that keeps out a cluster that is
 * left, then spread constraints, then how the replicas are divided.
 */
export function ruleThatActed(
  { binding, verdict }: Moving, after: readonly TargetCluster[], { clusters }: { clusters: readonly Cluster[] },
): string | undefined {
  const strategy = strategyOf(binding.spec.placement ?? {})
  return groupRule({ binding, verdict }, clusters) ?? filterRule({ binding, verdict }, after, clusters)
    ?? (strategy && DIVISION_RULES[strategy])
}

function groupRule({ binding: { spec, status }, verdict }: Moving, clusters: readonly Cluster[]): string | undefined {
  const terms = spec.placement?.clusterAffinities ?? []
  const { affinityName: group } = verdict
  const inForce = status?.schedulerObservingAffinityName
  if (group === undefined || inForce === undefined || group === inForce) return undefined
  if (group === terms[0]?.affinityName) return `it returns to its first affinity group ${group}`
  const failed = verdict.attempts.filter(({ run }) => !run.outcome.ok)
  const why = failed.map((attempt) => explainAttempt(attempt, clusters)).join('; ')
  return `affinity group ${group} is the first that can take it${why === '' ? '' : ` (${why})`}`
}

function filterRule(
  { binding, verdict }: Moving, after: readonly TargetCluster[], clusters: readonly Cluster[],
): string | undefined {
  const kept = new Set(after.map(({ name }) => name))
  const left = new Set((binding.spec.clusters ?? []).map(({ name }) => name).filter((name) => !kept.has(name)))
  const lines = explainVerdict(verdict, clusters.map(({ metadata }) => metadata.name))
    .filter(({ cluster }) => left.has(cluster))
  const excluded = lines.flatMap(({ cluster, rejectedBy }) => {
    if (!rejectedBy) return []
    const { rule, reason } = rejectedBy
    return [`${cluster} ${rule === 'Deleting' ? 'is being deleted' : rejectionText({ rule, reason })}`]
  })
  if (excluded.length > 0) return excluded.join(', ')
  return lines.some(({ fits, selected }) => fits && selected === false)
    ? 'its spread constraints prefer other clusters'
    : undefined
}
