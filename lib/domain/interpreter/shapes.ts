/** Shapes of the status blocks of built-in kinds that are reflected or aggregated. */
import { fieldsOf, listOf, mapOf, optional, pointer, required, shapes, struct } from './shape'

const { integer, int32, text, flag, time, quantity, any } = shapes

/** The generation of the member's object, and that of its template. */
const generations = fieldsOf(['generation', 'resourceTemplateGeneration'], optional(integer))

const observedGeneration = optional(integer)

/** A condition with the time fields that Deployment, StatefulSet and similar kinds write. */
const workloadCondition = (times: readonly string[]) =>
  struct({
    ...fieldsOf(['type', 'status'], required(text)),
    ...fieldsOf(times, required(time)),
    ...fieldsOf(['reason', 'message'], optional(text)),
  })

/** What a member reports of one: its whole status, and both generations. */
const reflectionOf = (fields: Parameters<typeof struct>[0]) => struct({ ...generations, ...fields })

const deploymentFields = {
  observedGeneration,
  ...fieldsOf(
    ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'],
    optional(int32),
  ),
  terminatingReplicas: pointer(int32),
  collisionCount: pointer(int32),
  conditions: optional(listOf(workloadCondition(['lastUpdateTime', 'lastTransitionTime']))),
}
export const deploymentReflection = reflectionOf(deploymentFields)
export const deploymentStatus = struct(deploymentFields)

const replicaSetFields = {
  replicas: required(int32),
  ...fieldsOf(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], optional(int32)),
  observedGeneration,
  terminatingReplicas: pointer(int32),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
}
export const replicaSetReflection = reflectionOf(replicaSetFields)
export const replicaSetStatus = struct(replicaSetFields)

const statefulSetFields = {
  ...fieldsOf(['replicas', 'availableReplicas'], required(int32)),
  observedGeneration,
  ...fieldsOf(['readyReplicas', 'currentReplicas', 'updatedReplicas'], optional(int32)),
  ...fieldsOf(['currentRevision', 'updateRevision'], optional(text)),
  collisionCount: pointer(int32),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
}
export const statefulSetReflection = reflectionOf(statefulSetFields)
export const statefulSetStatus = struct(statefulSetFields)

/** Numbers that are summed over member clusters. */
export const DAEMON_SET_NUMBERS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const

const daemonSetFields = {
  ...fieldsOf(
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
    required(int32),
  ),
  observedGeneration,
  ...fieldsOf(['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'], optional(int32)),
  collisionCount: pointer(int32),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
}
export const daemonSetReflection = reflectionOf(daemonSetFields)
export const daemonSetStatus = struct(daemonSetFields)

export const jobStatus = struct({
  conditions: optional(listOf(workloadCondition(['lastProbeTime', 'lastTransitionTime']))),
  startTime: pointer(time),
  completionTime: pointer(time),
  ...fieldsOf(['active', 'succeeded', 'failed'], optional(int32)),
  terminating: pointer(int32),
  completedIndexes: optional(text),
  failedIndexes: pointer(text),
  uncountedTerminatedPods: pointer(any),
  ready: pointer(int32),
})

const objectReference = struct(
  fieldsOf(['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'], optional(text)),
)
export const cronJobStatus = struct({
  active: optional(listOf(objectReference)),
  lastScheduleTime: pointer(time),
  lastSuccessfulTime: pointer(time),
})

const loadBalancerPorts = listOf(struct({ port: required(int32), protocol: required(text), error: pointer(text) }))
export const loadBalancerIngress = listOf(
  struct({
    ...fieldsOf(['ip', 'hostname'], optional(text)),
    ipMode: pointer(text),
    ports: optional(loadBalancerPorts),
  }),
)
export const serviceStatus = struct({
  loadBalancer: required(struct({ ingress: optional(loadBalancerIngress) })),
  conditions: optional(listOf(any)),
})
export const ingressStatus = struct({
  loadBalancer: required(
    struct({
      ingress: optional(
        listOf(struct({ ...fieldsOf(['ip', 'hostname'], optional(text)), ports: optional(loadBalancerPorts) })),
      ),
    }),
  ),
})

const terminated = struct({
  exitCode: required(int32),
  signal: optional(int32),
  ...fieldsOf(['reason', 'message'], optional(text)),
  ...fieldsOf(['startedAt', 'finishedAt'], required(time)),
  containerID: optional(text),
})
const containerState = struct({
  waiting: pointer(struct(fieldsOf(['reason', 'message'], optional(text)))),
  running: pointer(struct({ startedAt: required(time) })),
  terminated: pointer(terminated),
})
const containerStatuses = listOf(
  struct({
    name: required(text),
    state: required(containerState),
    lastState: required(containerState),
    ready: required(flag),
    restartCount: required(int32),
    ...fieldsOf(['image', 'imageID'], required(text)),
    containerID: optional(text),
    started: pointer(flag),
    ...fieldsOf(['allocatedResources', 'resources', 'user'], pointer(any)),
    ...fieldsOf(['volumeMounts', 'allocatedResourcesStatus'], optional(listOf(any))),
    stopSignal: pointer(text),
  }),
)
const podCondition = struct({
  ...fieldsOf(['type', 'status'], required(text)),
  observedGeneration,
  ...fieldsOf(['lastProbeTime', 'lastTransitionTime'], required(time)),
  ...fieldsOf(['reason', 'message'], optional(text)),
})
const addresses = optional(listOf(struct({ ip: required(text) })))
export const podStatus = struct({
  observedGeneration,
  ...fieldsOf(
    ['phase', 'message', 'reason', 'nominatedNodeName', 'hostIP', 'podIP', 'qosClass', 'resize'],
    optional(text),
  ),
  conditions: optional(listOf(podCondition)),
  hostIPs: addresses,
  podIPs: addresses,
  startTime: pointer(time),
  containerStatuses: optional(containerStatuses),
  initContainerStatuses: optional(containerStatuses),
  ephemeralContainerStatuses: optional(containerStatuses),
  resourceClaimStatuses: optional(listOf(any)),
  ...fieldsOf(['extendedResourceClaimStatus', 'allocatedResources', 'resources'], pointer(any)),
})

export const persistentVolumeStatus = struct({
  ...fieldsOf(['phase', 'message', 'reason'], optional(text)),
  lastPhaseTransitionTime: pointer(time),
})

const amounts = optional(mapOf(quantity))
export const persistentVolumeClaimStatus = struct({
  phase: optional(text),
  accessModes: optional(listOf(text)),
  capacity: amounts,
  conditions: optional(listOf(workloadCondition(['lastProbeTime', 'lastTransitionTime']))),
  allocatedResources: amounts,
  allocatedResourceStatuses: optional(mapOf(text)),
  currentVolumeAttributesClassName: pointer(text),
  modifyVolumeStatus: pointer(any),
})

export const podDisruptionBudgetStatus = struct({
  observedGeneration: optional(integer),
  disruptedPods: optional(mapOf(time)),
  ...fieldsOf(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], required(int32)),
  conditions: optional(listOf(any)),
})

export const horizontalPodAutoscalerStatus = struct({
  observedGeneration: pointer(integer),
  lastScaleTime: pointer(time),
  currentReplicas: optional(int32),
  desiredReplicas: required(int32),
  currentMetrics: required(listOf(any)),
  conditions: optional(listOf(any)),
})
