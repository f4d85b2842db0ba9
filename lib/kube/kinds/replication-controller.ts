import { defineKind, type ObjectOf } from '../kind'
import { int32, map, object, string } from '../schema'
import { podTemplate, replicaScale } from './pod-template'
import { replicaCounts, workloadConditions } from './workload-status'

/** The forerunner of ReplicaSet, whose selector knows equality only. */
export const replicationController = defineKind({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true, scale: replicaScale },
  fields: object(
    {
      spec: object({
        minReadySeconds: int32(),
        replicas: int32(),
        selector: map(string(), { 'x-kubernetes-map-type': 'atomic' }),
        template: podTemplate,
      }),
      status: object({ ...replicaCounts, conditions: workloadConditions, fullyLabeledReplicas: int32() }),
    },
    { required: ['spec'] },
  ),
})

export type ReplicationController = ObjectOf<typeof replicationController>
