import { defineKind, type ObjectOf } from '../kind'
import { object, string } from '../schema'

const script = object({ luaScript: string() }, { required: ['luaScript'] })

/** Teaches the pipeline one kind by scripts. */
export const resourceInterpreterCustomization = defineKind({
  group: 'config.karmada.io',
  version: 'v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  plural: 'resourceinterpretercustomizations',
  shortNames: ['ric'],
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  printerColumns: [
    { name: 'TARGET-API-VERSION', type: 'string', jsonPath: '.spec.target.apiVersion' },
    { name: 'TARGET-KIND', type: 'string', jsonPath: '.spec.target.kind' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object(
    {
      spec: object(
        {
          customizations: object({
            componentResource: script,
            dependencyInterpretation: script,
            healthInterpretation: script,
            replicaResource: script,
            replicaRevision: script,
            retention: script,
            statusAggregation: script,
            statusReflection: script,
          }),
          /** The form of the application failover proposal: the same as under `customizations`, which wins. */
          healthInterpretation: script,
          target: object({ apiVersion: string(), kind: string() }, { required: ['apiVersion', 'kind'] }),
        },
        { required: ['target'], anyOf: [{ required: ['customizations'] }, { required: ['healthInterpretation'] }] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type ResourceInterpreterCustomization = ObjectOf<typeof resourceInterpreterCustomization>
