import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, map, object, quantity, string, time } from '../schema'
import { atomicList, atomicStrings, keyedList } from './lists'
import { workloadConditions } from './workload-status'

/** `v1.Taint`. */
export const taint = object(
  { effect: string(), key: string(), timeAdded: time(), value: string() },
  { required: ['key', 'effect'] },
)

const configSource = object({
  configMap: object(
    { kubeletConfigKey: string(), name: string(), namespace: string(), resourceVersion: string(), uid: string() },
    { required: ['namespace', 'name', 'kubeletConfigKey'] },
  ),
})

const runtimeHandler = object(
  { features: object({ recursiveReadOnlyMounts: boolean(), userNamespaces: boolean() }), name: string() },
  { required: ['name'] },
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
        configSource,
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
        config: object({ active: configSource, assigned: configSource, error: string(), lastKnownGood: configSource }),
        daemonEndpoints: object({ kubeletEndpoint: object({ Port: int32() }, { required: ['Port'] }) }),
        declaredFeatures: atomicStrings(),
        features: object({ supplementalGroupsPolicy: boolean() }),
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
        runtimeHandlers: atomicList(runtimeHandler),
        volumesAttached: atomicList(
          object({ devicePath: string(), name: string() }, { required: ['name', 'devicePath'] }),
        ),
        volumesInUse: atomicStrings(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Node = ObjectOf<typeof node>
export type Taint = Infer<typeof taint>
