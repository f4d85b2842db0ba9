/**
 * View models: what the console shows, already decided, in plain data. The server projects caches into these
 * (lib/view/project), the browser only draws them. Unchanged input gives the same object again.
 */
import type { Message } from '../messages/message'
import type { HeldView } from './held-model'

/** The six states of the design language. Each is shown as a shape and a word. */
export type State = 'ok' | 'active' | 'warn' | 'fail' | 'held' | 'unknown'

/** A state with the sentence that explains it. */
export interface StateView {
  state: State
  /** For people, with numbers and causes; a string until every view sends messages. */
  reason: Message | string
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

/**
 * Replicas, counted by one rule on every page (project/replica-counts.ts). `ready` and `unknown` never overlap, and
 * `ready <= current <= desired`, `ready + unknown <= desired`. Absent optional counts are 0.
 */
export interface ReplicaCounts {
  /** Replicas that should run. */
  desired: number
  /** Of the desired replicas, those that are known to exist. */
  current: number
  /** Of the desired replicas, those that are known to be ready (for a Job: or completed). */
  ready: number
  /** Desired replicas whose state is not known: the cluster does not answer, or its report is missing or impossible. */
  unknown?: number
  /** Replicas that exist beyond the desired ones, or in a cluster that the workload is leaving. */
  old?: number
  /** Of the old replicas, those that are ready. */
  oldReady?: number
  /** Old replicas that may remain in clusters that do not answer, as last reported; not part of `old`. */
  oldUnknown?: number
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
  /** Workloads scheduled to this cluster, and the sum of their replicas here. */
  workloads: number
  replicas: ReplicaCounts
  createdAt: string
  deleting: boolean
}

/**
 * One workload in one cluster: a cell of the fleet matrix. `desired` is what the scheduler put here, 0 when the workload
 * is leaving.
 */
export interface CellView extends ReplicaCounts {
  cluster: string
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
 * for slashes inside apiVersion. `desired` is what the template asks for (times clusters when Duplicated), the other
 * counts are sums over the cells.
 */
export interface WorkloadView extends ReplicaCounts {
  id: string
  ref: WorkloadRef
  binding: { kind: 'ResourceBinding' | 'ClusterResourceBinding'; namespace?: string; name: string }
  policy?: { kind: 'PropagationPolicy' | 'ClusterPropagationPolicy'; namespace?: string; name: string }
  strategy: DivisionStrategy
  /** False for templates without replicas (a ClusterRole): all counts are then numbers of clusters. */
  hasReplicas: boolean
  /** Sorted by cluster name. */
  cells: CellView[]
  state: StateView
  suspended: { scheduling: boolean; dispatching: boolean }
  /** What keeps it back: its place in a line, a paused queue, or a suspension of its own. */
  held?: HeldView
  /** Replicas that a rebalance would move to where the policy would place them now; absent when there are none. */
  drift?: number
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
  /** One for each change. */
  changes: (Message | string)[]
}

/** Something that happened, newest first in lists. `id` is stable. */
export interface TimelineEntryView {
  id: string
  at: string
  /** Where it comes from. */
  source: 'event' | 'condition' | 'eviction' | 'rebalance' | 'placement'
  state: State
  title: Message | string
  detail: Message | string
  cluster?: string
  count?: number
}

/** Why nothing happens to a workload. */
export interface BlockerView {
  /** A `BlockerReason` of lib/domain/failover, for machines. */
  reason: string
  cluster?: string
  message: Message
  until?: string
}

/** All of one workload: what its page shows. */
export interface WorkloadDetailView extends WorkloadView {
  conditions: ConditionView[]
  evictionTasks: EvictionTaskView[]
  overrides: OverrideView[]
  timeline: TimelineEntryView[]
  /** The rules of the applied placement. */
  placement: (Message | string)[]
  /** Per cluster: fits or the rule that rejects it, score, capacity, from the real scheduling code. */
  why: WhyView[]
  /** Why no failover happens to it, or what one waits for. */
  blockedBy: BlockerView[]
  /** The binding as the API returns it, for the YAML tab. */
  bindingObject: unknown
}

/** Why a cluster has or has not the workload, were it scheduled afresh now. */
export interface WhyView {
  cluster: string
  fits: boolean
  sentence: Message | string
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
export interface TroubledView {
  controller: string
  /** `namespace/name`, or as the loop names it. */
  key: string
  state: 'failing' | 'skipped'
  cause: string
  failures: number
  since: string
  nextTryAt?: string
}

export interface AboutView {
  mode: 'embedded' | 'connected'
  server: string
  version?: string
  user?: string
  /** The file and the context by which kubectl reaches it on the machine of the server; absent where users log in. */
  kubeconfig?: { path: string; context?: string }
  kinds: { kind: string; resource: string; served: boolean; readable: boolean; note?: string }[]
  reconcilers: { name: string; running: boolean; leader: boolean }[]
  /** Objects that a loop keeps failing on or skips; told to those who may list bindings and clusters everywhere. */
  troubled: TroubledView[]
  missing: string[]
}
