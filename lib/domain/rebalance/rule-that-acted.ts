/** Determines which scheduling rule makes a workload move. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import { strategyOf } from '../division'
import { type Binding, explainAttempts, explainVerdict, rejectionMessage, type ScheduleVerdict } from '../placement'

interface Moving {
  binding: Binding
  verdict: ScheduleVerdict
}

/**
 * Returns the first rule that applies: another affinity group than the current one, a filter that rejects a former
 * cluster, spread constraints, or the division of replicas.
 */
export function ruleThatActed(
  { binding, verdict }: Moving,
  after: readonly TargetCluster[],
  { clusters }: { clusters: readonly Cluster[] },
): Message | undefined {
  const strategy = strategyOf(binding.spec.placement ?? {})
  return (
    groupRule({ binding, verdict }, clusters)
    ?? filterRule({ binding, verdict }, after, clusters)
    ?? (strategy && message(`rebalance.rule.${strategy}`))
  )
}

function groupRule({ binding: { spec, status }, verdict }: Moving, clusters: readonly Cluster[]): Message | undefined {
  const terms = spec.placement?.clusterAffinities ?? []
  const { affinityName: group } = verdict
  const inForce = status?.schedulerObservingAffinityName
  if (group === undefined || inForce === undefined || group === inForce) return undefined
  if (group === terms[0]?.affinityName) return message('rebalance.rule.firstGroup', { group })
  const failed = verdict.attempts.filter(({ run }) => !run.outcome.ok)
  if (failed.length === 0) return message('rebalance.rule.nextGroup', { group })
  return message('rebalance.rule.nextGroupAfter', { group, causes: explainAttempts(failed, clusters) })
}

function filterRule(
  { binding, verdict }: Moving,
  after: readonly TargetCluster[],
  clusters: readonly Cluster[],
): Message | undefined {
  const kept = new Set(after.map(({ name }) => name))
  const left = new Set((binding.spec.clusters ?? []).map(({ name }) => name).filter((name) => !kept.has(name)))
  const lines = explainVerdict(
    verdict,
    clusters.map(({ metadata }) => metadata.name),
  ).filter(({ cluster }) => left.has(cluster))
  const rejections = lines.flatMap(({ cluster, rejectedBy }) => {
    if (!rejectedBy) return []
    return rejectedBy.rule === 'Deleting'
      ? message('rebalance.rule.deleting', { cluster })
      : rejectionMessage(rejectedBy)
  })
  if (rejections.length > 0) return message('rebalance.rule.rejections', { rejections })
  return lines.some(({ fits, selected }) => fits && selected === false)
    ? message('rebalance.rule.spreadConstraints')
    : undefined
}
