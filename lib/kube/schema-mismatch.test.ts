import { expect, it } from 'vitest'
import { clusterPropagationPolicy, configMap, deployment, persistentVolumeClaim, resourceBinding } from './kinds'
import type { Kind } from './kind'
import { findMismatch } from './schema-mismatch'

it.each<[Kind, object, string]>([
  [deployment, { spec: 5 }, 'number into Go struct field Deployment.spec of type v1.DeploymentSpec'],
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
    'number into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
  ],
  [configMap, { data: { a: 1 } }, 'number into Go struct field ConfigMap.data of type string'],
  [
    deployment,
    { metadata: { labels: { a: true } } },
    'bool into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    deployment,
    { spec: { template: { spec: { containers: [{ env: [{ value: 1 }] }] } } } },
    'number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string',
  ],
  [
    deployment,
    { spec: { template: { spec: { containers: [{ livenessProbe: { httpGet: { path: 1 } } }] } } } },
    'number into Go struct field HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.path of type string',
  ],
  [
    deployment,
    { spec: { template: { spec: { containers: [{ resources: { limits: 'x' } }] } } } },
    'string into Go struct field ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList',
  ],
  [
    deployment,
    { spec: { strategy: { type: 1 } } },
    'number into Go struct field DeploymentStrategy.spec.strategy.type of type v1.DeploymentStrategyType',
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

it('names an amount before a value of a wrong type that comes earlier', () => {
  const claim = { spec: { accessModes: 'ReadWriteOnce', resources: { requests: { storage: '1Gx' } } } }
  expect(findMismatch(claim, persistentVolumeClaim.schema, 'PersistentVolumeClaim')).toMatch(/^quantities must match/)
})
