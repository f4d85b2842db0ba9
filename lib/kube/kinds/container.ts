/** One container of a pod. */
import { type Infer, array, boolean, int32, int64, intOrString, map, object, oneOf, quantity, string } from '../schema'
import { atomicList, atomicStrings, keyedList, setOf } from './lists'
import { confinement } from './security-profiles'

/** `v1.ResourceRequirements`: what the scheduler reserves and the kubelet enforces. */
export const resourceRequirements = object({
  claims: array(object({ name: string(), request: string() }, { required: ['name'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  }),
  limits: map(quantity()),
  requests: map(quantity()),
})

const keyOf = (name: string) =>
  object(
    { key: string(), name: string({ default: '', description: `Name of the ${name}.` }), optional: boolean() },
    { required: ['key'], 'x-kubernetes-map-type': 'atomic' },
  )

/** `v1.ObjectFieldSelector`: a field of the pod itself. */
export const fieldRef = object(
  { apiVersion: string(), fieldPath: string() },
  { required: ['fieldPath'], 'x-kubernetes-map-type': 'atomic' },
)

/** `v1.ResourceFieldSelector`: a resource of a container. */
export const resourceFieldRef = object(
  { containerName: string(), divisor: quantity(), resource: string() },
  { required: ['resource'], 'x-kubernetes-map-type': 'atomic' },
)

const fileKeyRef = object(
  { key: string(), optional: boolean(), path: string(), volumeName: string() },
  { required: ['volumeName', 'path', 'key'], 'x-kubernetes-map-type': 'atomic' },
)

/** `v1.EnvVar`. */
export const envVar = object(
  {
    name: string(),
    value: string(),
    valueFrom: object({
      configMapKeyRef: keyOf('ConfigMap'),
      fieldRef,
      fileKeyRef,
      resourceFieldRef,
      secretKeyRef: keyOf('Secret'),
    }),
  },
  { required: ['name'] },
)

const envSource = object({ name: string({ default: '' }), optional: boolean() })

const envFromSource = object({ configMapRef: envSource, prefix: string(), secretRef: envSource })

const httpGet = object(
  {
    host: string(),
    httpHeaders: atomicList(object({ name: string(), value: string() }, { required: ['name', 'value'] })),
    path: string(),
    port: intOrString(),
    scheme: string(),
  },
  { required: ['port'] },
)

const exec = object({ command: atomicStrings() })
const tcpSocket = object({ host: string(), port: intOrString() }, { required: ['port'] })

/** `v1.Probe`. */
export const probe = object({
  exec,
  failureThreshold: int32(),
  grpc: object({ port: int32(), service: string() }, { required: ['port'] }),
  httpGet,
  initialDelaySeconds: int32(),
  periodSeconds: int32(),
  successThreshold: int32(),
  tcpSocket,
  terminationGracePeriodSeconds: int64(),
  timeoutSeconds: int32(),
})

const lifecycleHandler = object({
  exec,
  httpGet,
  sleep: object({ seconds: int64() }, { required: ['seconds'] }),
  tcpSocket,
})

/** `v1.ContainerPort`. */
export const containerPort = object(
  {
    containerPort: int32(),
    hostIP: string(),
    hostPort: int32(),
    name: string(),
    protocol: oneOf(['SCTP', 'TCP', 'UDP'], { default: 'TCP' }),
  },
  { required: ['containerPort'] },
)

const volumeMount = object(
  {
    mountPath: string(),
    mountPropagation: string(),
    name: string(),
    readOnly: boolean(),
    recursiveReadOnly: string(),
    subPath: string(),
    subPathExpr: string(),
  },
  { required: ['name', 'mountPath'] },
)

const securityContext = object({
  ...confinement,
  allowPrivilegeEscalation: boolean(),
  capabilities: object({ add: atomicStrings(), drop: atomicStrings() }),
  privileged: boolean(),
  procMount: string(),
  readOnlyRootFilesystem: boolean(),
  runAsGroup: int64(),
  runAsNonRoot: boolean(),
  runAsUser: int64(),
})

const restartRule = object(
  { action: string(), exitCodes: object({ operator: string(), values: setOf(int32()) }, { required: ['operator'] }) },
  { required: ['action'] },
)

const containerFields = {
  args: atomicStrings(),
  command: atomicStrings(),
  env: keyedList(envVar, 'name'),
  envFrom: atomicList(envFromSource),
  image: string(),
  imagePullPolicy: oneOf(['Always', 'IfNotPresent', 'Never']),
  lifecycle: object({ postStart: lifecycleHandler, preStop: lifecycleHandler, stopSignal: string() }),
  livenessProbe: probe,
  name: string(),
  ports: keyedList(containerPort, 'containerPort', ['containerPort', 'protocol']),
  readinessProbe: probe,
  resizePolicy: atomicList(
    object({ resourceName: string(), restartPolicy: string() }, { required: ['resourceName', 'restartPolicy'] }),
  ),
  resources: resourceRequirements,
  restartPolicy: string(),
  restartPolicyRules: atomicList(restartRule),
  securityContext,
  startupProbe: probe,
  stdin: boolean(),
  stdinOnce: boolean(),
  terminationMessagePath: string(),
  terminationMessagePolicy: oneOf(['FallbackToLogsOnError', 'File']),
  tty: boolean(),
  volumeDevices: keyedList(
    object({ devicePath: string(), name: string() }, { required: ['name', 'devicePath'] }),
    'devicePath',
  ),
  volumeMounts: keyedList(volumeMount, 'mountPath'),
  workingDir: string(),
}

/** `v1.Container`. */
export const container = object(containerFields, { required: ['name'] })

/** `v1.EphemeralContainer`: added to a running pod for a look inside. */
export const ephemeralContainer = object({ ...containerFields, targetContainerName: string() }, { required: ['name'] })

export type ResourceRequirements = Infer<typeof resourceRequirements>
export type EnvVar = Infer<typeof envVar>
export type Probe = Infer<typeof probe>
export type ContainerPort = Infer<typeof containerPort>
export type Container = Infer<typeof container>
