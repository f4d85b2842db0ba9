/**
 * View models: what the console shows, already decided, in plain data. The server projects caches into these
 * (lib/view/project), the browser only draws them. Unchanged input gives the same object again.
 */
import type { HeldView } from './held-model'

/** The six states of the design language; the word for each is in lib/format. Always shown as shape + word. */
export type State = 'ok' | 'active' | 'warn' | 'fail' | 'held' | 'unknown'

/** A state with the sentence that explains it. */
export interface StateView {
  state: State
  /** One sentence for people, naming numbers and causes: "2 of 12 short in eu-3". */
  reason: string
}

/** Amounts of one resource in one cluster, in base units: milli-CPU, bytes, pods. */
export interface CapacityView {
  allocatable: number
  allocated: number
  /** Requested by pods that have no node yet. */
  allocating: number
}

export interface TaintView {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export interface ConditionView {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
}

/** One member cluster. `id` is its name. */
export interface ClusterView {
  id: string
  name: string
  state: StateView
  ready: 'True' | 'False' | 'Unknown' | 'Missing'
  /** When `ready` last changed. */
  readySince?: string
  provider?: string
  region?: string
  zones: string[]
  kubernetesVersion?: string
  syncMode: string
  /** True for a member that the embedded control plane simulates. */
  simulated: boolean
  nodes?: { ready: number; total: number }
  cpu?: CapacityView
  memory?: CapacityView
  pods?: CapacityView
  taints: TaintView[]
  conditions: ConditionView[]
  /** Workloads scheduled to this cluster, and the replicas wanted there. */
  workloads: number
  replicas: number
  deleting: boolean
}

/** One workload in one cluster: a cell of the fleet matrix. */
export interface CellView {
  cluster: string
  /** Replicas the scheduler put here; 0 when the workload is leaving. */
  wants: number
  /** Replicas that exist in the member as last reported; absent when nothing was reported. */
  now?: number
  ready?: number
  /**
   * `placed`: in spec.clusters. `evicting`: a graceful eviction task holds the copy. `leaving`: a Work remains although
   * the cluster is no longer wanted.
   */
  role: 'placed' | 'evicting' | 'leaving'
  applied: boolean
  health: 'Healthy' | 'Unhealthy' | 'Unknown'
  state: StateView
}

export type DivisionStrategy = 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated' | 'NotDivided'

/** The object that a binding is about. */
export interface WorkloadRef {
  apiVersion: string
  kind: string
  /** Absent when cluster-scoped. */
  namespace?: string
  name: string
}

/**
 * One propagated template with its binding. `id` is `apiVersion/kind/namespace/name` with `-` for no namespace and `~`
 * for slashes inside apiVersion.
 */
export interface WorkloadView {
  id: string
  ref: WorkloadRef
  binding: { kind: 'ResourceBinding' | 'ClusterResourceBinding'; namespace?: string; name: string }
  policy?: { kind: 'PropagationPolicy' | 'ClusterPropagationPolicy'; namespace?: string; name: string }
  strategy: DivisionStrategy
  /** False for templates without replicas (a ClusterRole): counts below are then numbers of clusters. */
  hasReplicas: boolean
  /** Sums over the cells; `wants` is what the template asks for (times clusters when Duplicated). */
  wants: number
  now: number
  ready: number
  /** Sorted by cluster name. */
  cells: CellView[]
  state: StateView
  suspended: { scheduling: boolean; dispatching: boolean }
  /** What keeps it back: its place in a line, a paused queue, or a suspension of its own. */
  held?: HeldView
  scheduled?: ConditionView
  fullyApplied?: ConditionView
  lastScheduledTime?: string
  rescheduleTriggeredAt?: string
  createdAt: string
}

export interface EvictionTaskView {
  fromCluster: string
  replicas?: number
  reason: string
  message?: string
  producer: string
  purgeMode?: string
  createdAt?: string
  gracePeriodSeconds?: number
  suppressDeletion?: boolean
}

/** One override rule that was applied to the copy in a cluster. */
export interface OverrideView {
  cluster: string
  policy: { kind: 'OverridePolicy' | 'ClusterOverridePolicy'; name: string }
  /** One sentence for each change. */
  changes: string[]
}

/** Something that happened, newest first in lists. `id` is stable. */
export interface TimelineEntryView {
  id: string
  at: string
  /** Where it comes from. */
  source: 'event' | 'condition' | 'eviction' | 'rebalance' | 'placement'
  state: State
  title: string
  detail: string
  cluster?: string
  count?: number
}

/** Why nothing happens to a workload. */
export interface InactionView {
  /** A word of lib/domain/failover, for machines. */
  reason: string
  cluster?: string
  sentence: string
  until?: string
}

/** All of one workload: what its page shows. */
export interface WorkloadDetailView extends WorkloadView {
  conditions: ConditionView[]
  evictionTasks: EvictionTaskView[]
  overrides: OverrideView[]
  timeline: TimelineEntryView[]
  /** The applied placement in words, one line each. */
  placement: string[]
  /** Per cluster: fits or the rule that rejects it, score, capacity, from the real scheduling code. */
  why: WhyView[]
  /** Why no failover happens to it, or what one waits for. */
  inaction: InactionView[]
  /** The binding as the API returns it, for the YAML tab. */
  bindingObject: unknown
}

/** Why a cluster has or has not the workload, were it scheduled afresh now. */
export interface WhyView {
  cluster: string
  fits: boolean
  sentence: string
  score?: number
  /** More replicas that it could take. */
  capacity?: number
  /** Its part in the division of replicas, where they were divided by weight. */
  weight?: number
  /** Replicas that it would get. */
  replicas?: number
}

export interface ReplicasInCluster {
  cluster: string
  replicas: number
}

/** What control plane this console looks at, and what was found there. */
export interface AboutView {
  mode: 'embedded' | 'connected'
  server: string
  version?: string
  user?: string
  kinds: { kind: string; resource: string; served: boolean; readable: boolean; note?: string }[]
  reconcilers: { name: string; running: boolean; leader: boolean }[]
  missing: string[]
}
