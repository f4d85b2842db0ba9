/** Small clusters and bindings for tests. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Binding } from './binding'
import { appliedPlacementText } from './applied-placement'

const created = '2026-01-01T00:00:00Z'

/** A cluster that serves Deployments, with room for that many pods and CPUs. */
export function aCluster(name: string, room = 10, spec: Partial<Cluster['spec']> = {}): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: created },
    spec: { syncMode: 'Push', ...spec },
    status: {
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
      resourceSummary: { allocatable: { cpu: String(room), pods: String(room) } },
    },
  }
}

/** Divided by free capacity. */
export const dynamicWeight: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
}

export const aggregated: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
}

export const duplicated: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } }

/** A Deployment's binding that was scheduled once, asks for one CPU per replica and runs where `placed` says. */
export function aBinding(name: string, placed: Record<string, number>, spec: Partial<BindingSpec> = {}): Binding {
  const placement = spec.placement ?? dynamicWeight
  return {
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace: 'default',
      generation: 2,
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'p' },
      annotations: { 'policy.karmada.io/applied-placement': appliedPlacementText(placement) },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
      replicas: Object.values(placed).reduce((sum, replicas) => sum + replicas, 0),
      replicaRequirements: { resourceRequest: { cpu: '1' } },
      clusters: Object.entries(placed).map(([cluster, replicas]) => ({ name: cluster, replicas })),
      placement,
      ...spec,
    },
    status: {
      schedulerObservedGeneration: 2,
      lastScheduledTime: '2026-01-01T01:00:00Z',
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: 'Binding has been scheduled successfully.', lastTransitionTime: created }],
    },
  }
}
