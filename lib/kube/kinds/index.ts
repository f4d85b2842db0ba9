/** Every kind that the project reads or writes. */
import type { Kind } from '../kind'
import { cluster } from './cluster'
import { clusterOverridePolicy } from './cluster-override-policy'
import { clusterPropagationPolicy } from './cluster-propagation-policy'
import { clusterResourceBinding } from './cluster-resource-binding'
import { clusterRole } from './cluster-role'
import { configMap } from './config-map'
import { daemonSet } from './daemon-set'
import { deployment } from './deployment'
import { event } from './event'
import { federatedResourceQuota } from './federated-resource-quota'
import { job } from './job'
import { lease } from './lease'
import { namespace } from './namespace'
import { node } from './node'
import { overridePolicy } from './override-policy'
import { pod } from './pod'
import { propagationPolicy } from './propagation-policy'
import { replicaSet } from './replica-set'
import { resourceBinding } from './resource-binding'
import { secret } from './secret'
import { service } from './service'
import { serviceAccount } from './service-account'
import { statefulSet } from './stateful-set'
import { work } from './work'
import { workloadRebalancer } from './workload-rebalancer'

export * from './cluster'
export * from './cluster-override-policy'
export * from './cluster-propagation-policy'
export * from './cluster-resource-binding'
export * from './cluster-role'
export * from './config-map'
export * from './daemon-set'
export * from './deployment'
export * from './event'
export * from './federated-resource-quota'
export * from './job'
export * from './lease'
export * from './namespace'
export * from './node'
export * from './override-policy'
export * from './pod'
export * from './propagation-policy'
export * from './replica-set'
export * from './resource-binding'
export * from './secret'
export * from './service'
export * from './service-account'
export * from './stateful-set'
export * from './work'
export * from './workload-rebalancer'
export type {
  AggregatedStatusItem, BindingComponent, BindingSpec, BindingStatus, GracefulEvictionTask, ReplicaRequirements,
  TargetCluster,
} from './binding'
export type { Container, ContainerPort, EnvVar, Probe, ResourceRequirements } from './container'
export type { FailoverBehavior } from './failover'
export type {
  ClusterAffinity, ClusterAffinityTerm, ClusterPreferences, LabelSelector, Placement, ReplicaScheduling,
  SpreadConstraint, Toleration,
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
  cluster, clusterOverridePolicy, clusterPropagationPolicy, clusterResourceBinding, clusterRole, configMap, daemonSet,
  deployment, event, federatedResourceQuota, job, lease, namespace, node, overridePolicy, pod, propagationPolicy,
  replicaSet, resourceBinding, secret, service, serviceAccount, statefulSet, work, workloadRebalancer,
]
