/** All controllers with their dependencies. Used by the composition root only. */
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Timing } from '@/server/config/config'
import type { FeatureGates } from '@/server/config/feature-gates'
import { applicationFailoverController } from '@/server/reconcilers/application-failover'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterHeartbeatController } from '@/server/reconcilers/cluster-heartbeat'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { clusterTaintPolicyController } from '@/server/reconcilers/cluster-taint-policy'
import { dependenciesDistributorController } from '@/server/reconcilers/dependencies-distributor'
import { detectorController } from '@/server/reconcilers/detector'
import { cronFederatedHpaController } from '@/server/reconcilers/cron-federated-hpa'
import { deploymentReplicasSyncerController } from '@/server/reconcilers/deployment-replicas-syncer'
import { executionController } from '@/server/reconcilers/execution'
import { failbackController } from '@/server/reconcilers/failback'
import { federatedHpaController } from '@/server/reconcilers/federated-hpa'
import { federatedResourceQuotaController } from '@/server/reconcilers/federated-resource-quota'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { hpaScaleTargetMarkerController } from '@/server/reconcilers/hpa-scale-target-marker'
import { interpreterCustomizationController } from '@/server/reconcilers/interpreter-customization'
import { multiClusterServiceController } from '@/server/reconcilers/multi-cluster-service'
import { namespaceSyncController } from '@/server/reconcilers/namespace-sync'
import { queueController } from '@/server/reconcilers/queue'
import { rebalancePlanController } from '@/server/reconcilers/rebalance-plan'
import { remedyController } from '@/server/reconcilers/remedy'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { serviceExportController } from '@/server/reconcilers/service-export'
import { serviceImportController } from '@/server/reconcilers/service-import'
import { taintManagerController } from '@/server/reconcilers/taint-manager'
import { unifiedAuthController } from '@/server/reconcilers/unified-auth'
import { workStatusController } from '@/server/reconcilers/work-status'
import { workloadRebalancerController } from '@/server/reconcilers/workload-rebalancer'
import type { Controller } from '@/server/runtime/controller'
import type { CompatibilityProfile } from '@/server/reconcilers/shared/compatibility'
import type { InterpreterContext } from '@/server/reconcilers/shared/interpreter'

export interface ControllerSettings {
  /** Returns the context for the controller with this name. */
  given: (name: string) => InterpreterContext
  timing: Timing
  gates: FeatureGates
  /** The deviations from Karmada that are on. */
  compatibility: CompatibilityProfile
  /** False if the control plane does not serve FederatedResourceQuota: its cache would never sync. */
  quotasServed: boolean
  /** Profile of the scheduler in use; called when a controller needs it. */
  schedulerProfile: () => SchedulerProfile
}

/**
 * Returns all controllers. Deviations from Karmada are on unless disabled; each folder's README lists them with their
 * switch.
 */
export function allControllers(settings: ControllerSettings): Controller[] {
  return [...pipelineControllers(settings), ...clusterControllers(settings), ...steeringControllers(settings)]
}

/** The gates that change the scheduler's decisions. */
export function schedulerGates(gates: FeatureGates) {
  return {
    workloadAffinity: gates.WorkloadAffinity,
    componentSets: gates.MultiplePodTemplatesScheduling,
    overcommitProtection: gates.SchedulingOvercommitProtection,
  }
}

/** Controllers that propagate a template to the members and collect its status. */
function pipelineControllers({ given, gates, compatibility, quotasServed }: ControllerSettings): Controller[] {
  const { PropagationPolicyPreemption: preemption, WorkloadAffinity: workloadAffinity } = gates
  const componentScheduling = gates.MultiplePodTemplatesScheduling
  return [
    detectorController(given('detector'), {
      preemption,
      workloadAffinity,
      componentScheduling,
      ...compatibility.detector,
    }),
    schedulerController(given('scheduler'), {
      ...compatibility.scheduler,
      profile: { ...compatibility.scheduler.profile, ...schedulerGates(gates) },
      quotaEstimate: gates.ResourceQuotaEstimate,
      ...(!quotasServed && { watchQuotas: false }),
    }),
    bindingController(given('binding'), compatibility.binding),
    executionController(given('execution'), compatibility.execution),
    workStatusController(given('work-status')),
    bindingStatusController(given('binding-status'), compatibility.bindingStatus),
    dependenciesDistributorController(given('dependencies-distributor')),
    interpreterCustomizationController(given('interpreter-customization')),
    namespaceSyncController(given('namespace-sync')),
    multiClusterServiceController(given('multi-cluster-service')),
    serviceExportController(given('service-export')),
    serviceImportController(given('service-import')),
    federatedResourceQuotaController(given('federated-resource-quota')),
    hpaScaleTargetMarkerController(given('hpa-scale-target-marker')),
    deploymentReplicasSyncerController(given('deployment-replicas-syncer')),
    federatedHpaController(given('federated-hpa')),
    cronFederatedHpaController(given('cron-federated-hpa')),
  ]
}

/** Controllers that watch the health of members and evict from unhealthy ones. */
function clusterControllers({ given, timing, gates, compatibility }: ControllerSettings): Controller[] {
  const { noExecuteAfterMs } = timing
  const state = gates.StatefulFailoverInjection ? { preserveState: true } : {}
  return [
    clusterStatusController(given('cluster-status'), {
      frequencyMs: timing.clusterStatusUpdateMs,
      successThresholdMs: timing.clusterSuccessThresholdMs,
      failureThresholdMs: timing.clusterFailureThresholdMs,
    }),
    clusterController(given('cluster'), noExecuteAfterMs === undefined ? {} : { noExecuteAfterMs }),
    clusterHeartbeatController(given('cluster-heartbeat')),
    unifiedAuthController(given('unified-auth')),
    clusterTaintPolicyController(given('cluster-taint-policy')),
    remedyController(given('remedy')),
    taintManagerController(given('taint-manager'), {
      resourceEvictionRate: timing.resourceEvictionPerSecond,
      ...compatibility.taintManager,
      ...state,
    }),
    applicationFailoverController(given('application-failover'), { ...compatibility.applicationFailover, ...state }),
    gracefulEvictionController(given('graceful-eviction'), {
      gracefulEvictionTimeoutMs: timing.gracefulEvictionTimeoutMs,
      ...compatibility.gracefulEviction,
    }),
  ]
}

/** Controllers that carry out requests of users. */
function steeringControllers({
  given,
  compatibility,
  schedulerProfile: profile,
  quotasServed,
}: ControllerSettings): Controller[] {
  return [
    workloadRebalancerController(given('workload-rebalancer'), compatibility.workloadRebalancer),
    rebalancePlanController(given('rebalance-plan'), { profile }),
    failbackController(given('failback'), { profile }),
    queueController(given('queue'), { quotasServed }),
  ]
}
