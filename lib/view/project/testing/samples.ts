/** API objects for tests of the projections: a healthy workload except for the fields that a test sets. */
import type { AggregatedStatusItem, BindingSpec, BindingStatus } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Work } from '@/lib/kube/kinds/work'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { ObjectMeta } from '@/lib/kube/object'
import { BINDING_ID_LABEL, executionSpaceOf } from '@/lib/kube/names'

export const T0 = '2026-11-21T09:00:00Z'
export const T1 = '2026-11-21T09:00:30Z'
export const T2 = '2026-11-21T09:01:00Z'

let versions = 0
const meta = (name: string, more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: String(++versions),
  generation: 1,
  creationTimestamp: T0,
  ...more,
})

const labelsOf = (name: string): Record<string, string> => ({ [BINDING_ID_LABEL]: `id-${name}` })

/** Returns replicas by cluster, as the scheduler writes them. */
export const placed = (replicas: Record<string, number>): { name: string; replicas: number }[] =>
  Object.entries(replicas).map(([name, count]) => ({ name, replicas: count }))

/** Returns the report of a member with all desired replicas. */
export function reportOf(
  clusterName: string,
  replicas: number,
  more: Partial<AggregatedStatusItem> = {},
): AggregatedStatusItem {
  return { clusterName, applied: true, health: 'Healthy', status: { replicas, readyReplicas: replicas }, ...more }
}

export const scheduled = {
  type: 'Scheduled',
  status: 'True',
  reason: 'Success',
  message: 'Binding has been scheduled successfully.',
  lastTransitionTime: T0,
} as const

const applied = {
  type: 'Applied',
  status: 'True',
  reason: 'AppliedSuccessful',
  message: 'Manifest has been successfully applied',
  lastTransitionTime: T0,
} as const

const clusterReady = {
  type: 'Ready',
  status: 'True',
  reason: 'ClusterReady',
  message: 'cluster is healthy and ready to accept workloads',
  lastTransitionTime: T0,
} as const

const dynamicWeight = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
} as const

interface BindingParts {
  name?: string
  clusters?: Record<string, number>
  spec?: Partial<BindingSpec>
  status?: BindingStatus
  metadata?: Partial<ObjectMeta>
}

/** Returns a Deployment `demo/<name>` with replicas divided by free capacity, scheduled, and healthy everywhere. */
export function sampleBinding(parts: BindingParts = {}): ResourceBinding {
  const { name = 'web', clusters = { m1: 2, m2: 1 }, spec, status, metadata } = parts
  const replicas = Object.values(clusters).reduce((sum, count) => sum + count, 0)
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: meta(`${name}-deployment`, { namespace: 'demo', labels: labelsOf(name), ...metadata }),
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name },
      replicas,
      clusters: placed(clusters),
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
      placement: { replicaScheduling: dynamicWeight },
      ...spec,
    },
    status: {
      schedulerObservedGeneration: 1,
      lastScheduledTime: T0,
      conditions: [scheduled],
      aggregatedStatus: Object.entries(clusters).map(([cluster, count]) => reportOf(cluster, count)),
      ...status,
    },
  }
}

/** Returns the applied Work of `demo/<name>` for a cluster. */
export function sampleWork(cluster: string, more: { name?: string; status?: Work['status'] } = {}): Work {
  const { name = 'web' } = more
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: meta(`${name}-work`, { namespace: executionSpaceOf(cluster), labels: labelsOf(name) }),
    spec: {},
    status: more.status ?? { conditions: [applied] },
  }
}

interface ClusterParts {
  spec?: Partial<Cluster['spec']>
  status?: Cluster['status']
  metadata?: Partial<ObjectMeta>
}

/** Returns a ready member. */
export function sampleCluster(name: string, more: ClusterParts = {}): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: meta(name, more.metadata),
    spec: { syncMode: 'Push', ...more.spec },
    status: { conditions: [clusterReady], nodeSummary: { readyNum: 3, totalNum: 3 }, ...more.status },
  }
}

/** Returns a condition Ready with the given status. */
export function ready(status: 'True' | 'False' | 'Unknown', message = 'cluster is not reachable'): Cluster['status'] {
  return { conditions: [{ type: 'Ready', status, reason: 'ClusterNotReachable', message, lastTransitionTime: T1 }] }
}

interface RebalancerParts {
  status?: WorkloadRebalancer['status']
  metadata?: Partial<ObjectMeta>
}

/** Returns a rebalancer of Deployments in `demo`. */
export function sampleRebalancer(names: readonly string[], more: RebalancerParts = {}): WorkloadRebalancer {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: meta('back-home', { creationTimestamp: T1, ...more.metadata }),
    spec: { workloads: names.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name })) },
    ...(more.status && { status: more.status }),
  }
}

interface PlanParts {
  spec?: RebalancePlanObject['spec']
  status?: RebalancePlanObject['status']
  metadata?: Partial<ObjectMeta>
}

/** Returns a plan that the controller has not processed yet. */
export function samplePlan({ spec = {}, status, metadata }: PlanParts = {}): RebalancePlanObject {
  return {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: meta('spread', metadata),
    spec,
    ...(status && { status }),
  }
}
