/** Shapes of the status blocks of built-in kinds that are reflected or aggregated. */
import { fieldsOf, listOf, mapOf, optional, pointer, required, shapes, struct } from './shape'

const { integer, text, flag, time, any } = shapes

/** The generation of the member's object, and that of its template. */
const generations = fieldsOf(['generation', 'resourceTemplateGeneration'], optional(integer))

const deploymentNumbers = fieldsOf(
  ['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'],
  optional(integer),
)

/** A condition with the time fields that Deployment, StatefulSet and similar kinds write. */
const workloadCondition = (times: readonly string[]) =>
  struct({
    ...fieldsOf(['type', 'status'], required(text)),
    ...fieldsOf(times, required(time)),
    ...fieldsOf(['reason', 'message'], optional(text)),
  })

export const deploymentReflection = struct({ ...generations, ...deploymentNumbers })
export const deploymentStatus = struct({
  ...deploymentNumbers,
  terminatingReplicas: pointer(integer),
  collisionCount: pointer(integer),
  conditions: optional(listOf(workloadCondition(['lastUpdateTime', 'lastTransitionTime']))),
})

const replicaSetNumbers = {
  replicas: required(integer),
  ...fieldsOf(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'], optional(integer)),
}
export const replicaSetReflection = struct({ ...generations, ...replicaSetNumbers })
export const replicaSetStatus = struct({
  ...replicaSetNumbers,
  terminatingReplicas: pointer(integer),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
})

const statefulSetNumbers = {
  ...fieldsOf(['replicas', 'availableReplicas'], required(integer)),
  ...fieldsOf(['observedGeneration', 'readyReplicas', 'currentReplicas', 'updatedReplicas'], optional(integer)),
}
export const statefulSetReflection = struct({ ...generations, ...statefulSetNumbers })
export const statefulSetStatus = struct({
  ...statefulSetNumbers,
  ...fieldsOf(['currentRevision', 'updateRevision'], optional(text)),
  collisionCount: pointer(integer),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
})

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

const daemonSetNumbers = {
  ...fieldsOf(
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
    required(integer),
  ),
  ...fieldsOf(
    ['observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'],
    optional(integer),
  ),
}
export const daemonSetReflection = struct({ ...generations, ...daemonSetNumbers })
export const daemonSetStatus = struct({
  ...daemonSetNumbers,
  collisionCount: pointer(integer),
  conditions: optional(listOf(workloadCondition(['lastTransitionTime']))),
})

export const jobStatus = struct({
  conditions: optional(listOf(workloadCondition(['lastProbeTime', 'lastTransitionTime']))),
  startTime: pointer(time),
  completionTime: pointer(time),
  ...fieldsOf(['active', 'succeeded', 'failed'], optional(integer)),
  terminating: pointer(integer),
  completedIndexes: optional(text),
  failedIndexes: pointer(text),
  uncountedTerminatedPods: pointer(any),
  ready: pointer(integer),
})

export const cronJobStatus = struct({
  active: optional(listOf(any)),
  lastScheduleTime: pointer(time),
  lastSuccessfulTime: pointer(time),
})

const loadBalancerPorts = listOf(struct({ port: required(integer), protocol: required(text), error: pointer(text) }))
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
  exitCode: required(integer),
  signal: optional(integer),
  ...fieldsOf(['reason', 'message'], optional(text)),
  ...fieldsOf(['startedAt', 'finishedAt'], required(time)),
  containerID: optional(text),
})
const containerState = struct({
  waiting: pointer(struct(fieldsOf(['reason', 'message'], optional(text)))),
  running: pointer(struct({ startedAt: required(time) })),
  terminated: pointer(terminated),
})
export const containerStatuses = listOf(
  struct({
    name: required(text),
    state: required(containerState),
    lastState: required(containerState),
    ready: required(flag),
    restartCount: required(integer),
    ...fieldsOf(['image', 'imageID'], required(text)),
    containerID: optional(text),
    started: pointer(flag),
    ...fieldsOf(['allocatedResources', 'resources', 'user'], pointer(any)),
    ...fieldsOf(['volumeMounts', 'allocatedResourcesStatus'], optional(listOf(any))),
    stopSignal: pointer(text),
  }),
)
/** The part of a Pod's status that is aggregated. */
export const podStatus = struct({
  phase: optional(text),
  containerStatuses: optional(containerStatuses),
  initContainerStatuses: optional(containerStatuses),
})

export const volumePhase = struct({ phase: optional(text) })

export const podDisruptionBudgetStatus = struct({
  observedGeneration: optional(integer),
  disruptedPods: optional(mapOf(time)),
  ...fieldsOf(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], required(integer)),
  conditions: optional(listOf(any)),
})

export const horizontalPodAutoscalerStatus = struct({
  observedGeneration: pointer(integer),
  lastScaleTime: pointer(time),
  currentReplicas: optional(integer),
  desiredReplicas: required(integer),
  currentMetrics: required(listOf(any)),
  conditions: optional(listOf(any)),
})
