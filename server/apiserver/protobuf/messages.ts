/** The messages that kubectl sends as protobuf. See `message.ts` for the notation. */
import { accessMessages } from './access-messages'
import type { Message } from './message'
import { resourceMessages } from './resource-messages'

export const messages: Readonly<Record<string, Message>> = {
  ...accessMessages,
  ...resourceMessages,
  ObjectMeta: {
    1: 'name s', 2: 'generateName s', 3: 'namespace s', 4: 'selfLink s', 5: 'uid s', 6: 'resourceVersion s',
    7: 'generation i', 8: 'creationTimestamp t', 9: 'deletionTimestamp t', 10: 'deletionGracePeriodSeconds i',
    11: 'labels {}s', 12: 'annotations {}s', 13: 'ownerReferences []OwnerReference', 14: 'finalizers []s',
    17: 'managedFields []ManagedFieldsEntry',
  },
  ManagedFieldsEntry: {
    1: 'manager s', 2: 'operation s', 3: 'apiVersion s', 4: 'time t', 6: 'fieldsType s', 7: 'fieldsV1 j', 8: 'subresource s',
  },
  OwnerReference: {
    1: 'kind s', 3: 'name s', 4: 'uid s', 5: 'apiVersion s', 6: 'controller b', 7: 'blockOwnerDeletion b',
  },
  LabelSelector: { 1: 'matchLabels {}s', 2: 'matchExpressions []LabelSelectorRequirement' },
  LabelSelectorRequirement: { 1: 'key s', 2: 'operator s', 3: 'values []s' },
  LocalObjectReference: { 1: 'name s' },
  ObjectReference: {
    1: 'kind s', 2: 'namespace s', 3: 'name s', 4: 'uid s', 5: 'apiVersion s', 6: 'resourceVersion s',
    7: 'fieldPath s',
  },
  'v1/ConfigMap': { 1: 'metadata ObjectMeta', 2: 'data {}s', 3: 'binaryData {}x', 4: 'immutable b' },
  'v1/Secret': { 1: 'metadata ObjectMeta', 2: 'data {}x', 3: 'type s', 4: 'stringData {}s', 5: 'immutable b' },
  'v1/Namespace': { 1: 'metadata ObjectMeta', 2: 'spec NamespaceSpec', 3: 'status NamespaceStatus' },
  NamespaceSpec: { 1: 'finalizers []s' },
  NamespaceStatus: { 1: 'phase s' },
  'v1/ServiceAccount': {
    1: 'metadata ObjectMeta', 2: 'secrets []ObjectReference', 3: 'imagePullSecrets []LocalObjectReference',
    4: 'automountServiceAccountToken b',
  },
  'v1/Service': { 1: 'metadata ObjectMeta', 2: 'spec ServiceSpec', 3: 'status ServiceStatus' },
  ServiceSpec: {
    1: 'ports []ServicePort', 2: 'selector {}s', 3: 'clusterIP s', 4: 'type s', 5: 'externalIPs []s',
    7: 'sessionAffinity s', 8: 'loadBalancerIP s', 9: 'loadBalancerSourceRanges []s', 10: 'externalName s',
    11: 'externalTrafficPolicy s', 12: 'healthCheckNodePort i', 13: 'publishNotReadyAddresses b',
    17: 'ipFamilyPolicy s', 18: 'clusterIPs []s', 19: 'ipFamilies []s',
  },
  ServicePort: { 1: 'name s', 2: 'protocol s', 3: 'port i', 4: 'targetPort o', 5: 'nodePort i', 6: 'appProtocol s' },
  ServiceStatus: { 1: 'loadBalancer LoadBalancerStatus' },
  LoadBalancerStatus: {},
  'apps/v1/Deployment': { 1: 'metadata ObjectMeta', 2: 'spec DeploymentSpec', 3: 'status DeploymentStatus' },
  DeploymentSpec: {
    1: 'replicas i', 2: 'selector LabelSelector', 3: 'template PodTemplateSpec', 4: 'strategy DeploymentStrategy',
    5: 'minReadySeconds i', 6: 'revisionHistoryLimit i', 7: 'paused b', 9: 'progressDeadlineSeconds i',
  },
  DeploymentStrategy: { 1: 'type s', 2: 'rollingUpdate RollingUpdateDeployment' },
  RollingUpdateDeployment: { 1: 'maxUnavailable o', 2: 'maxSurge o' },
  DeploymentStatus: {
    1: 'observedGeneration i', 2: 'replicas i', 3: 'updatedReplicas i', 4: 'availableReplicas i',
    5: 'unavailableReplicas i', 7: 'readyReplicas i',
  },
  PodTemplateSpec: { 1: 'metadata ObjectMeta', 2: 'spec PodSpec' },
  PodSpec: {
    2: 'containers []Container', 3: 'restartPolicy s', 4: 'terminationGracePeriodSeconds i',
    5: 'activeDeadlineSeconds i', 6: 'dnsPolicy s', 7: 'nodeSelector {}s', 8: 'serviceAccountName s',
    9: 'serviceAccount s', 10: 'nodeName s', 11: 'hostNetwork b', 12: 'hostPID b', 13: 'hostIPC b',
    14: 'securityContext EmptyMessage', 16: 'hostname s', 17: 'subdomain s', 19: 'schedulerName s',
    20: 'initContainers []Container', 24: 'priorityClassName s',
  },
  EmptyMessage: {},
  Container: {
    1: 'name s', 2: 'image s', 3: 'command []s', 4: 'args []s', 5: 'workingDir s', 6: 'ports []ContainerPort',
    7: 'env []EnvVar', 8: 'resources ResourceRequirements', 13: 'terminationMessagePath s', 14: 'imagePullPolicy s',
    16: 'stdin b', 17: 'stdinOnce b', 18: 'tty b', 20: 'terminationMessagePolicy s',
  },
  ContainerPort: { 1: 'name s', 2: 'hostPort i', 3: 'containerPort i', 4: 'protocol s', 5: 'hostIP s' },
  EnvVar: { 1: 'name s', 2: 'value s' },
  ResourceRequirements: { 1: 'limits {}q', 2: 'requests {}q' },
  'batch/v1/Job': { 1: 'metadata ObjectMeta', 2: 'spec JobSpec', 3: 'status JobStatus' },
  JobSpec: {
    1: 'parallelism i', 2: 'completions i', 3: 'activeDeadlineSeconds i', 4: 'selector LabelSelector',
    5: 'manualSelector b', 6: 'template PodTemplateSpec', 7: 'backoffLimit i', 8: 'ttlSecondsAfterFinished i',
    9: 'completionMode s', 10: 'suspend b', 12: 'backoffLimitPerIndex i', 13: 'maxFailedIndexes i',
    14: 'podReplacementPolicy s', 15: 'managedBy s',
  },
  JobStatus: { 4: 'active i', 5: 'succeeded i', 6: 'failed i', 7: 'completedIndexes s' },
  'policy/v1/Eviction': { 1: 'metadata ObjectMeta', 2: 'deleteOptions DeleteOptions' },
  DeleteOptions: {
    1: 'gracePeriodSeconds i', 2: 'preconditions Preconditions', 3: 'orphanDependents b', 4: 'propagationPolicy s',
    5: 'dryRun []s',
  },
  Preconditions: { 1: 'uid s', 2: 'resourceVersion s' },
  'autoscaling/v1/Scale': { 1: 'metadata ObjectMeta', 2: 'spec ScaleSpec', 3: 'status ScaleStatus' },
  ScaleSpec: { 1: 'replicas i' },
  ScaleStatus: { 1: 'replicas i', 2: 'selector s' },
}
