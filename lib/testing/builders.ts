/** Short ways to say "a ready cluster with 64 cores" or "a binding of 3 replicas", as drafts to create. */
import type { AggregatedStatusItem, BindingSpec, BindingStatus, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Deployment } from '@/lib/kube/kinds/deployment'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { PropagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import type { ClusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { CLUSTER_POLICY_ID_LABEL, POLICY_ID_LABEL } from '@/lib/kube/names'
import type { Condition, Draft, ObjectMeta } from '@/lib/kube/object'

type Labels = Record<string, string>
const OLD = '2025-12-31T00:00:00Z'

export interface ClusterOptions {
  labels?: Labels
  annotations?: Labels
  /** Free room; default 64 cores, 256Gi and 1000 pods. */
  cpu?: string
  memory?: string
  pods?: string
  allocated?: Labels
  region?: string
  zone?: string
  provider?: string
  taints?: NonNullable<Cluster['spec']['taints']>
  /** Default true. */
  ready?: boolean
}

/** A member cluster that serves the usual kinds. */
export function aCluster(name: string, options: ClusterOptions = {}): Draft<Cluster> {
  const { labels, annotations, region, zone, provider, taints } = options
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: {
      syncMode: 'Push',
      ...(region && { region }),
      ...(zone && { zone, zones: [zone] }),
      ...(provider && { provider }),
      ...(taints && { taints }),
    },
    status: clusterStatus(options),
  }
}

function clusterStatus(options: ClusterOptions): NonNullable<Cluster['status']> {
  const { cpu = '64', memory = '256Gi', pods = '1000', allocated = {}, ready = true } = options
  return {
    apiEnablements: [
      serving('apps/v1', { Deployment: 'deployments', StatefulSet: 'statefulsets' }),
      serving('rbac.authorization.k8s.io/v1', { ClusterRole: 'clusterroles' }),
      serving('v1', { ConfigMap: 'configmaps' }),
    ],
    conditions: [
      ready
        ? saying('Ready', 'True', 'ClusterReady', 'cluster is healthy and ready to accept workloads')
        : saying('Ready', 'False', 'ClusterNotReachable', 'cluster is not reachable'),
      saying('CompleteAPIEnablements', 'True', 'CompleteAPIEnablements', 'might collect complete API enablements'),
    ],
    resourceSummary: { allocatable: { cpu, memory, pods }, allocated },
  }
}

type Enablement = NonNullable<NonNullable<Cluster['status']>['apiEnablements']>[number]

function serving(groupVersion: string, kinds: Labels): Enablement {
  return { groupVersion, resources: Object.entries(kinds).map(([kind, name]) => ({ kind, name })) }
}

function saying(type: string, status: 'True' | 'False', reason: string, message: string): Condition {
  return { type, status, reason, message, lastTransitionTime: OLD }
}

/** A Deployment of one small container. */
export function aDeployment(
  name: string,
  options: { namespace?: string; replicas?: number; cpu?: string; memory?: string; labels?: Labels } = {},
): Draft<Deployment> {
  const { namespace = 'default', replicas = 1, cpu = '100m', memory = '64Mi', labels = { app: name } } = options
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu, memory } } }] },
      },
    },
  }
}

/** A PropagationPolicy for Deployments by name, or for all of its namespace. */
export function aPolicy(
  name: string,
  options: { namespace?: string; deployments?: readonly string[]; placement?: Placement } = {},
): Draft<PropagationPolicy> {
  const { namespace = 'default', deployments, placement = duplicated() } = options
  const all = { apiVersion: 'apps/v1', kind: 'Deployment' }
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace },
    spec: { resourceSelectors: deployments?.map((deployment) => ({ ...all, name: deployment })) ?? [all], placement },
  }
}

export interface BindingOptions {
  namespace?: string
  replicas?: number
  /** Of one replica; default 100m and 64Mi. */
  cpu?: string
  memory?: string
  placement?: Placement
  clusters?: TargetCluster[]
  spec?: Partial<BindingSpec>
  status?: BindingStatus
  metadata?: Partial<ObjectMeta>
}

/** The binding of a Deployment, as the detector makes it. */
export function aBinding(deployment: string, options: BindingOptions = {}): Draft<ResourceBinding> {
  const { namespace = 'default', replicas = 1, cpu = '100m', memory = '64Mi', placement = duplicated() } = options
  const { clusters, spec, status, metadata } = options
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${deployment}-deployment`, namespace, labels: { [POLICY_ID_LABEL]: 'policy' }, ...metadata },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: deployment, uid: `uid-${deployment}` },
      replicas,
      replicaRequirements: { resourceRequest: { cpu, memory } },
      placement,
      schedulerName: 'default-scheduler',
      ...(clusters && { clusters }),
      ...spec,
    },
    ...(status && { status }),
  }
}

/** The binding of a ClusterRole, as the detector makes it. */
export function aClusterBinding(
  clusterRole: string,
  options: Omit<BindingOptions, 'namespace' | 'replicas' | 'cpu' | 'memory'> = {},
): Draft<ClusterResourceBinding> {
  const { placement = duplicated(), clusters, spec, status, metadata } = options
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ClusterResourceBinding',
    metadata: { name: `${clusterRole}-clusterrole`, labels: { [CLUSTER_POLICY_ID_LABEL]: 'policy' }, ...metadata },
    spec: {
      resource: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        name: clusterRole,
        uid: `uid-${clusterRole}`,
      },
      placement,
      schedulerName: 'default-scheduler',
      ...(clusters && { clusters }),
      ...spec,
    },
    ...(status && { status }),
  }
}

/** What a member reports of a workload whose replicas are all ready. */
export function healthyIn(clusterName: string): AggregatedStatusItem {
  return { clusterName, applied: true, health: 'Healthy' }
}

/** Every replica on each of these clusters, or on all. */
export function duplicated(...clusterNames: string[]): Placement {
  return { ...only(clusterNames), replicaScheduling: { replicaSchedulingType: 'Duplicated' } }
}

/** As few clusters as have room. */
export function aggregated(...clusterNames: string[]): Placement {
  const replicaScheduling = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' } as const
  return { ...only(clusterNames), replicaScheduling }
}

/** In proportion to the free room. */
export function byAvailableReplicas(...clusterNames: string[]): Placement {
  return {
    ...only(clusterNames),
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    },
  }
}

/** In proportion to fixed weights. */
export function byWeight(weights: Record<string, number>): Placement {
  const staticWeightList = Object.entries(weights).map(([name, weight]) => ({
    targetCluster: { clusterNames: [name] },
    weight,
  }))
  return {
    ...only(Object.keys(weights)),
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList },
    },
  }
}

/** Groups of clusters tried in order, on top of another placement. */
export function inGroups(groups: Record<string, string[]>, placement: Placement = duplicated()): Placement {
  const { clusterAffinity: _, ...rest } = placement
  const clusterAffinities = Object.entries(groups).map(([affinityName, clusterNames]) => ({
    affinityName,
    clusterNames,
  }))
  return { ...rest, clusterAffinities }
}

function only(clusterNames: string[]): Placement {
  return clusterNames.length > 0 ? { clusterAffinity: { clusterNames } } : {}
}
