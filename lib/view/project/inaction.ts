/** Why nothing happens, for people. */
import type { InactionView } from '../model'
import type { Inaction } from '@/lib/domain/failover'
import type { InactionsView } from '../failover-model'
import { isoTime } from '@/lib/std/clock'

export function projectInaction({ reason, cluster, sentence, until }: Inaction): InactionView {
  return {
    reason, sentence, ...(cluster !== undefined && { cluster }),
    ...(until !== undefined && until !== Infinity && { until: isoTime(until) }),
  }
}

/** Workloads by reason, the most frequent reason first. One that has several reasons stands under each. */
export function groupInactions(
  workloads: readonly { id: string; inactions: readonly InactionView[] }[],
): InactionsView['reasons'] {
  const groups = new Map<string, InactionsView['reasons'][number]>()
  for (const { id, inactions } of workloads) {
    for (const { reason, sentence } of inactions) {
      const group = groups.get(reason) ?? { reason, sentence, workloads: [] }
      group.workloads.push(id)
      groups.set(reason, group)
    }
  }
  return [...groups.values()].sort((a, b) => b.workloads.length - a.workloads.length || (a.reason < b.reason ? -1 : 1))
}
