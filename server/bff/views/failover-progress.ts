/** Which failovers are in progress, and how far the failovers of one workload are together. */
import type { FailoverSummaryView, FailoverView } from '@/lib/view/failover-model'

/** What the banner counts: what progresses by itself. Old replicas that an operator keeps do not count. */
export function isRunning({ kept, stage, cause, deadline }: FailoverView): boolean {
  return !kept && (stage !== 'unhealthy' || (cause === 'cluster' && deadline !== undefined))
}

/** The stage with the furthest to go of those that run; undefined when none of them does. */
export function stageOfWorkload(
  failovers: readonly FailoverView[],
): keyof FailoverSummaryView['workloads'] | undefined {
  const stages = new Set(
    failovers.filter(isRunning).map(({ stage }) => (stage === 'toleration' ? 'tolerating' : stage)),
  )
  return (['tolerating', 'evicting', 'replaced'] as const).find((stage) => stages.has(stage))
}

/** It left, and no cluster has taken it. */
export const isUnplaced = ({ stage, kept, successors }: FailoverView): boolean =>
  stage === 'evicting' && !kept && successors.length === 0
