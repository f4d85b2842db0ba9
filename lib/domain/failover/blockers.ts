/** Explains why a workload is not failed over although it fails. */
import { findCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds/cluster'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '../../kube/names'
import { message, type Message } from '../../messages/message'
import { isoTime, type EpochMs } from '../../std/clock'
import { evictCluster, isProtection } from '../eviction'
import { explainFailure, withoutPeriod, scheduleBinding } from '../placement'
import type { FailoverBinding, PolicyWords } from './binding'
import { lackOfSuccessor } from './successor'
import { type BlockedPredecessor, blockedPredecessors } from './history'
import type { Blocker } from './blocker'
import {
  pendingClusterEviction,
  pendingFailureEviction,
  type UncountedReason,
  OVERDUE_MS,
  type PendingEviction,
} from './pending-eviction'
import { listFailovers } from './list-failovers'
import type { FailoverSettings, Failover, FailoverSnapshot } from './failover'

/** Input besides the binding. */
export interface BlockerFacts {
  clusters: readonly Cluster[]
  /** All policies, or only the one that created the binding. */
  policies: readonly PolicyWords[]
  now: EpochMs
  settings?: FailoverSettings
  /** Whether to simulate scheduling of the evicted workload: one run per workload. Default true. */
  simulate?: boolean
}

/**
 * Returns all blockers, the most important first. Never empty: an unblocked workload has the blocker `nothingFailed` or
 * an unknown status.
 */
export function blockersOf(binding: FailoverBinding, facts: BlockerFacts): Blocker[] {
  if (binding.metadata.deletionTimestamp)
    return [{ reason: 'beingDeleted', message: message('failover.blocker.beingDeleted') }]
  const { policies, simulate = true, ...rest } = facts
  const snapshot: FailoverSnapshot = { ...rest, binding, policy: policyOf(binding, policies) }
  const found = [...failing(snapshot, simulate), ...leaving(snapshot), ...unplaced(snapshot)]
  return found.length > 0 ? found : [wellOrUnknown(binding)]
}

/** Returns the policy that created a binding, if it is among those given. */
export function policyOf(
  { metadata: { annotations = {} } }: FailoverBinding,
  policies: readonly PolicyWords[],
): PolicyWords | undefined {
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  const name = annotations[POLICY_NAME_ANNOTATION] ?? annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return policies.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
}

/** Returns blockers for clusters where the workload is scheduled and it, or the cluster, fails. */
function failing(snapshot: FailoverSnapshot, simulate: boolean): Blocker[] {
  const { spec } = snapshot.binding
  const left = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster))
  return (spec.clusters ?? [])
    .filter(({ name }) => !left.has(name))
    .flatMap(({ name }) => {
      const pending = pendingClusterEviction(snapshot, name) ?? pendingFailureEviction(snapshot, name)
      if (!pending) return []
      const lack = simulate ? lackAfterEviction(snapshot, name, pending) : []
      const isDue =
        pending.cause === 'application'
        && pending.stage === 'toleration'
        && (pending.deadline?.at ?? Infinity) <= snapshot.now
      // The toleration is over, so the lack of a cluster is the only blocker.
      return isDue && lack.length > 0 ? lack : [ofPending(snapshot, name, pending), ...lack]
    })
}

function ofPending(
  { binding, now, settings }: FailoverSnapshot,
  cluster: string,
  { uncountedReason, deadline, cause, purgeMode = 'Gracefully' }: PendingEviction,
): Blocker {
  const until = deadline ? { until: deadline.at } : {}
  if (uncountedReason)
    return { reason: uncountedReason, cluster, message: uncountedMessage(binding, cluster, uncountedReason), ...until }
  if (deadline?.meaning === 'taint') {
    return {
      reason: 'waitingForToleration',
      cluster,
      message: message('failover.blocker.waitingForTaint', { cluster }),
      ...until,
    }
  }
  // Where it is not told whether taints evict, an eviction is not promised.
  const mayStay = settings?.noExecuteEviction === undefined
  if (cause === 'cluster' && deadline && deadline.at <= now) {
    const due = mayStay ? 'failover.blocker.evictionDue' : 'failover.blocker.evictionRateLimited'
    return { reason: 'evictionRateLimited', cluster, message: message(due, { cluster }) }
  }
  const tolerated = mayStay ? 'failover.blocker.toleratesTaintMaybe' : 'failover.blocker.toleratesTaint'
  const code = cause === 'cluster' ? tolerated : 'failover.blocker.toleratesFailure'
  return { reason: 'waitingForToleration', cluster, message: message(code, { cluster, purgeMode }), ...until }
}

function uncountedMessage({ spec }: FailoverBinding, cluster: string, uncountedReason: UncountedReason): Message {
  const { kind, apiVersion } = spec.resource
  if (uncountedReason === 'noHealthRule') return message('failover.blocker.noHealthRule', { kind, apiVersion })
  if (uncountedReason === 'evictionOverdue')
    return message('failover.blocker.evictionOverdue', { cluster, span: { ms: OVERDUE_MS } })
  return { code: `failover.blocker.${uncountedReason}`, args: { cluster } }
}

/** Simulates the eviction and returns a blocker if no cluster could take the workload. */
function lackAfterEviction(
  { binding, clusters, now }: FailoverSnapshot,
  cluster: string,
  { stage }: PendingEviction,
): Blocker[] {
  if (stage !== 'toleration') return []
  const evicted = evictCluster(binding.spec, cluster, { producer: 'foresight', reason: 'Foresight' })
  const failure = evicted && lackOfSuccessor(binding, evicted, { clusters, now })
  if (failure === undefined) return []
  return [
    {
      reason: 'noClusterFits',
      cluster,
      message: message('failover.blocker.noClusterAfterEviction', { cluster, failure }),
    },
  ]
}

/** Returns blockers for clusters with an eviction task, which still have old replicas. */
function leaving(snapshot: FailoverSnapshot): Blocker[] {
  const lack = lackNow(snapshot)
  return listFailovers(snapshot)
    .filter(({ producer }) => producer !== undefined)
    .map((failover) => oldReplicas(failover, lack))
}

function oldReplicas(failover: Failover, lack: Message | string | undefined): Blocker {
  const { cluster, kept, deadline, producer = '' } = failover
  if (isProtection({ producer }))
    return { reason: 'keptByPlan', cluster, message: message('failover.blocker.keptByPlan', { cluster }) }
  if (kept) return { reason: 'keptByHand', cluster, message: message('failover.blocker.keptByHand', { cluster }) }
  const until = deadline ? { until: deadline.at } : {}
  return { reason: 'waitingForSuccessor', cluster, message: successorMessage(failover, lack), ...until }
}

function successorMessage({ cluster, stage, successors }: Failover, lack: Message | string | undefined): Message {
  if (stage === 'replaced') return message('failover.blocker.replaced', { cluster })
  if (successors.length === 0) {
    return lack === undefined
      ? message('failover.blocker.notScheduledYet', { cluster })
      : message('failover.blocker.noSuccessor', { cluster, failure: lack })
  }
  const missing = successors.filter(({ health }) => health !== 'Healthy').map((one) => one.cluster)
  return missing.length === 0
    ? message('failover.blocker.notObserved', { cluster })
    : message('failover.blocker.notHealthyYet', { cluster, missing })
}

/**
 * Returns why scheduling fails; undefined while it does not. Affinity groups are simulated, because the condition
 * explains only the first one.
 */
function lackNow({ binding, clusters, now }: FailoverSnapshot): Message | string | undefined {
  const scheduled = findCondition(binding.status?.conditions, 'Scheduled')
  if (scheduled?.status !== 'False') return undefined
  const { clusterAffinities } = binding.spec.placement ?? {}
  const ofGroups = clusterAffinities && explainFailure(scheduleBinding({ binding, clusters, now }), clusters)
  return ofGroups ?? withoutPeriod(scheduled.message ?? '')
}

/** Returns a blocker for a workload that no cluster can take. */
function unplaced(snapshot: FailoverSnapshot): Blocker[] {
  const { binding, now } = snapshot
  if (binding.spec.suspension?.scheduling && !binding.spec.clusters?.length) {
    return [{ reason: 'paused', message: message('failover.blocker.pausedUnplaced') }]
  }
  const failure = lackNow(snapshot)
  if (failure === undefined) return []
  return [
    { reason: 'noClusterFits', message: message('failover.blocker.noClusterFits', { failure }) },
    ...blockedPredecessors(binding)
      .filter(({ until }) => until > now)
      .map(ofPredecessor),
  ]
}

function ofPredecessor({ cluster, until }: BlockedPredecessor): Blocker {
  const reason = 'blockedPredecessor'
  if (until === Infinity)
    return { reason, cluster, message: message('failover.blocker.blockedPermanently', { cluster }) }
  return {
    reason,
    cluster,
    message: message('failover.blocker.blockedUntil', { cluster, until: { time: isoTime(until) } }),
    until,
  }
}

function wellOrUnknown({ spec, status }: FailoverBinding): Blocker {
  if (!status?.aggregatedStatus?.length) return { reason: 'noStatus', message: message('failover.blocker.noStatus') }
  const clusters = status.aggregatedStatus
    .filter(
      ({ clusterName, health }) => health === 'Unknown' && spec.clusters?.some(({ name }) => name === clusterName),
    )
    .map(({ clusterName }) => clusterName)
  return clusters.length > 0
    ? {
        reason: 'healthUnknown',
        cluster: clusters[0]!,
        message: message('failover.blocker.healthUnknown', { clusters }),
      }
    : { reason: 'nothingFailed', message: message('failover.blocker.nothingFailed') }
}
