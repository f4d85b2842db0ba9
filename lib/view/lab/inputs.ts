/** Reduces bindings and clusters to what the scheduler reads, before they are sent to the browser. */
import { apiName } from '@/lib/domain/placement/apis'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { AnyBinding } from '../project/binding-facts'

export interface LabInputs {
  bindings: readonly AnyBinding[]
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
}

/** Removes fields of a binding that only its writers need. */
export function labBinding(binding: AnyBinding): AnyBinding {
  const { managedFields: _fields, ownerReferences: _owners, finalizers: _finalizers, ...metadata } = binding.metadata
  return { ...binding, metadata } as AnyBinding
}

/** Returns the kinds of these bindings in the form of `ClusterFacts.apis`. */
export const apisOf = (bindings: readonly AnyBinding[]): ReadonlySet<string> =>
  new Set(bindings.map(({ spec: { resource } }) => apiName(resource.apiVersion, resource.kind)))

/** Returns a cluster with labels, taints and capacity; of its API resources, only those that the bindings need. */
export function labCluster(cluster: Cluster, apis: ReadonlySet<string>): Cluster {
  const { metadata, spec, status = {} } = cluster
  const { name, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels } = metadata
  const { provider, region, zones, taints, resourceModels } = spec
  const { resourceSummary, apiEnablements = [], conditions } = status
  return {
    apiVersion: cluster.apiVersion,
    kind: cluster.kind,
    metadata: {
      name,
      uid,
      resourceVersion,
      creationTimestamp,
      ...(labels && { labels }),
      ...(deletionTimestamp && { deletionTimestamp }),
    },
    spec: {
      syncMode: spec.syncMode,
      ...(provider && { provider }),
      ...(region && { region }),
      ...(zones && { zones }),
      ...(taints && { taints }),
      ...(resourceModels && { resourceModels }),
    },
    status: {
      ...(conditions && { conditions: conditions.filter(({ type }) => type === 'Ready') }),
      ...(resourceSummary && { resourceSummary }),
      apiEnablements: apiEnablements
        .map(({ groupVersion, resources = [] }) => ({
          groupVersion,
          resources: resources.filter(({ kind }) => apis.has(apiName(groupVersion, kind))),
        }))
        .filter(({ resources }) => resources.length > 0),
    },
  } as Cluster
}
