import { defineKind, type ObjectOf } from '../kind'
import { type Infer, anything, array, boolean, int32, int64, map, object, quantity, string, time } from '../schema'
import { atomicList, atomicStrings, keyedList } from './lists'
import { workloadConditions } from './workload-status'

/** `v1.Taint`. */
export const taint = object(
  { effect: string(), key: string(), timeAdded: time(), value: string() },
  { required: ['key', 'effect'] },
)

/** A machine that runs pods. */
export const node = defineKind({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        configSource: anything(),
        externalID: string(),
        podCIDR: string(),
        podCIDRs: array(string(), { 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' }),
        providerID: string(),
        taints: atomicList(taint),
        unschedulable: boolean(),
      }),
      status: object({
        addresses: keyedList(object({ address: string(), type: string() }, { required: ['type', 'address'] }), 'type'),
        allocatable: map(quantity()),
        capacity: map(quantity()),
        conditions: workloadConditions,
        config: anything(),
        daemonEndpoints: object({ kubeletEndpoint: object({ Port: int32() }, { required: ['Port'] }) }),
        declaredFeatures: atomicStrings(),
        features: anything(),
        images: atomicList(object({ names: atomicStrings(), sizeBytes: int64() })),
        nodeInfo: object({
          machineID: string(),
          systemUUID: string(),
          bootID: string(),
          kernelVersion: string(),
          osImage: string(),
          containerRuntimeVersion: string(),
          kubeletVersion: string(),
          kubeProxyVersion: string(),
          operatingSystem: string(),
          architecture: string(),
          swap: object({ capacity: int64() }),
        }),
        phase: string(),
        runtimeHandlers: atomicList(anything()),
        volumesAttached: atomicList(anything()),
        volumesInUse: atomicStrings(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Node = ObjectOf<typeof node>
export type Taint = Infer<typeof taint>
