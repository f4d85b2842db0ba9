/** ResourceBinding and ClusterResourceBinding as they were first: still served, kept as v1alpha2. */
import { defineKind, type Kind } from '../kind'
import type { UnknownObject } from '../object'
import { anything, array, boolean, int32, map, object, quantity, string } from '../schema'
import type { BindingSpec } from './binding'
import { clusterResourceBinding } from './cluster-resource-binding'
import { condition } from './condition'
import { resourceBinding } from './resource-binding'

const spec = object(
  {
    clusters: array(object({ name: string(), replicas: int32() }, { required: ['name'] })),
    resource: object(
      {
        apiVersion: string(),
        kind: string(),
        name: string(),
        namespace: string(),
        replicas: int32(),
        resourcePerReplicas: map(quantity()),
        resourceVersion: string(),
      },
      { required: ['apiVersion', 'kind', 'name'] },
    ),
  },
  { required: ['resource'] },
)

const status = object({
  aggregatedStatus: array(
    object(
      { applied: boolean(), appliedMessage: string(), clusterName: string(), status: anything() },
      { required: ['clusterName'] },
    ),
  ),
  conditions: array(condition),
})

function firstVersionOf({ kind, plural, shortNames, categories, scope }: Kind): Kind {
  const identity = { group: 'work.karmada.io', kind, plural, shortNames, categories, scope } as const
  const storedAs = { group: 'work.karmada.io', version: 'v1alpha2', read: fromStored, write: toStored }
  const fields = object({ spec, status }, { required: ['spec'] })
  const subresources = { status: true }
  return { ...defineKind({ ...identity, version: 'v1alpha1', origin: 'crd', subresources, fields }), storedAs }
}

export const resourceBindingV1alpha1 = firstVersionOf(resourceBinding)
export const clusterResourceBindingV1alpha1 = firstVersionOf(clusterResourceBinding)

interface FirstSpec {
  resource: BindingSpec['resource'] & { replicas?: number; resourcePerReplicas?: Record<string, number | string> }
  clusters?: BindingSpec['clusters']
}

/** In this version, replicas and their requirements are beside the reference to the template. */
function fromStored(object: UnknownObject): UnknownObject {
  if (object.apiVersion === 'work.karmada.io/v1alpha1') return object
  const { spec: kept, ...rest } = object
  const { resource, replicas, replicaRequirements, clusters } = kept as BindingSpec
  const { apiVersion, kind, namespace, name, resourceVersion } = resource
  const perReplica = replicaRequirements?.resourceRequest
  const reference = { apiVersion, kind, namespace, name, resourceVersion, replicas, resourcePerReplicas: perReplica }
  return { ...rest, apiVersion: 'work.karmada.io/v1alpha1', spec: defined({ resource: defined(reference), clusters }) }
}

function toStored(object: UnknownObject): UnknownObject {
  const { spec: shown, ...rest } = object
  const {
    resource: { replicas, resourcePerReplicas, ...resource },
    clusters,
  } = shown as FirstSpec
  const replicaRequirements = resourcePerReplicas && { resourceRequest: resourcePerReplicas }
  const spec = defined({ resource, replicas, replicaRequirements, clusters })
  return { ...rest, apiVersion: 'work.karmada.io/v1alpha2', spec }
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
