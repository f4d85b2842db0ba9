/** The values of texts of built-in kinds that have a list, by type and field: kubectl explain shows them. */
import { keyUsages } from '@/lib/kube/validation/certificates'
import { ownField } from '@/lib/std/fields'
import type { MessageType } from '../protobuf/table'

const SIGNALS =
  'SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMAX-1 SIGRTMAX-10 SIGRTMAX-11 SIGRTMAX-12 SIGRTMAX-13 SIGRTMAX-14 SIGRTMAX-2 SIGRTMAX-3 SIGRTMAX-4 SIGRTMAX-5 SIGRTMAX-6 SIGRTMAX-7 SIGRTMAX-8 SIGRTMAX-9 SIGRTMIN SIGRTMIN+1 SIGRTMIN+10 SIGRTMIN+11 SIGRTMIN+12 SIGRTMIN+13 SIGRTMIN+14 SIGRTMIN+15 SIGRTMIN+2 SIGRTMIN+3 SIGRTMIN+4 SIGRTMIN+5 SIGRTMIN+6 SIGRTMIN+7 SIGRTMIN+8 SIGRTMIN+9 SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ'.split(
    ' ',
  )
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const QUOTA_SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
]

const ENUMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  AppArmorProfile: { type: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
  AzureDiskVolumeSource: { cachingMode: ['None', 'ReadOnly', 'ReadWrite'], kind: ['Dedicated', 'Managed', 'Shared'] },
  CertificateSigningRequestSpec: { usages: keyUsages },
  Container: { imagePullPolicy: PULL_POLICIES, terminationMessagePolicy: ['FallbackToLogsOnError', 'File'] },
  ContainerPort: { protocol: PROTOCOLS },
  ContainerStatus: { stopSignal: SIGNALS },
  CronJobSpec: { concurrencyPolicy: ['Allow', 'Forbid', 'Replace'] },
  DaemonSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] },
  DeploymentStrategy: { type: ['Recreate', 'RollingUpdate'] },
  EndpointPort: { protocol: PROTOCOLS },
  EndpointSlice: { addressType: ['FQDN', 'IPv4', 'IPv6'] },
  EphemeralContainer: { imagePullPolicy: PULL_POLICIES, terminationMessagePolicy: ['FallbackToLogsOnError', 'File'] },
  HTTPGetAction: { scheme: ['HTTP', 'HTTPS'] },
  HTTPIngressPath: { pathType: ['Exact', 'ImplementationSpecific', 'Prefix'] },
  HostPathVolumeSource: {
    type: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
  },
  ImageVolumeSource: { pullPolicy: PULL_POLICIES },
  IngressPortStatus: { protocol: PROTOCOLS },
  JobSpec: { completionMode: ['Indexed', 'NonIndexed'], podReplacementPolicy: ['Failed', 'TerminatingOrFailed'] },
  Lifecycle: { stopSignal: SIGNALS },
  ModifyVolumeStatus: { status: ['InProgress', 'Infeasible', 'Pending'] },
  MutatingWebhook: {
    failurePolicy: ['Fail', 'Ignore'],
    matchPolicy: ['Equivalent', 'Exact'],
    reinvocationPolicy: ['IfNeeded', 'Never'],
    sideEffects: ['None', 'NoneOnDryRun', 'Some', 'Unknown'],
  },
  NamespaceStatus: { phase: ['Active', 'Terminating'] },
  NetworkPolicyPort: { protocol: PROTOCOLS },
  NetworkPolicySpec: { policyTypes: ['Egress', 'Ingress'] },
  NodeSelectorRequirement: { operator: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] },
  NodeStatus: { phase: ['Pending', 'Running', 'Terminated'] },
  PersistentVolumeClaimSpec: { accessModes: ACCESS_MODES, volumeMode: ['Block', 'Filesystem'] },
  PersistentVolumeClaimStatus: { accessModes: ACCESS_MODES, phase: ['Bound', 'Lost', 'Pending'] },
  PersistentVolumeSpec: {
    accessModes: ACCESS_MODES,
    persistentVolumeReclaimPolicy: ['Delete', 'Recycle', 'Retain'],
    volumeMode: ['Block', 'Filesystem'],
  },
  PersistentVolumeStatus: { phase: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
  PodDisruptionBudgetSpec: { unhealthyPodEvictionPolicy: ['AlwaysAllow', 'IfHealthyBudget'] },
  PodFailurePolicyOnExitCodesRequirement: { operator: ['In', 'NotIn'] },
  PodFailurePolicyRule: { action: ['Count', 'FailIndex', 'FailJob', 'Ignore'] },
  PodSecurityContext: {
    fsGroupChangePolicy: ['Always', 'OnRootMismatch'],
    supplementalGroupsPolicy: ['Merge', 'Strict'],
  },
  PodSpec: {
    dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    preemptionPolicy: ['Never', 'PreemptLowerPriority'],
    restartPolicy: ['Always', 'Never', 'OnFailure'],
  },
  PodStatus: {
    phase: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'],
    qosClass: ['BestEffort', 'Burstable', 'Guaranteed'],
  },
  PortStatus: { protocol: PROTOCOLS },
  PriorityClass: { preemptionPolicy: ['Never', 'PreemptLowerPriority'] },
  ResourceQuotaSpec: { scopes: QUOTA_SCOPES },
  RuleWithOperations: {
    operations: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    scope: ['*', 'Cluster', 'Namespaced'],
  },
  ScopedResourceSelectorRequirement: { operator: ['DoesNotExist', 'Exists', 'In', 'NotIn'], scopeName: QUOTA_SCOPES },
  SeccompProfile: { type: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
  SecurityContext: { procMount: ['Default', 'Unmasked'] },
  ServicePort: { protocol: PROTOCOLS },
  ServiceSpec: {
    externalTrafficPolicy: ['Cluster', 'Local'],
    internalTrafficPolicy: ['Cluster', 'Local'],
    ipFamilies: ['', 'IPv4', 'IPv6'],
    ipFamilyPolicy: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
    sessionAffinity: ['ClientIP', 'None'],
    type: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  },
  StatefulSetSpec: { podManagementPolicy: ['OrderedReady', 'Parallel'] },
  StatefulSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] },
  StorageClass: {
    reclaimPolicy: ['Delete', 'Recycle', 'Retain'],
    volumeBindingMode: ['Immediate', 'WaitForFirstConsumer'],
  },
  Taint: { effect: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
  Toleration: { effect: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], operator: ['Equal', 'Exists', 'Gt', 'Lt'] },
  TopologySpreadConstraint: {
    nodeAffinityPolicy: ['Honor', 'Ignore'],
    nodeTaintsPolicy: ['Honor', 'Ignore'],
    whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  },
  ValidatingWebhook: {
    failurePolicy: ['Fail', 'Ignore'],
    matchPolicy: ['Equivalent', 'Exact'],
    sideEffects: ['None', 'NoneOnDryRun', 'Some', 'Unknown'],
  },
  ValidationRule: { reason: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'] },
  VolumeMount: { mountPropagation: ['Bidirectional', 'HostToContainer', 'None'] },
}

/** The values of a field of a type; undefined for one that takes any. */
export function enumOf({ name }: MessageType, field: string): readonly string[] | undefined {
  return ownField(ownField(ENUMS, name.slice(name.lastIndexOf('/') + 1)) ?? {}, field)
}
