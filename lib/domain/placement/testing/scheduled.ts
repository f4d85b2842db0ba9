/** Fixtures: clusters as a cache contains them, and bindings that were scheduled once. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding as aBindingDraft, aCluster as aClusterDraft, byAvailableReplicas } from '@/lib/testing/builders'
import { appliedPlacementText } from '../applied-placement'
import type { Binding } from '../binding'

const created = '2026-01-01T00:00:00Z'

const scheduled = {
  type: 'Scheduled',
  status: 'True',
  reason: 'Success',
  message: 'placed',
  lastTransitionTime: created,
} as const

/** Returns a cluster with capacity for that many replicas of one CPU. */
export function aCluster(name: string, room = 10, spec: Partial<Cluster['spec']> = {}): Cluster {
  const draft = aClusterDraft(name, { cpu: String(room), pods: String(room) })
  const metadata = { name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: created }
  return { ...draft, metadata, spec: { ...draft.spec, ...spec } }
}

/** Returns a binding that was scheduled once, requests one CPU per replica and runs in `placed`. */
export function aBinding(name: string, placed: Record<string, number>, spec: Partial<BindingSpec> = {}): Binding {
  const placement = spec.placement ?? byAvailableReplicas()
  const draft = aBindingDraft(name, {
    cpu: '1',
    memory: '0',
    placement,
    replicas: Object.values(placed).reduce((sum, replicas) => sum + replicas, 0),
    clusters: Object.entries(placed).map(([cluster, replicas]) => ({ name: cluster, replicas })),
    spec: { ...spec, resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name } },
  })
  return {
    ...draft,
    metadata: {
      ...draft.metadata,
      name: `${name}-deployment`,
      generation: 2,
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(placement) },
    },
    status: { schedulerObservedGeneration: 2, lastScheduledTime: '2026-01-01T01:00:00Z', conditions: [scheduled] },
  }
}
