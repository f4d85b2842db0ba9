import { expect, it } from 'vitest'
import { clusterPropagationPolicy, deployment, resourceBinding } from './kinds'
import type { Kind } from './kind'
import { findMismatch } from './schema-mismatch'

it.each<[Kind, object, string]>([
  [deployment, { spec: 5 }, 'number into Go struct field Deployment.spec of type struct'],
  [deployment, { spec: { replicas: 'x' } }, 'string into Go struct field DeploymentSpec.spec.replicas of type int32'],
  [
    deployment,
    { status: { replicas: true } },
    'bool into Go struct field DeploymentStatus.status.replicas of type int32',
  ],
  [deployment, { metadata: { name: 5 } }, 'number into Go struct field ObjectMeta.metadata.name of type string'],
  [
    deployment,
    { spec: { template: { spec: { containers: 1 } } } },
    'number into Go struct field PodSpec.spec.template.spec.containers of type []struct',
  ],
  [
    resourceBinding,
    { spec: { replicas: 'many' } },
    'string into Go struct field ResourceBindingSpec.spec.replicas of type int32',
  ],
  [
    clusterPropagationPolicy,
    { spec: { priority: 'x' } },
    'string into Go struct field PropagationSpec.spec.priority of type int32',
  ],
])('names the struct of %s that a value does not fit', (kind, value, text) => {
  expect(findMismatch(value, kind.schema, kind.kind)).toBe(`json: cannot unmarshal ${text}`)
})
