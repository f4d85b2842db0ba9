/** Why nothing happens to a workload that seems to need it. */
import { findCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds/cluster'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '../../kube/names'
import type { EpochMs } from '../../std/clock'
import { evictCluster, isProtection } from '../eviction'
import { explainFailure, scheduleBinding } from '../placement'
import type { FailoverBinding, PolicyWords } from './binding'
import { lackOfSuccessor } from './foresee'
import { blocksOf } from './history'
import type { Blocker } from './blocker'
import { foreseeCluster, foreseeFailure, type Hindrance, type Outlook } from './outlook'
import { listFailovers } from './list-failovers'
import type { FailoverSettings, Failover, FailoverSnapshot } from './failover'

/** What is known besides the binding. */
export interface BlockerFacts {
  clusters: readonly Cluster[]
  /** All policies, or only the one that the binding was made by. */
  policies: readonly PolicyWords[]
  now: EpochMs
  settings?: FailoverSettings
  /** Whether the scheduler is asked who would take what has to leave: one run for each workload. Default true. */
  foresee?: boolean
}

/** All reasons, the most telling first; never empty: a workload to which nothing happens for no reason has none to. */
export function blockersOf(binding: FailoverBinding, facts: BlockerFacts): Blocker[] {
  if (binding.metadata.deletionTimestamp)
    return [{ reason: 'beingDeleted', sentence: 'The binding is being deleted; its copies go with it.' }]
  const { policies, foresee = true, ...rest } = facts
  const snapshot: FailoverSnapshot = { ...rest, binding, policy: policyOf(binding, policies) }
  const found = [...failing(snapshot, foresee), ...leaving(snapshot), ...unplaced(snapshot)]
  return found.length > 0 ? found : [wellOrUnknown(binding)]
}

/** The policy that a binding was made by, among those given. */
export function policyOf(
  { metadata: { annotations = {} } }: FailoverBinding,
  policies: readonly PolicyWords[],
): PolicyWords | undefined {
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  const name = annotations[POLICY_NAME_ANNOTATION] ?? annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return policies.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
}

/** Where it is and it, or the cluster, fails. */
function failing(snapshot: FailoverSnapshot, foresee: boolean): Blocker[] {
  const { spec } = snapshot.binding
  const left = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster))
  return (spec.clusters ?? []).filter(({ name }) => !left.has(name)).flatMap(({ name }) => {
    const outlook = foreseeCluster(snapshot, name) ?? foreseeFailure(snapshot, name)
    if (!outlook) return []
    return reasonsOf({ snapshot, outlook, lack: foresee ? foreseen(snapshot, name, outlook) : [] }, name)
  })
}

/** Where it is time already, that nobody could take it is all there is to say. */
function reasonsOf(
  { snapshot, outlook, lack }: { snapshot: FailoverSnapshot; outlook: Outlook; lack: Blocker[] }, cluster: string,
): Blocker[] {
  const isDue =
    outlook.cause === 'application'
    && outlook.stage === 'toleration'
    && (outlook.deadline?.at ?? Infinity) <= snapshot.now
  return isDue && lack.length > 0 ? lack : [ofOutlook(snapshot, cluster, outlook), ...lack]
}

function ofOutlook(
  snapshot: FailoverSnapshot,
  cluster: string,
  { hindrance, deadline, cause, purgeMode }: Outlook,
): Blocker {
  const until = deadline ? { until: deadline.at } : {}
  if (hindrance) return { reason: hindrance, cluster, sentence: hindranceText(snapshot, cluster, hindrance), ...until }
  if (deadline?.meaning === 'taint') {
    return {
      reason: 'waitingForToleration',
      cluster,
      sentence: `Cluster ${cluster} is lost; it is tainted, and workloads leave it, if it does not come back in time.`,
      ...until,
    }
  }
  if (cause === 'cluster' && deadline && deadline.at <= snapshot.now) {
    return {
      reason: 'evictionPaced',
      cluster,
      sentence: `The workload leaves cluster ${cluster} when it is its turn: evictions go one after the other, slower while many clusters are lost.`,
    }
  }
  const what =
    cause === 'cluster'
      ? `the taint of cluster ${cluster} is tolerated for a while`
      : `the failure in cluster ${cluster} is tolerated for a while`
  return {
    reason: 'waitingForToleration',
    cluster,
    sentence: `Nothing has to happen yet: ${what}, then the workload leaves${purgeMode ? ` (${purgeMode})` : ''}.`,
    ...until,
  }
}

function hindranceText({ binding: { spec } }: FailoverSnapshot, cluster: string, hindrance: Hindrance): string {
  const { kind, apiVersion } = spec.resource
  const sentences: Record<Hindrance, string> = {
    noFailoverRule: `The workload is not healthy in cluster ${cluster}, but its policy has no failover.application.`,
    dependenciesStay:
      'The policy has failover.application, but propagateDeps is off: what the workload needs would stay behind.',
    noHealthRule: `Nobody knows what healthy means for ${kind} of ${apiVersion}: a ResourceInterpreterCustomization with healthInterpretation would say it.`,
    noStatus: 'No cluster has reported a status of the workload yet.',
    paused: 'Scheduling of the workload is paused: evicted, nobody would place it anew.',
    tooEarly: `Failures in cluster ${cluster} do not count yet: preConditions.delaySeconds is not over.`,
    neverHealthy: `The workload was never healthy in cluster ${cluster}, and preConditions.healthyState asks for that.`,
    evictionDisabled: 'The loop that would evict is switched off.',
    taintOnlyBlocksScheduling: `Cluster ${cluster} is lost, but it has no NoExecute taint: only such a taint drives workloads out.`,
    taintTolerated: `The placement tolerates the NoExecute taints of cluster ${cluster} for ever.`,
    placementUnreadable:
      'The placement that the workload was scheduled by cannot be read, so nobody knows what it tolerates.',
  }
  return sentences[hindrance]
}

/** What would come of an eviction: perhaps nobody could take the workload. */
function foreseen({ binding, clusters, now }: FailoverSnapshot, cluster: string, { stage }: Outlook): Blocker[] {
  if (stage !== 'toleration') return []
  const evicted = evictCluster(binding.spec, cluster, { producer: 'foresight', reason: 'Foresight' })
  if (!evicted) return []
  const lack = lackOfSuccessor(binding, evicted, { clusters, now })
  return lack === undefined
    ? []
    : [
        {
          reason: 'noClusterFits',
          cluster,
          sentence: `Evicted from cluster ${cluster}, the workload could not be placed elsewhere: ${lack}`,
        },
      ]
}

/** What it leaves and still has not left. */
function leaving(snapshot: FailoverSnapshot): Blocker[] {
  const lack = lackNow(snapshot)
  return listFailovers(snapshot)
    .filter(({ producer }) => producer !== undefined)
    .map((failover) => waiting(failover, lack))
}

function waiting(
  { cluster, kept, stage, deadline, successors, producer = '' }: Failover, lack: string | undefined,
): Blocker {
  const until = deadline ? { until: deadline.at } : {}
  if (isProtection({ producer })) {
    return { reason: 'keptByPlan', cluster, sentence: `The old copy in cluster ${cluster} stays until the new copies of its RebalancePlan are ready.` }
  }
  if (kept) return { reason: 'keptByHand', cluster, sentence: `The copy in cluster ${cluster} stays until somebody sets suppressDeletion of its eviction task to false.` }
  const missing = successors.filter(({ health }) => health !== 'Healthy').map((one) => one.cluster)
  const why =
    stage === 'replaced'
      ? 'its successors are healthy and it is about to go'
      : successors.length === 0
        ? lack === undefined
          ? 'the workload is scheduled nowhere else yet'
          : `no cluster can take the workload (${lack.replace(/\.$/, '')})`
        : missing.length === 0
          ? 'the scheduler has still to look at the last change'
          : `its successor in ${missing.join(', ')} is not healthy yet`
  return {
    reason: 'waitingForSuccessor',
    cluster,
    sentence: `The copy in cluster ${cluster} is still there: ${why}.`,
    ...until,
  }
}

/** Why scheduling fails; the condition tells of the first affinity group alone. Undefined while it does not fail. */
function lackNow({ binding, clusters, now }: FailoverSnapshot): string | undefined {
  const scheduled = findCondition(binding.status?.conditions, 'Scheduled')
  if (scheduled?.status !== 'False') return undefined
  const { clusterAffinities } = binding.spec.placement ?? {}
  const ofGroups = clusterAffinities && explainFailure(scheduleBinding({ binding, clusters, now }), clusters)
  return ofGroups ?? scheduled.message ?? ''
}

/** It should be somewhere, and nobody could take it. */
function unplaced(snapshot: FailoverSnapshot): Blocker[] {
  const { binding, now } = snapshot
  const { spec } = binding
  if (spec.suspension?.scheduling && !spec.clusters?.length) {
    return [{ reason: 'paused', sentence: 'Scheduling of the workload is paused, and it is scheduled nowhere.' }]
  }
  const lack = lackNow(snapshot)
  if (lack === undefined) return []
  const blocks = blocksOf(binding).filter(({ until }) => until > now)
  const blocked = blocks.map(({ cluster, until }): Blocker => ({
    reason: 'blockedPredecessor', cluster, ...(until < Infinity && { until }),
    sentence: `Cluster ${cluster} is kept out as the workload failed there${until < Infinity ? ' a short while ago' : ', until somebody clears activeEvictionHistory'}.`,
  }))
  return [
    { reason: 'noClusterFits', sentence: `The workload could not be scheduled: ${lack}` },
    ...blocked,
  ]
}

function wellOrUnknown({ spec, status }: FailoverBinding): Blocker {
  if (!status?.aggregatedStatus?.length)
    return { reason: 'noStatus', sentence: 'No cluster has reported a status of the workload yet.' }
  const unknown = status.aggregatedStatus.filter(
    ({ clusterName, health }) => health === 'Unknown' && spec.clusters?.some(({ name }) => name === clusterName),
  )
  if (unknown.length > 0) {
    const where = unknown.map(({ clusterName }) => clusterName)
    return { reason: 'healthUnknown', cluster: where[0]!, sentence: `Nobody knows whether the workload is healthy in ${where.join(', ')}; as long as that is so, no failure counts.` }
  }
  return {
    reason: 'nothingFailed',
    sentence: 'Nothing is wrong with it: it is healthy wherever it is scheduled, and no cluster drives it out.',
  }
}
