/** Groups the stages of workloads. */
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'

type Staged = Pick<PlannedWorkload, 'stage' | 'wave'>

/** Reports whether a workload is in progress: neither pending nor finished. */
export function isActive({ stage }: Staged): boolean {
  return stage === 'Triggered' || stage === 'Scheduled' || stage === 'Applied' || stage === 'Healthy'
}

export function isPending({ stage }: Staged): boolean {
  return stage === 'Pending'
}

/** Reports whether a workload waits for its turn in the running wave. */
export function isReserved({ stage, wave }: Staged): boolean {
  return stage === 'Pending' && wave !== undefined
}
