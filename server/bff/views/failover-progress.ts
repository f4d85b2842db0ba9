/** Determines which failovers are in progress, and the combined stage of the failovers of one workload. */
import type { FailoverSummaryView, FailoverView } from '@/lib/view/failover-model'

/**
 * Reports whether the banner counts a failover, i.e. it progresses by itself. Old replicas that an operator keeps do
 * not count.
 */
export function isRunning({ kept, stage, cause, deadline }: FailoverView): boolean {
  return !kept && (stage !== 'unhealthy' || (cause === 'cluster' && deadline !== undefined))
}

/** Returns the least advanced stage of the running failovers; undefined when none is running. */
export function stageOfWorkload(
  failovers: readonly FailoverView[],
): keyof FailoverSummaryView['workloads'] | undefined {
  const stages = new Set(
    failovers.filter(isRunning).map(({ stage }) => (stage === 'toleration' ? 'tolerating' : stage)),
  )
  return (['tolerating', 'evicting', 'replaced'] as const).find((stage) => stages.has(stage))
}

/** Reports whether the workload left and no cluster has taken it. */
export const isUnplaced = ({ stage, kept, successors }: FailoverView): boolean =>
  stage === 'evicting' && !kept && successors.length === 0
