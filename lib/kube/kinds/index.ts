/** Every kind that the project reads or writes. */
import type { Kind } from '../kind'
import { apiService } from './api-service'
import { certificateSigningRequest } from './certificate-signing-request'
import { cloneSet } from './clone-set'
import { cluster } from './cluster'
import { clusterOverridePolicy } from './cluster-override-policy'
import { clusterPropagationPolicy } from './cluster-propagation-policy'
import { clusterResourceBinding } from './cluster-resource-binding'
import { clusterRole } from './cluster-role'
import { clusterRoleBinding } from './cluster-role-binding'
import { clusterTaintPolicy } from './cluster-taint-policy'
import { configMap } from './config-map'
import { controllerRevision } from './controller-revision'
import { cronFederatedHpa } from './cron-federated-hpa'
import { cronJob } from './cron-job'
import { customResourceDefinition } from './custom-resource-definition'
import { daemonSet } from './daemon-set'
import { deployment } from './deployment'
import { endpointSlice } from './endpoint-slice'
import { endpoints } from './endpoints'
import { event } from './event'
import { failbackPolicy } from './failback-policy'
import { federatedHpa } from './federated-hpa'
import { federatedResourceQuota } from './federated-resource-quota'
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler'
import { ingress } from './ingress'
import { job } from './job'
import { lease } from './lease'
import { limitRange } from './limit-range'
import { multiClusterIngress } from './multi-cluster-ingress'
import { multiClusterService } from './multi-cluster-service'
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration'
import { namespace } from './namespace'
import { networkPolicy } from './network-policy'
import { node } from './node'
import { overridePolicy } from './override-policy'
import { persistentVolume } from './persistent-volume'
import { persistentVolumeClaim } from './persistent-volume-claim'
import { pod } from './pod'
import { podDisruptionBudget } from './pod-disruption-budget'
import { priorityClass } from './priority-class'
import { propagationPolicy } from './propagation-policy'
import { queue } from './queue'
import { rebalancePlan } from './rebalance-plan'
import { remedy } from './remedy'
import { replicaSet } from './replica-set'
import { replicationController } from './replication-controller'
import { resourceBinding } from './resource-binding'
import { resourceInterpreterCustomization } from './resource-interpreter-customization'
import { resourceInterpreterWebhookConfiguration } from './resource-interpreter-webhook-configuration'
import { resourceQuota } from './resource-quota'
import { resourceRegistry } from './resource-registry'
import { role } from './role'
import { roleBinding } from './role-binding'
import { secret } from './secret'
import { service } from './service'
import { serviceAccount } from './service-account'
import { serviceExport } from './service-export'
import { serviceImport } from './service-import'
import { statefulSet } from './stateful-set'
import { storageClass } from './storage-class'
import { storedPodTemplate } from './stored-pod-template'
import { validatingWebhookConfiguration } from './validating-webhook-configuration'
import { work } from './work'
import { workloadRebalancer } from './workload-rebalancer'
import { workloadSpread } from './workload-spread'

export * from './access-reviews'
export * from './api-service'
export * from './certificate-signing-request'
export * from './clone-set'
export * from './cluster'
export * from './cluster-override-policy'
export * from './cluster-propagation-policy'
export * from './cluster-resource-binding'
export * from './cluster-role'
export * from './cluster-role-binding'
export * from './cluster-taint-policy'
export * from './config-map'
export * from './controller-revision'
export * from './cron-job'
export * from './custom-resource-definition'
export * from './daemon-set'
export * from './deployment'
export * from './endpoint-slice'
export * from './endpoints'
export * from './event'
export * from './failback-policy'
export * from './federated-resource-quota'
export * from './horizontal-pod-autoscaler'
export * from './ingress'
export * from './job'
export * from './lease'
export * from './limit-range'
export * from './mutating-webhook-configuration'
export * from './namespace'
export * from './network-policy'
export * from './node'
export * from './override-policy'
export * from './persistent-volume'
export * from './persistent-volume-claim'
export * from './pod'
export * from './pod-disruption-budget'
export * from './priority-class'
export * from './propagation-policy'
export * from './queue'
export * from './rebalance-plan'
export * from './replica-set'
export * from './replication-controller'
export * from './resource-binding'
export * from './resource-interpreter-customization'
export * from './resource-interpreter-webhook-configuration'
export * from './resource-quota'
export * from './role'
export * from './role-binding'
export * from './secret'
export * from './service'
export * from './service-account'
export * from './stateful-set'
export * from './storage-class'
export * from './stored-pod-template'
export * from './validating-webhook-configuration'
export * from './work'
export * from './workload-rebalancer'
export * from './workload-spread'
export type {
  AggregatedStatusItem,
  BindingComponent,
  BindingSpec,
  BindingStatus,
  GracefulEvictionTask,
  ReplicaRequirements,
  TargetCluster,
} from './binding'
export type { AdmissionWebhook, RuleWithOperations, WebhookClientConfig } from './admission-webhook'
export type { Container, ContainerPort, EnvVar, Probe, ResourceRequirements } from './container'
export type { FailoverBehavior } from './failover'
export type {
  ClusterAffinity,
  ClusterAffinityTerm,
  ClusterPreferences,
  LabelSelector,
  Placement,
  ReplicaScheduling,
  SpreadConstraint,
  Toleration,
} from './placement'
export type { Affinity, NodeSelector, NodeSelectorTerm, TopologySpreadConstraint } from './affinity'
export type { Overriders, OverrideSpec } from './override-spec'
export type { PodSpec } from './pod-spec'
export type { PodTemplate } from './pod-template'
export type { PropagationSpec, ResourceSelector } from './propagation-spec'
export type { Volume } from './volume'
export type { WorkloadCondition } from './workload-status'

/** All of them; order carries no meaning. */
export const allKinds: readonly Kind[] = [
  cluster,
  clusterOverridePolicy,
  clusterPropagationPolicy,
  clusterResourceBinding,
  clusterRole,
  clusterRoleBinding,
  clusterTaintPolicy,
  configMap,
  controllerRevision,
  cronJob,
  customResourceDefinition,
  daemonSet,
  deployment,
  endpoints,
  endpointSlice,
  event,
  federatedResourceQuota,
  horizontalPodAutoscaler,
  ingress,
  job,
  lease,
  limitRange,
  namespace,
  networkPolicy,
  node,
  overridePolicy,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  priorityClass,
  propagationPolicy,
  replicaSet,
  replicationController,
  resourceBinding,
  resourceInterpreterCustomization,
  resourceInterpreterWebhookConfiguration,
  resourceQuota,
  role,
  roleBinding,
  secret,
  service,
  serviceAccount,
  statefulSet,
  storageClass,
  storedPodTemplate,
  work,
  workloadRebalancer,
  rebalancePlan,
  failbackPolicy,
  queue,
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  apiService,
  certificateSigningRequest,
  cronFederatedHpa,
  federatedHpa,
  multiClusterIngress,
  multiClusterService,
  remedy,
  resourceRegistry,
  serviceExport,
  serviceImport,
  cloneSet,
  workloadSpread,
]
