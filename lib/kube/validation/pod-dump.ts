/** Specs written out as the server holds them inside, and how two of them differ: the words of a refused update. */
import type { PodSpec, PodTemplate } from '../kinds'
import { emptyOrNull } from '../go-encoding'
import { sortedMap } from '../go-text'
import { unifiedDiff } from './line-diff'

/**
 * The fields of a struct in their order, as `Name kind`: `t` text, `f` flag, `n` number, `p` a pointer, a list or a map
 * that may be missing, or the name of a struct behind a pointer; `[]` before it is a list, `=` a struct that is always
 * there. `^` reads the field from the spec itself, where the API has it.
 */
const STRUCTS: Readonly<Record<string, string>> = {
  PodSpec:
    'Volumes []Volume,InitContainers []Container,Containers []Container,EphemeralContainers p,RestartPolicy t,'
    + 'TerminationGracePeriodSeconds p,ActiveDeadlineSeconds p,DNSPolicy t,NodeSelector m,ServiceAccountName t,'
    + 'AutomountServiceAccountToken p,NodeName t,SecurityContext PodSecurityContext,ImagePullSecrets []Reference,Hostname t,'
    + 'Subdomain t,SetHostnameAsFQDN p,Affinity Affinity,SchedulerName t,Tolerations []Toleration,HostAliases p,'
    + 'PriorityClassName t,Priority p,PreemptionPolicy p,DNSConfig p,ReadinessGates p,RuntimeClassName p,Overhead p,'
    + 'EnableServiceLinks p,TopologySpreadConstraints p,OS p,SchedulingGates p,ResourceClaims p,Resources p,HostnameOverride p,'
    + 'SchedulingGroup p',
  Container:
    'Name t,Image t,Command p,Args p,WorkingDir t,Ports []Port,EnvFrom p,Env []Env,Resources =Resources,ResizePolicy p,'
    + 'RestartPolicy p,RestartPolicyRules p,VolumeMounts []Mount,VolumeDevices p,LivenessProbe Probe,'
    + 'ReadinessProbe Probe,StartupProbe Probe,Lifecycle p,TerminationMessagePath t,TerminationMessagePolicy t,ImagePullPolicy t,SecurityContext p,'
    + 'Stdin f,StdinOnce f,TTY f',
  Resources: 'Limits m,Requests m,Claims p',
  Port: 'Name t,HostPort n,ContainerPort n,Protocol t,HostIP t',
  Env: 'Name t,Value t,ValueFrom EnvSource',
  EnvSource: 'FieldRef FieldRef,ResourceFieldRef p,ConfigMapKeyRef p,SecretKeyRef p,FileKeyRef p',
  FieldRef: 'APIVersion t,FieldPath t',
  Probe:
    'Exec p,HTTPGet HTTPGet,TCPSocket p,GRPC p,InitialDelaySeconds n,TimeoutSeconds n,PeriodSeconds n,SuccessThreshold n,'
    + 'FailureThreshold n,TerminationGracePeriodSeconds p',
  HTTPGet: 'Path t,Port n,Host t,Scheme t,HTTPHeaders p',
  Mount: 'Name t,ReadOnly f,RecursiveReadOnly p,MountPath t,SubPath t,MountPropagation p,SubPathExpr t',
  PodSecurityContext:
    'HostNetwork ^f,HostPID ^f,HostIPC ^f,ShareProcessNamespace ^p,HostUsers ^p,SELinuxOptions p,WindowsOptions p,'
    + 'RunAsUser p,RunAsGroup p,RunAsNonRoot p,SupplementalGroups p,SupplementalGroupsPolicy p,FSGroup p,'
    + 'FSGroupChangePolicy p,Sysctls p,SeccompProfile p,AppArmorProfile p,SELinuxChangePolicy p',
  SecurityContext:
    'Capabilities Capabilities,Privileged p,SELinuxOptions SELinuxOptions,WindowsOptions WindowsOptions,RunAsUser p,'
    + 'RunAsGroup p,RunAsNonRoot p,ReadOnlyRootFilesystem p,AllowPrivilegeEscalation p,ProcMount p,SeccompProfile Profile,'
    + 'AppArmorProfile Profile',
  Capabilities: 'Add p,Drop p',
  SELinuxOptions: 'User t,Role t,Type t,Level t',
  WindowsOptions: 'GMSACredentialSpecName p,GMSACredentialSpec p,RunAsUserName p,HostProcess p',
  Profile: 'Type t,LocalhostProfile p',
  ResourceClaim: 'Name t,ResourceClaimName p,ResourceClaimTemplateName p',
  VolumeNodeAffinity: 'Required NodeSelector',
  Toleration: 'Key t,Operator t,Value t,Effect t,TolerationSeconds p',
  Reference: 'Name t',
  Affinity: 'NodeAffinity NodeAffinity,PodAffinity PodAffinity,PodAntiAffinity PodAffinity',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution NodeSelector,'
    + 'PreferredDuringSchedulingIgnoredDuringExecution []PreferredTerm',
  NodeSelector: 'NodeSelectorTerms []NodeSelectorTerm',
  NodeSelectorTerm: 'MatchExpressions []Requirement,MatchFields []Requirement',
  Requirement: 'Key t,Operator t,Values p',
  PreferredTerm: 'Weight n,Preference =NodeSelectorTerm',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,'
    + 'PreferredDuringSchedulingIgnoredDuringExecution []WeightedTerm',
  PodAffinityTerm:
    'LabelSelector p,Namespaces p,TopologyKey t,NamespaceSelector p,MatchLabelKeys p,MismatchLabelKeys p',
  WeightedTerm: 'Weight n,PodAffinityTerm =PodAffinityTerm',
  Volume:
    'Name t,HostPath HostPath,EmptyDir EmptyDir,GCEPersistentDisk p,AWSElasticBlockStore p,GitRepo p,Secret SecretVolume,'
    + 'NFS NFS,ISCSI p,Glusterfs p,PersistentVolumeClaim Claim,RBD p,Quobyte p,FlexVolume p,Cinder p,CephFS p,Flocker p,'
    + 'DownwardAPI p,FC p,AzureFile p,ConfigMap ConfigMapVolume,VsphereVolume p,AzureDisk p,PhotonPersistentDisk p,'
    + 'Projected p,PortworxVolume p,ScaleIO p,StorageOS p,CSI p,Ephemeral p,Image p',
  EmptyDir: 'Medium t,SizeLimit p',
  SecretVolume: 'SecretName t,Items p,DefaultMode p,Optional p',
  ConfigMapVolume: 'Name t,Items p,DefaultMode p,Optional p',
  Claim: 'ClaimName t,ReadOnly f',
  ClaimSpec:
    'AccessModes p,Selector p,Resources =ClaimResources,VolumeName t,StorageClassName p,VolumeMode p,'
    + 'DataSource ClaimSource,DataSourceRef ClaimSourceRef,VolumeAttributesClassName p',
  ClaimResources: 'Limits m,Requests m',
  ClaimSource: 'APIGroup p,Kind t,Name t',
  ClaimSourceRef: 'APIGroup p,Kind t,Name t,Namespace p',
  VolumeSource:
    'GCEPersistentDisk p,AWSElasticBlockStore p,HostPath HostPath,Glusterfs p,NFS NFS,RBD p,Quobyte p,ISCSI p,'
    + 'FlexVolume p,Cinder p,CephFS p,FC p,Flocker p,AzureFile p,VsphereVolume p,AzureDisk p,PhotonPersistentDisk p,'
    + 'PortworxVolume p,ScaleIO p,Local Local,StorageOS p,CSI p',
  HostPath: 'Path t,Type p',
  NFS: 'Server t,Path t,ReadOnly f',
  Local: 'Path t,FSType p',
}

type Fields = Readonly<Record<string, unknown>>

function dump(value: Fields, struct: string, spec: Fields): Fields {
  const fields = (STRUCTS[struct] ?? '').split(',').map((field) => field.split(' ') as [string, string])
  return Object.fromEntries(
    fields.map(([name, kind]) => {
      const from = kind.startsWith('^') ? spec : value
      const field = jsonName(name)
      const own = from[field] ?? emptyOrNull(from, field) ?? undefined
      return [name, dumpField(own, kind.replace('^', ''), spec)]
    }),
  )
}

function dumpField(value: unknown, kind: string, spec: Fields): unknown {
  if (kind.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => dump(item as Fields, kind.slice(2), spec)) : null
  }
  switch (kind) {
    case 't':
      return value ?? ''
    case 'f':
      return value ?? false
    case 'n':
      return value ?? 0
    case 'p':
      return value ?? null
    case 'm':
      return sortedMap(value) ?? null
  }
  if (kind.startsWith('=')) return dump((value ?? {}) as Fields, kind.slice(1), spec)
  return value === undefined ? null : dump(value as Fields, kind, spec)
}

/** `NodeName` is `nodeName`, `DNSPolicy` is `dnsPolicy`, `TTY` is `tty`. */
function jsonName(name: string): string {
  if (name === 'HTTPGet') return 'httpGet'
  if (name === 'CephFS' || name === 'StorageOS') return name.toLowerCase()
  if (name.startsWith('SELinux')) return `seLinux${name.slice('SELinux'.length)}`
  const [capitals = ''] = /^[A-Z]+/.exec(name) ?? []
  const lowered = capitals.length > 1 && capitals.length < name.length ? capitals.length - 1 : capitals.length
  return name.slice(0, lowered).toLowerCase() + name.slice(lowered)
}

/** A part of a spec written out as the server holds it inside. */
export const dumped = (struct: Dumped, value: Fields): Fields => dump(value, struct, value)

type Dumped = 'NodeSelectorTerm' | 'ResourceClaim' | 'SecurityContext' | 'VolumeNodeAffinity'

/** A template written out as the server holds it inside. */
export function dumpedTemplate({ metadata, spec }: PodTemplate): Fields {
  return { ...metadata, Spec: dump(spec, 'PodSpec', spec) }
}

/** The lines that differ, each with three lines around, as a unified diff without its head. */
export function podSpecDifference(old: PodSpec, next: PodSpec): string {
  return structDifference('PodSpec', old, next)
}

/** The same of two structs of one type. */
export function structDifference(struct: 'PodSpec' | 'ClaimSpec' | 'VolumeSource', old: Fields, next: Fields): string {
  const lines = (spec: Fields): string[] => JSON.stringify(dump(spec, struct, spec), null, 1).split('\n')
  return unifiedDiff(lines(old), lines(next))
}
