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

/**
 * In this version, replicas and their requirements are beside the reference to the template. What does not have its
 * shape, as a patch that is about to be refused, is shown as it is.
 */
function fromStored(object: UnknownObject): UnknownObject {
  if (object.apiVersion === 'work.karmada.io/v1alpha1') return object
  const { spec: kept, ...rest } = object
  if (!isRecord(kept) || !isRecord((kept as BindingSpec).resource))
    return { ...object, apiVersion: 'work.karmada.io/v1alpha1' }
  const { resource, replicas, replicaRequirements, clusters } = kept as BindingSpec
  const { apiVersion, kind, namespace, name, resourceVersion } = resource
  const perReplica = replicaRequirements?.resourceRequest
  const reference = { apiVersion, kind, namespace, name, resourceVersion, replicas, resourcePerReplicas: perReplica }
  return { ...rest, apiVersion: 'work.karmada.io/v1alpha1', spec: defined({ resource: defined(reference), clusters }) }
}

/** What does not have its shape, as after a patch that removed the reference, is left to the validation that follows. */
function toStored(object: UnknownObject): UnknownObject {
  const stored = { ...object, apiVersion: 'work.karmada.io/v1alpha2' }
  const { spec: shown } = object
  if (!isRecord(shown)) return stored
  const { resource: reference, clusters } = shown as Partial<FirstSpec>
  if (!isRecord(reference)) return { ...stored, spec: defined({ resource: reference, clusters }) }
  const { replicas, resourcePerReplicas, ...resource } = reference as FirstSpec['resource']
  const replicaRequirements = resourcePerReplicas && { resourceRequest: resourcePerReplicas }
  return { ...stored, spec: defined({ resource, replicas, replicaRequirements, clusters }) }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
