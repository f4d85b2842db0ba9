import { defineKind, type ObjectOf } from '../kind'
import { type Infer, anything, boolean, int32, int64, map, object, quantity, string, time } from '../schema'
import { atomicList, keyedList } from './lists'
import { podSpec } from './pod-spec'
import { workloadConditions } from './workload-status'

const containerState = object({
  running: object({ startedAt: time() }),
  terminated: object(
    {
      containerID: string(),
      exitCode: int32(),
      finishedAt: time(),
      message: string(),
      reason: string(),
      signal: int32(),
      startedAt: time(),
    },
    { required: ['exitCode'] },
  ),
  waiting: object({ message: string(), reason: string() }),
})

/** `v1.ContainerStatus`. */
export const containerStatus = object(
  {
    allocatedResources: map(quantity()),
    allocatedResourcesStatus: atomicList(anything()),
    containerID: string(),
    image: string(),
    imageID: string(),
    lastState: containerState,
    name: string(),
    ready: boolean(),
    resources: anything(),
    restartCount: int32(),
    started: boolean(),
    state: containerState,
    stopSignal: string(),
    user: anything(),
    volumeMounts: atomicList(anything()),
  },
  { required: ['name', 'ready', 'restartCount', 'image', 'imageID'] },
)

/** Containers that run together on one node. */
export const pod = defineKind({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: podSpec,
      status: object({
        allocatedResources: map(quantity()),
        conditions: workloadConditions,
        containerStatuses: atomicList(containerStatus),
        ephemeralContainerStatuses: atomicList(containerStatus),
        extendedResourceClaimStatus: anything(),
        hostIP: string(),
        hostIPs: atomicList(object({ ip: string() }, { required: ['ip'] })),
        initContainerStatuses: atomicList(containerStatus),
        message: string(),
        nominatedNodeName: string(),
        observedGeneration: int64(),
        phase: string(),
        podIP: string(),
        podIPs: keyedList(object({ ip: string() }, { required: ['ip'] }), 'ip'),
        qosClass: string(),
        reason: string(),
        resize: string(),
        resourceClaimStatuses: atomicList(anything()),
        resources: anything(),
        startTime: time(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Pod = ObjectOf<typeof pod>
export type ContainerStatus = Infer<typeof containerStatus>
