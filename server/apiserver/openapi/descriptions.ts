/**
 * Descriptions of fields for `kubectl explain`. A text is looked up by kind and path (`Deployment.spec.replicas`), then
 * by the last two names of the path (`containers.image`), then by the last one alone.
 */
import { fieldTexts } from './field-texts'
import { karmadaTexts } from './karmada-texts'

type Texts = Readonly<Record<string, string>>

const kinds: Texts = {
  APIService: 'A version of an API group, served here or by another server behind a Service.',
  CertificateSigningRequest: 'Asks a signer for a certificate, which is issued once the request is approved.',
  CronFederatedHPA: 'Sets the replicas of a workload, or the bounds of its FederatedHPA, by a schedule.',
  FederatedHPA: 'Sets the replicas of a workload by what it measures in all member clusters together.',
  MultiClusterIngress: 'Routes HTTP requests from outside to Services of several member clusters.',
  MultiClusterService: 'Makes a Service of some member clusters reachable from others.',
  Remedy: 'Actions for member clusters whose conditions match.',
  ResourceRegistry: 'The resources of member clusters that the search caches.',
  ServiceExport: 'Offers the Service of the same name to other clusters.',
  ServiceImport: 'A Service that other clusters export.',
  Cluster: 'A member of the federation: where it is reached, what it offers and how it is.',
  ClusterOverridePolicy: 'Changes what member clusters get of resources in any namespace, cluster by cluster.',
  ClusterPropagationPolicy: 'Says which resources, in any namespace or in none, go to which member clusters.',
  ClusterResourceBinding: 'A cluster-scoped template bound to clusters: the scheduling request and its result.',
  ClusterTaintPolicy: 'Taints member clusters by their conditions, and takes the taints away again.',
  ConfigMap: 'Configuration data for pods to consume.',
  CustomResourceDefinition: 'Defines a kind of objects for this server to serve: names, scope, versions and schemas.',
  DaemonSet: 'Runs one pod on every node that fits.',
  Deployment: 'Deployment enables declarative updates for Pods and ReplicaSets.',
  FederatedResourceQuota: 'Limits what the workloads of a namespace take in all member clusters together.',
  Job: 'Runs pods until so many of them have succeeded.',
  Lease: 'A claim on something that one holder has at a time.',
  Namespace: 'A scope for names.',
  Node: 'A machine that runs pods.',
  OverridePolicy: 'Changes what member clusters get of resources of its namespace, cluster by cluster.',
  Pod: 'Containers that run together on one node.',
  PropagationPolicy: 'Says which resources of its namespace go to which member clusters, and how replicas are divided.',
  RebalancePlan: 'A rebalance with a preview, in waves, within a budget, that can be paused and undone.',
  ReplicaSet: 'Keeps so many equal pods running.',
  ResourceBinding: 'A namespaced template bound to clusters: the scheduling request and its result.',
  Secret: 'Data that only some users may read.',
  Service: 'A name and address for a set of pods.',
  StatefulSet: 'Keeps pods running that have lasting names and storage.',
  Work: 'The manifests that one member cluster has to run.',
  WorkloadRebalancer: 'Asks for fresh scheduling of the workloads that it names, once.',
  CloneSet: 'Keeps so many equal pods running, and updates them in place where it can.',
  ClusterRole: 'Permissions in all namespaces, or on objects without one.',
  ClusterRoleBinding: 'Grants a ClusterRole to users, groups and service accounts.',
  ControllerRevision: 'A state of a workload that it can go back to.',
  CronJob: 'Makes Jobs at the times of a schedule.',
  EndpointSlice: 'A part of the addresses behind a Service.',
  Endpoints: 'The addresses behind a Service.',
  Event: 'Something that happened to an object.',
  FailbackPolicy: 'Moves workloads back to clusters that are ready again.',
  HorizontalPodAutoscaler: 'Sets the replicas of a workload by what it measures.',
  Ingress: 'Routes HTTP requests from outside to Services.',
  LimitRange: 'Bounds and defaults of what pods of a namespace ask for.',
  MutatingWebhookConfiguration: 'Webhooks that may change objects before they are stored.',
  NetworkPolicy: 'Which connections pods may have.',
  PersistentVolume: 'Storage that a cluster offers.',
  PersistentVolumeClaim: 'Storage that pods ask for.',
  PodDisruptionBudget: 'How many pods of a workload may be evicted at a time.',
  PodTemplate: 'A description of pods that others may copy.',
  PriorityClass: 'A priority with a name, for pods to refer to.',
  Queue: 'Admits the workloads of a tenant in order, within a quota.',
  ReplicationController: 'Keeps so many equal pods running; ReplicaSet replaces it.',
  ResourceInterpreterCustomization: 'Scripts that tell the control plane how a custom kind is read and written.',
  ResourceInterpreterWebhookConfiguration: 'Webhooks that tell the control plane how kinds are read and written.',
  ResourceQuota: 'Limits what the objects of a namespace take together.',
  Role: 'Permissions in one namespace.',
  RoleBinding: 'Grants a role in one namespace to users, groups and service accounts.',
  ServiceAccount: 'An identity for programs that run in pods.',
  StorageClass: 'A kind of storage, and what makes it.',
  ValidatingWebhookConfiguration: 'Webhooks that may refuse objects before they are stored.',
  WorkloadSpread: 'Divides the pods of a workload into subsets, by zone, by kind of node or by share.',
}

const paths: Texts = {
  'FederatedHPA.spec.maxReplicas': 'Maximum number of replicas.',
  'CronFederatedHPA.spec.rules': 'What is set at which times.',
  'Deployment.spec': 'Specification of the desired behavior of the Deployment.',
  'Deployment.spec.replicas':
    'Number of desired pods. This is a pointer to distinguish between explicit zero and not specified. Defaults to 1.',
  'Deployment.spec.strategy': 'How old pods are replaced by new ones.',
  'Deployment.status': 'Most recently observed status of the Deployment.',
  'PropagationPolicy.spec': 'Which resources, to which clusters, and how.',
  'ClusterPropagationPolicy.spec': 'Which resources, to which clusters, and how.',
  'OverridePolicy.spec': 'Which resources are changed, for which clusters, and how.',
  'ClusterOverridePolicy.spec': 'Which resources are changed, for which clusters, and how.',
  'WorkloadRebalancer.spec.workloads': 'The workloads that are to be scheduled afresh.',
  'WorkloadRebalancer.spec.ttlSecondsAfterFinished':
    'Seconds after its end until the rebalancer is removed; never when absent.',
  'ResourceBinding.spec.clusters': 'The result of scheduling: clusters with their replicas.',
  'ClusterResourceBinding.spec.clusters': 'The result of scheduling: clusters with their replicas.',
  'Work.spec.workload': 'The manifests to run in the member cluster.',
  'Cluster.spec.syncMode': 'Who carries manifests to the member: the control plane (Push) or an agent there (Pull).',
  'FederatedResourceQuota.spec.overall': 'The limits for all member clusters together.',
}

const pairs: Texts = {
  'containers.image': 'The image that the container runs.',
  'containers.name': 'The name of the container, unique in its pod.',
  'containers.command': 'What is run instead of the entry point of the image.',
  'containers.args': 'Arguments of the command.',
  'containers.env': 'Environment variables of the container.',
  'containers.ports': 'Ports that the container listens on.',
  'containers.resources': 'What the container asks for and what it may take at most.',
  'resources.limits': 'What may be taken at most.',
  'resources.requests': 'What is set aside.',
  'spec.containers': 'The containers of the pod; they cannot be added or taken away later.',
  'spec.nodeName': 'The node that runs the pod; empty until it is scheduled.',
  'spec.template': 'The pod that is to be made.',
  'spec.selector': 'Which objects count as belonging to this one.',
  'spec.replicas': 'How many there are to be.',
  'metadata.name': 'The name of the object, unique among those of its kind in a namespace.',
  'metadata.namespace': 'The namespace of the object.',
  'metadata.labels': 'Keys and values to select objects by.',
  'metadata.annotations': 'Keys and values for tools; objects are not selected by them.',
  'metadata.finalizers': 'Who has to agree before the object is gone.',
  'metadata.ownerReferences': 'Objects that this one goes away with.',
  'metadata.resourceVersion': 'Changes with every change of the object.',
  'metadata.generation': 'Rises with every change of what is desired.',
  'metadata.uid': 'Unlike the name never given twice.',
  'placement.clusterAffinity': 'Which clusters are eligible.',
  'placement.clusterAffinities': 'Groups of eligible clusters, the first that fits is taken.',
  'placement.clusterTolerations': 'Taints of clusters that do not keep the workload away.',
  'placement.replicaScheduling': 'Whether clusters get all replicas or a share, and by which weights.',
  'placement.spreadConstraints': 'Over how many clusters, regions, zones or providers the workload is spread.',
  'failover.application': 'When an unhealthy workload leaves its cluster.',
  'failover.cluster': 'When a workload leaves a cluster that failed.',
}

const names: Texts = {
  apiVersion: 'The group and version of the schema that the object is written in.',
  kind: 'The kind of the object.',
  metadata: 'What every object has: name, labels, annotations and its life.',
  spec: 'What is desired.',
  status: 'What was observed last.',
  conditions: 'Observations about the object, each of its own type.',
  conflictResolution: 'What happens when the resource is in the member already: Abort or Overwrite.',
  failover: 'When and how workloads move to other clusters.',
  gracefulEvictionTasks: 'Clusters that are left gracefully: they are kept until a replacement is healthy.',
  observedGeneration: 'The generation that the status speaks of.',
  overrideRules: 'What is changed for which clusters, in order.',
  placement: 'Which clusters are chosen, and how replicas are divided over them.',
  priority: 'Of several policies that match a resource, the one with the highest priority applies.',
  propagateDeps: 'Whether what a workload refers to (ConfigMaps, Secrets, ...) follows it.',
  resourceSelectors: 'The resources that the policy is about.',
  schedulerName: 'The scheduler that chooses the clusters.',
  suspension: 'What is suspended: dispatching to clusters, or scheduling.',
  tolerations: 'Taints that are tolerated.',
}

/** The text of a whole kind, undefined when there is none. */
export function describeKind(kind: string): string | undefined {
  return own(kinds, kind)
}

/** The text of a field of a kind; `path` names the fields that lead to it. */
export function describeField(kind: string, path: readonly string[]): string | undefined {
  const last = path.at(-1) ?? ''
  return (
    own(paths, [kind, ...path].join('.'))
    ?? own(pairs, path.slice(-2).join('.'))
    ?? own(names, last)
    ?? own(fieldTexts, last)
    ?? own(karmadaTexts, last)
  )
}

function own(texts: Texts, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
