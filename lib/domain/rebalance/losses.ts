/** Determines which workloads a drain interrupts, and which it leaves without a cluster. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import { presentPurgeMode, type PurgeMode } from '@/lib/kube/purge-mode'
import type { Binding } from '../placement'
import { readyByCluster } from './readiness'
import { workloadOf } from './select'
import { workloadKey, type WorkloadRef } from './sync-status'
import type { WhatIf, WhatIfTarget } from './what-if'

export interface DrainLoss {
  workload: WorkloadRef
  /** Ready replicas before the drain. */
  ready: number
  /** At some time during the drain, none of its replicas is ready. */
  stops: boolean
  /** No cluster can run it. */
  unplaced: boolean
  reason: Message
}

/** Reports whether old replicas are deleted before a replacement is ready. */
export function isDeletedEarly({
  purgeMode,
  unplaced,
  upstreamEviction,
}: {
  purgeMode: PurgeMode
  unplaced: boolean
  upstreamEviction: boolean
}): boolean {
  return purgeMode === 'Directly' || (purgeMode === 'Gracefully' && unplaced && upstreamEviction)
}

export interface DrainSnapshot {
  cluster: string
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  /** Evictions end by upstream's rules: old replicas are deleted as soon as the workload is scheduled nowhere. */
  upstreamEviction: boolean
}

/**
 * Returns the workloads that a drain interrupts or leaves without a cluster. With purgeMode `Directly` old replicas are
 * deleted at once. With `Gracefully` they stay until the replacement is healthy; if no cluster takes the workload, this
 * product's controller keeps them, while upstream deletes them.
 */
export function lossesOfDrain({ targets }: Pick<WhatIf, 'targets'>, snapshot: DrainSnapshot): DrainLoss[] {
  const bindings = new Map(snapshot.bindings.map((binding) => [workloadKey(workloadOf(binding)), binding]))
  return targets.flatMap((target) => {
    const binding = bindings.get(workloadKey(target.workload))
    const loss = binding && target.outcome !== 'stays' ? lossOf(target, binding, snapshot) : undefined
    return loss && (loss.stops || loss.unplaced) ? [loss] : []
  })
}

function lossOf(
  { workload, outcome, reason, after, readyElsewhere }: WhatIfTarget,
  binding: Binding,
  { cluster, clusters, upstreamEviction }: DrainSnapshot,
): DrainLoss {
  const there = readyByCluster(binding, clusters).get(cluster) ?? 0
  const purgeMode = presentPurgeMode(binding.spec.failover?.cluster?.purgeMode) ?? 'Gracefully'
  const unplaced = after.length === 0 && (outcome === 'stuck' || outcome === 'lost')
  const isDeleted = isDeletedEarly({ purgeMode, unplaced, upstreamEviction })
  return {
    workload,
    ready: there + readyElsewhere,
    stops: there > 0 && readyElsewhere === 0 && isDeleted,
    unplaced,
    reason: unplaced
      ? message(isDeleted ? 'rebalance.loss.deleted' : 'rebalance.loss.kept', { reason: reason.text, cluster })
      : message('rebalance.loss.deletedEarly'),
  }
}
