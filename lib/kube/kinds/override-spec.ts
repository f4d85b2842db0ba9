/** `spec` of OverridePolicy and ClusterOverridePolicy, which is the same for both. */
import { type Infer, array, map, object, oneOf, type Schema, string } from '../schema'
import { clusterAffinity } from './placement'
import { resourceSelector } from './propagation-spec'

const anyOperator = oneOf(['add', 'remove', 'replace'])
/** Any JSON value. */
const anyValue: Schema<unknown> = { 'x-kubernetes-preserve-unknown-fields': true }

const plaintextOverrider = object(
  { operator: anyOperator, path: string(), value: anyValue },
  { required: ['operator', 'path'] },
)

const imageOverrider = object(
  {
    component: oneOf(['Registry', 'Repository', 'Tag']),
    operator: anyOperator,
    predicate: object({ path: string() }, { required: ['path'] }),
    value: string(),
  },
  { required: ['component', 'operator'] },
)

/** Of the command or the arguments of the containers with one name. */
const commandArgsOverrider = object(
  { containerName: string(), operator: oneOf(['add', 'remove']), value: array(string()) },
  { required: ['containerName', 'operator'] },
)

const labelAnnotationOverrider = object(
  { operator: anyOperator, value: map(string()) },
  { required: ['operator', 'value'] },
)

const subPathOperation = object(
  { operator: anyOperator, subPath: string(), value: anyValue },
  { required: ['operator', 'subPath'] },
)

/** Changes inside a text that is itself JSON or YAML. */
const fieldOverrider = object(
  { fieldPath: string(), json: array(subPathOperation), yaml: array(subPathOperation) },
  { required: ['fieldPath'] },
)

/** Changes of the manifest for a cluster. */
const overriders = object({
  annotationsOverrider: array(labelAnnotationOverrider),
  argsOverrider: array(commandArgsOverrider),
  commandOverrider: array(commandArgsOverrider),
  fieldOverrider: array(fieldOverrider),
  imageOverrider: array(imageOverrider),
  labelsOverrider: array(labelAnnotationOverrider),
  plaintext: array(plaintextOverrider),
})

/** `spec` of an override policy. `targetCluster` and `overriders` beside the rules are the old way to write one rule. */
export const overrideSpec = object({
  overrideRules: array(object({ overriders, targetCluster: clusterAffinity }, { required: ['overriders'] })),
  overriders,
  resourceSelectors: array(resourceSelector),
  targetCluster: clusterAffinity,
})

export type Overriders = Infer<typeof overriders>
export type OverrideSpec = Infer<typeof overrideSpec>
