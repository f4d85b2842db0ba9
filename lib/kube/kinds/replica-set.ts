import { defineKind, type ObjectOf } from '../kind'
import { int32, object } from '../schema'
import { podMakerFields, replicaScale } from './pod-template'
import { replicaCounts, workloadConditions } from './workload-status'

/** A fixed number of replicas of one template. */
export const replicaSet = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true, scale: replicaScale },
  fields: object(
    {
      spec: object({ ...podMakerFields, replicas: int32() }, { required: ['selector'] }),
      status: object({
        ...replicaCounts,
        conditions: workloadConditions,
        fullyLabeledReplicas: int32(),
        terminatingReplicas: int32(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type ReplicaSet = ObjectOf<typeof replicaSet>
