/** Which loops there are, and what each is given. Only the composition root asks for them. */
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { FeatureGates, Timing } from '@/server/config/config'
import { applicationFailoverController } from '@/server/reconcilers/application-failover'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterHeartbeatController } from '@/server/reconcilers/cluster-heartbeat'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { clusterTaintPolicyController } from '@/server/reconcilers/cluster-taint-policy'
import { dependenciesDistributorController } from '@/server/reconcilers/dependencies-distributor'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { failbackController } from '@/server/reconcilers/failback'
import { federatedResourceQuotaController } from '@/server/reconcilers/federated-resource-quota'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { interpreterCustomizationController } from '@/server/reconcilers/interpreter-customization'
import { namespaceSyncController } from '@/server/reconcilers/namespace-sync'
import { queueController } from '@/server/reconcilers/queue'
import { rebalancePlanController } from '@/server/reconcilers/rebalance-plan'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { taintManagerController } from '@/server/reconcilers/taint-manager'
import { workStatusController } from '@/server/reconcilers/work-status'
import { workloadRebalancerController } from '@/server/reconcilers/workload-rebalancer'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'

export interface LoopSettings {
  /** What a loop of that name works with. */
  given: (name: string) => ReconcilerContext
  timing: Timing
  gates: FeatureGates
  /** Every deliberate deviation from upstream is off. */
  upstream: boolean
  /** False where a control plane has no FederatedResourceQuota: nobody must wait for its cache then. */
  quotasServed: boolean
  /** How the scheduler that is in charge behaves; asked when a loop needs it. */
  schedulerProfile: () => SchedulerProfile
}

/**
 * Every loop under its name. Deliberate deviations from upstream stay on unless told otherwise; each folder's README
 * lists them with their switch.
 */
export function allLoops(settings: LoopSettings): Controller[] {
  return [...pipelineLoops(settings), ...clusterLoops(settings), ...steeringLoops(settings)]
}

/** From a template to what runs in the members, and back. */
function pipelineLoops({ given, gates, upstream, quotasServed }: LoopSettings): Controller[] {
  const { PropagationPolicyPreemption: preemption, WorkloadAffinity: workloadAffinity } = gates
  return [
    detectorController(given('detector'), { preemption, workloadAffinity, upstream }),
    schedulerController(given('scheduler'), {
      profile: { workloadAffinity },
      upstream,
      ...(!quotasServed && { watchQuotas: false }),
    }),
    bindingController(given('binding'), { upstream }),
    executionController(given('execution'), { upstream }),
    workStatusController(given('work-status'), { upstream }),
    bindingStatusController(given('binding-status'), { upstream }),
    dependenciesDistributorController(given('dependencies-distributor')),
    interpreterCustomizationController(given('interpreter-customization')),
    namespaceSyncController(given('namespace-sync')),
    federatedResourceQuotaController(given('federated-resource-quota')),
  ]
}

/** Whether members are well, and who has to leave those that are not. */
function clusterLoops({ given, timing, upstream }: LoopSettings): Controller[] {
  const { noExecuteAfterMs } = timing
  return [
    clusterStatusController(given('cluster-status'), {
      frequencyMs: timing.clusterStatusUpdateMs,
      successThresholdMs: timing.clusterSuccessThresholdMs,
      failureThresholdMs: timing.clusterFailureThresholdMs,
    }),
    clusterController(given('cluster'), noExecuteAfterMs === undefined ? {} : { noExecuteAfterMs }),
    clusterHeartbeatController(given('cluster-heartbeat')),
    clusterTaintPolicyController(given('cluster-taint-policy')),
    taintManagerController(given('taint-manager'), {
      resourceEvictionRate: timing.resourceEvictionPerSecond,
      upstream,
    }),
    applicationFailoverController(given('application-failover'), { upstream }),
    gracefulEvictionController(given('graceful-eviction'), {
      gracefulEvictionTimeoutMs: timing.gracefulEvictionTimeoutMs,
      upstreamEviction: upstream,
    }),
  ]
}

/** What people ask for. */
function steeringLoops({ given, schedulerProfile: profile, quotasServed }: LoopSettings): Controller[] {
  return [
    workloadRebalancerController(given('workload-rebalancer')),
    rebalancePlanController(given('rebalance-plan'), { profile }),
    failbackController(given('failback'), { profile }),
    queueController(given('queue'), { quotasServed }),
  ]
}
