/** Converts blockers of failovers to views. */
import type { BlockerView } from '../model'
import type { Blocker } from '@/lib/domain/failover'
import type { ClusterBlockersView } from '../failover-model'
import { isoTime } from '@/lib/std/clock'

export function projectBlocker({ reason, cluster, message, until }: Blocker): BlockerView {
  return {
    reason,
    message,
    ...(cluster !== undefined && { cluster }),
    ...(until !== undefined && until !== Infinity && { until: isoTime(until) }),
  }
}

/** Groups workloads by reason, most frequent first. A workload with several reasons is in several groups. */
export function groupBlockers(
  workloads: readonly { id: string; blockers: readonly BlockerView[] }[],
): ClusterBlockersView['reasons'] {
  const groups = new Map<string, ClusterBlockersView['reasons'][number]>()
  for (const { id, blockers } of workloads) {
    for (const { reason, message } of blockers) {
      const group = groups.get(reason) ?? { reason, message, workloads: [] }
      group.workloads.push(id)
      groups.set(reason, group)
    }
  }
  return [...groups.values()].sort((a, b) => b.workloads.length - a.workloads.length || (a.reason < b.reason ? -1 : 1))
}
