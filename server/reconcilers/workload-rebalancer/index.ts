/** Triggers a fresh scheduling of the workloads that a WorkloadRebalancer lists. See README.md. */
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { tokenBucket } from '@/server/runtime/rate-limit'
import { bindingKinds } from '../shared/binding-kinds'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import { reconcileRebalancer } from './reconcile'

export interface WorkloadRebalancerOptions extends Partial<CompatibilityProfile['workloadRebalancer']> {
  /** Targets triggered concurrently. Default 16. */
  concurrency?: number
  /** Targets per second on average, and burst. Default 500 and 1000. */
  perSecond?: number
  burst?: number
}

export function workloadRebalancerController(
  context: ReconcilerContext,
  options: WorkloadRebalancerOptions = {},
): Controller {
  const { concurrency = 16, perSecond = 500, burst = 1000 } = options
  const { lastingTriggers } = { ...evenkeelProfile.workloadRebalancer, ...options }
  const rate = tokenBucket({ perSecond, burst, clock: context.clock })
  return {
    name: 'workload-rebalancer',
    concurrency: 4,
    watches: [
      watch({
        kind: workloadRebalancer,
        relevant: (change) =>
          change.type === 'added'
          || (change.type === 'updated' && change.object.metadata.generation !== change.old.metadata.generation),
      }),
    ],
    reads: [...bindingKinds],
    reconcile: (name) => reconcileRebalancer(context, name, { lastingTriggers, concurrency, rate }),
  }
}
