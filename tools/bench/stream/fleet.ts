/** The fleet of the stream benches, and the time stamps in its changes. */
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import type { Cluster, ResourceBinding } from '@/lib/kube/kinds'
import type { Draft } from '@/lib/kube/object'

export const TOKEN = 'bench'
/** The clusters there are, and in which of them a workload runs, with how many replicas. */
export interface Spread {
  clusters: readonly string[]
  placementOf: (index: number) => Placement
}
type Placement = readonly { name: string; replicas: number }[]

/** All workloads run in two of four clusters. */
export const NARROW: Spread = {
  clusters: ['member1', 'member2', 'member3', 'member4'],
  placementOf: () => [
    { name: 'member1', replicas: 2 },
    { name: 'member2', replicas: 1 },
  ],
}

/** Each workload runs in three of many clusters. None runs in the last one: workloads are or were evicted from it. */
export function wideSpread(count: number): Spread {
  const clusters = Array.from({ length: count }, (_, index) => `cluster-${String(index + 1).padStart(3, '0')}`)
  const placementOf = (index: number): Placement =>
    [0, 1, 2].map((at) => ({ name: clusters[(index * 7 + at) % (count - 1)]!, replicas: 1 }))
  return { clusters, placementOf }
}

/** One of this many bindings is being evicted, so that the failover monitor has entries. */
export const LEAVING_EVERY = 50
/** Workloads whose pages are open: those after the first. */
export const PAGES = 49
const TIME = '2026-01-01T00:00:00Z'

export const namespaceOf = (index: number): string => `team-${index % 50}`
export const nameOf = (index: number): string => `app-${String(index).padStart(6, '0')}`
export const bindingNameOf = (index: number): string => `${nameOf(index)}-deployment`
export const topicOf = (index: number): string => `workload/apps~v1/Deployment/${namespaceOf(index)}/${nameOf(index)}`

/** A time as text that every view passes on, and that may be the reason of an eviction. */
export const stampOf = (at: number): string => `stamp_${at.toFixed(2).replace('.', '_')}`
const STAMP = /stamp_(\d+)_(\d\d)/g

/** The youngest time in a text; undefined where there is none. */
export function youngestStamp(text: string): number | undefined {
  const stamps = [...text.matchAll(STAMP)].map(([, whole, part]) => Number(`${whole}.${part}`))
  return stamps.length === 0 ? undefined : Math.max(...stamps)
}

/** Milliseconds of the machine's clock, with fractions: the same in every process. */
export const clockNow = (): number => performance.timeOrigin + performance.now()

export const evictionTasks = (stamp: string, { clusters }: Spread) => [
  {
    fromCluster: clusters.at(-1)!,
    producer: 'TaintManager',
    reason: stamp,
    purgeMode: 'Gracefully' as const,
    creationTimestamp: TIME,
    replicas: 1,
  },
]

export function aBinding(index: number, spread = NARROW): Draft<ResourceBinding> {
  const [namespace, name] = [namespaceOf(index), nameOf(index)]
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: bindingNameOf(index), namespace, labels: { 'bench/index': String(index) } },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name },
      replicas: 3,
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
      clusters: [...spread.placementOf(index)],
      placement: {
        clusterAffinity: spread === NARROW ? { clusterNames: [...spread.clusters] } : {},
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
      },
      ...(index % LEAVING_EVERY === 0 && { gracefulEvictionTasks: evictionTasks('TaintUntolerated', spread) }),
    },
  }
}

export function statusAt(stamp: string, placement: Placement): BindingStatus {
  const report = ({ name, replicas }: Placement[number]) => ({
    clusterName: name,
    applied: true,
    health: 'Healthy' as const,
    status: { replicas, readyReplicas: replicas, availableReplicas: replicas, updatedReplicas: replicas },
  })
  return {
    schedulerObservedGeneration: 1,
    lastScheduledTime: TIME,
    aggregatedStatus: placement.map(report),
    conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: stamp, lastTransitionTime: TIME }],
  }
}

/** Ten clusters make a region. */
export const aCluster = (name: string, index: number): Draft<Cluster> => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: { syncMode: 'Push', region: `region-${Math.floor(index / 10) + 1}` },
})

export const clusterStatus = (stamp: string): Cluster['status'] => ({
  conditions: [{ type: 'Ready', status: 'True', reason: 'ClusterReady', message: stamp, lastTransitionTime: TIME }],
  nodeSummary: { readyNum: 3, totalNum: 3 },
  resourceSummary: {
    allocatable: { cpu: '96', memory: '384Gi', pods: '990' },
    allocated: { cpu: '48', memory: '192Gi', pods: '400' },
  },
})
