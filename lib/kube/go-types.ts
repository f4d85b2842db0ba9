/** Names of the types of a typed server, which it tells clients whose bodies do not fit. */
import { ownField } from '@/lib/std/fields'
import type { StructuralSchema } from './schema'
import { isQuantity } from './schema-canonical'

/** Structs that are not named after their field, by the last fields of the path: two, or one. `*` stands for the kind. */
const STRUCTS: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  ownerReferences: 'OwnerReference',
  'template.spec': 'PodSpec',
  template: 'PodTemplateSpec',
  jobTemplate: 'JobTemplateSpec',
  'jobTemplate.spec': 'JobSpec',
  containers: 'Container',
  initContainers: 'Container',
  'containers.ports': 'ContainerPort',
  'initContainers.ports': 'ContainerPort',
  'containers.securityContext': 'SecurityContext',
  'initContainers.securityContext': 'SecurityContext',
  securityContext: 'PodSecurityContext',
  env: 'EnvVar',
  valueFrom: 'EnvVarSource',
  configMapKeyRef: 'ConfigMapKeySelector',
  secretKeyRef: 'SecretKeySelector',
  fieldRef: 'ObjectFieldSelector',
  resourceFieldRef: 'ResourceFieldSelector',
  envFrom: 'EnvFromSource',
  resources: 'ResourceRequirements',
  livenessProbe: 'Probe',
  readinessProbe: 'Probe',
  startupProbe: 'Probe',
  httpGet: 'HTTPGetAction',
  tcpSocket: 'TCPSocketAction',
  exec: 'ExecAction',
  grpc: 'GRPCAction',
  volumeMounts: 'VolumeMount',
  volumes: 'Volume',
  'volumes.configMap': 'ConfigMapVolumeSource',
  'volumes.secret': 'SecretVolumeSource',
  'volumes.emptyDir': 'EmptyDirVolumeSource',
  'volumes.hostPath': 'HostPathVolumeSource',
  'volumes.persistentVolumeClaim': 'PersistentVolumeClaimVolumeSource',
  'volumes.nfs': 'NFSVolumeSource',
  'volumes.projected': 'ProjectedVolumeSource',
  items: 'KeyToPath',
  tolerations: 'Toleration',
  taints: 'Taint',
  topologySpreadConstraints: 'TopologySpreadConstraint',
  imagePullSecrets: 'LocalObjectReference',
  hostAliases: 'HostAlias',
  dnsConfig: 'PodDNSConfig',
  selector: 'LabelSelector',
  labelSelector: 'LabelSelector',
  namespaceSelector: 'LabelSelector',
  podSelector: 'LabelSelector',
  matchExpressions: 'LabelSelectorRequirement',
  strategy: 'DeploymentStrategy',
  'strategy.rollingUpdate': 'RollingUpdateDeployment',
  updateStrategy: '*UpdateStrategy',
  'updateStrategy.rollingUpdate': 'RollingUpdate*',
  'spec.ports': 'ServicePort',
  'spec.workload': 'WorkloadTemplate',
  subjects: 'Subject',
  roleRef: 'RoleRef',
  http: 'HTTPIngressRuleValue',
  paths: 'HTTPIngressPath',
  tls: 'IngressTLS',
  defaultBackend: 'IngressBackend',
  backend: 'IngressBackend',
  'backend.service': 'IngressServiceBackend',
  'service.port': 'ServiceBackendPort',
  scaleTargetRef: 'CrossVersionObjectReference',
  metrics: 'MetricSpec',
  'metrics.resource': 'ResourceMetricSource',
  target: 'MetricTarget',
}

/** Structs of one kind only. */
const OF_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Role: { rules: 'PolicyRule' },
  ClusterRole: { rules: 'PolicyRule' },
  Ingress: { rules: 'IngressRule' },
  LimitRange: { limits: 'LimitRangeItem' },
  StatefulSet: { rollingUpdate: 'RollingUpdateStatefulSetStrategy' },
}

/** The struct that holds the last field of a path. */
export function goStructOf(path: readonly string[], kind: string): string {
  const parents = path.slice(0, -1)
  if (parents.length === 0) return kind
  const [parent = ''] = parents.slice(-1)
  const named =
    ownField(ownField(OF_KIND, kind) ?? {}, parent)
    ?? ownField(STRUCTS, parents.slice(-2).join('.'))
    ?? ownField(STRUCTS, parent)
  if (named !== undefined) return named.replace('*', kind)
  const word = parent.charAt(0).toUpperCase() + parent.slice(1)
  return parents.length > 1 || (parent !== 'spec' && parent !== 'status') ? word : sharedWith(kind) + word
}

/** Structs that are part of another one without a field of their own, by parent and, where only some, by fields. */
const EMBEDDED: Readonly<Record<string, readonly [struct: string, fields: RegExp]>> = {
  livenessProbe: ['ProbeHandler', /^(exec|httpGet|tcpSocket|grpc)$/],
  readinessProbe: ['ProbeHandler', /^(exec|httpGet|tcpSocket|grpc)$/],
  startupProbe: ['ProbeHandler', /^(exec|httpGet|tcpSocket|grpc)$/],
  volumes: ['VolumeSource', /^(?!name$)/],
  configMapKeyRef: ['LocalObjectReference', /^name$/],
  secretKeyRef: ['LocalObjectReference', /^name$/],
  configMapRef: ['LocalObjectReference', /^name$/],
  secretRef: ['LocalObjectReference', /^name$/],
  'volumes.configMap': ['LocalObjectReference', /^name$/],
  rules: ['IngressRuleValue', /^http$/],
}

/** A path as a decoder writes it: with the structs that are embedded. */
export function goPath(path: readonly string[]): string {
  return path
    .flatMap((name, index) => {
      const [parent = '', before] = [path[index - 1], path.slice(Math.max(0, index - 2), index).join('.')]
      const embedded = ownField(EMBEDDED, before) ?? ownField(EMBEDDED, parent)
      return embedded?.[1].test(name) ? [embedded[0], name] : [name]
    })
    .join('.')
}

/** A kind and its twin without namespace have the same struct; those of the policies are short. */
function sharedWith(kind: string): string {
  const twin = /^Cluster(?=ResourceBinding|PropagationPolicy|OverridePolicy)/
  return kind.replace(twin, '').replace(/(Propagation|Override)Policy$/, '$1')
}

/** Texts that have a type of their own, by the last fields of the path. */
const TEXTS: Readonly<Record<string, string>> = {
  protocol: 'Protocol',
  restartPolicy: 'RestartPolicy',
  imagePullPolicy: 'PullPolicy',
  terminationMessagePolicy: 'TerminationMessagePolicy',
  dnsPolicy: 'DNSPolicy',
  preemptionPolicy: 'PreemptionPolicy',
  scheme: 'URIScheme',
  effect: 'TaintEffect',
  'tolerations.operator': 'TolerationOperator',
  'matchExpressions.operator': 'LabelSelectorOperator',
  whenUnsatisfiable: 'UnsatisfiableConstraintAction',
  'strategy.type': 'DeploymentStrategyType',
  'updateStrategy.type': '*UpdateStrategyType',
  podManagementPolicy: 'PodManagementPolicyType',
  concurrencyPolicy: 'ConcurrencyPolicy',
  completionMode: 'CompletionMode',
  accessModes: 'PersistentVolumeAccessMode',
  volumeMode: 'PersistentVolumeMode',
  pathType: 'PathType',
  policyTypes: 'PolicyType',
  sessionAffinity: 'ServiceAffinity',
  externalTrafficPolicy: 'ServiceExternalTrafficPolicy',
  internalTrafficPolicy: 'ServiceInternalTrafficPolicy',
  ipFamilies: 'IPFamily',
  ipFamilyPolicy: 'IPFamilyPolicy',
}
const TEXTS_OF_KIND: Readonly<Record<string, string>> = {
  'Service.spec.type': 'ServiceType',
  'Secret.type': 'SecretType',
}

function textType(path: readonly string[], kind: string): string {
  const named =
    ownField(TEXTS_OF_KIND, [kind, ...path].join('.'))
    ?? ownField(TEXTS, path.slice(-2).join('.'))
    ?? ownField(TEXTS, path.at(-1) ?? '')
  return named === undefined ? 'string' : `v1.${named.replace('*', kind)}`
}

/** The type of the field at a path, as Go writes it. */
export function goTypeOf(schema: StructuralSchema, path: readonly string[], kind: string): string {
  switch (schema.type) {
    case 'string':
      if (schema.format === 'byte') return '[]uint8'
      return textType(path, kind)
    case 'integer':
      return schema.format ?? 'int'
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float64'
    case 'array':
      return `[]${goTypeOf(schema.items ?? {}, path, kind)}`
    case 'object':
      if (typeof schema.additionalProperties === 'object' && isQuantity(schema.additionalProperties))
        return 'v1.ResourceList'
      return typeof schema.additionalProperties === 'object'
        ? `map[string]${goTypeOf(schema.additionalProperties, path, kind)}`
        : `v1.${goStructOf([...path, ''], kind)}`
    default:
      // A number or text is read as a number unless it is a text.
      return 'int32'
  }
}
