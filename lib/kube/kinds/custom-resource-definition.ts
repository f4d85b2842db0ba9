import { defineKind, type ObjectOf } from '../kind'
import { array, boolean, type Infer, int32, int64, object, oneOf, string, time } from '../schema'
import { atomicList, atomicStrings } from './lists'
import { jsonSchemaProps } from './json-schema-props'

const printerColumn = object(
  { name: string(), type: string(), format: string(), description: string(), priority: int32(), jsonPath: string() },
  { required: ['name', 'type', 'jsonPath'] },
)

const scale = object(
  { specReplicasPath: string(), statusReplicasPath: string(), labelSelectorPath: string() },
  { required: ['specReplicasPath', 'statusReplicasPath'] },
)

const version = object(
  {
    name: string(),
    served: boolean(),
    storage: boolean(),
    deprecated: boolean(),
    deprecationWarning: string(),
    schema: object({ openAPIV3Schema: jsonSchemaProps }),
    subresources: object({ status: object({}), scale }),
    additionalPrinterColumns: atomicList(printerColumn),
    selectableFields: atomicList(object({ jsonPath: string() }, { required: ['jsonPath'] })),
  },
  { required: ['name', 'served', 'storage'] },
)

const names = object(
  {
    plural: string(),
    singular: string(),
    shortNames: atomicStrings(),
    kind: string(),
    listKind: string(),
    categories: atomicStrings(),
  },
  { required: ['plural', 'kind'] },
)

const webhook = object(
  {
    clientConfig: object({
      url: string(),
      service: object(
        { namespace: string(), name: string(), path: string(), port: int32() },
        { required: ['namespace', 'name'] },
      ),
      caBundle: string({ format: 'byte' }),
    }),
    conversionReviewVersions: atomicStrings(),
  },
  { required: ['conversionReviewVersions'] },
)

const condition = object(
  {
    type: string(),
    status: oneOf(['True', 'False', 'Unknown']),
    lastTransitionTime: time(),
    reason: string(),
    message: string(),
    observedGeneration: int64(),
  },
  { required: ['type', 'status'] },
)

/** A kind added to a running server. */
export const customResourceDefinition = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          group: string(),
          names,
          scope: string(),
          versions: atomicList(version),
          conversion: object({ strategy: string(), webhook }, { required: ['strategy'] }),
          preserveUnknownFields: boolean(),
        },
        { required: ['group', 'names', 'scope', 'versions'] },
      ),
      status: object({
        conditions: array(condition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
        acceptedNames: names,
        storedVersions: atomicStrings(),
        observedGeneration: int64(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type CustomResourceDefinition = ObjectOf<typeof customResourceDefinition>
export type DefinitionNames = Infer<typeof names>
export type DefinitionVersion = Infer<typeof version>
export type DefinitionCondition = Infer<typeof condition>
