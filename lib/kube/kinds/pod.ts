import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, map, object, quantity, string, time } from '../schema'
import { resourceRequirements } from './container'
import { atomicList, keyedList, keyedUnionList } from './lists'
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

const resourceHealth = object(
  {
    name: string(),
    resources: array(
      object({ health: string(), message: string(), resourceID: string() }, { required: ['resourceID'] }),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['resourceID'] },
    ),
  },
  { required: ['name'] },
)

const linuxUser = object(
  { gid: int64(), supplementalGroups: atomicList(int64()), uid: int64() },
  { required: ['uid', 'gid'] },
)

const mountStatus = object(
  {
    mountPath: string(),
    name: string(),
    readOnly: boolean(),
    recursiveReadOnly: string(),
    volumeStatus: object({ image: object({ imageRef: string() }, { required: ['imageRef'] }) }),
  },
  { required: ['name', 'mountPath'] },
)

const extendedClaimStatus = object(
  {
    requestMappings: atomicList(
      object(
        { containerName: string(), requestName: string(), resourceName: string() },
        { required: ['containerName', 'resourceName', 'requestName'] },
      ),
    ),
    resourceClaimName: string(),
  },
  { required: ['requestMappings', 'resourceClaimName'] },
)

/** `v1.ContainerStatus`. */
export const containerStatus = object(
  {
    allocatedResources: map(quantity()),
    allocatedResourcesStatus: keyedList(resourceHealth, 'name'),
    containerID: string(),
    image: string(),
    imageID: string(),
    lastState: containerState,
    name: string(),
    ready: boolean(),
    resources: resourceRequirements,
    restartCount: int32(),
    started: boolean(),
    state: containerState,
    stopSignal: string(),
    user: object({ linux: linuxUser }),
    volumeMounts: keyedList(mountStatus, 'mountPath'),
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
        extendedResourceClaimStatus: extendedClaimStatus,
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
        resourceClaimStatuses: keyedUnionList(
          object({ name: string(), resourceClaimName: string() }, { required: ['name'] }),
          'name',
        ),
        resources: resourceRequirements,
        startTime: time(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Pod = ObjectOf<typeof pod>
export type ContainerStatus = Infer<typeof containerStatus>
