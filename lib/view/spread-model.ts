/** View models of WorkloadSpreads: how the pods of a workload are spread over parts of each cluster. See model.ts. */
import type { Message } from '../messages/message'
import type { ConditionView, StateView, WorkloadRef } from './model'

/** One subset as it is asked for. */
export interface SpreadSubsetView {
  name: string
  /** As written: `3`, `60%`; absent: no limit. */
  maxReplicas?: number | string
  /** What its pods are given. */
  rules: Message[]
}

/** A pod that the webhook let in, or let go, and that has not been seen to come or go since. */
export interface ExpectedPodView {
  /** Its name; of a pod that had none yet, what stands for it. */
  name: string
  doing: 'creating' | 'deleting'
  /** When it was let in or let go, and until when that is waited for. */
  since: string
  until: string
}

/** One subset in one cluster, as that cluster reported it. */
export interface SubsetCountView {
  name: string
  /** What `maxReplicas` comes to here; absent where there is no limit, or the size of the workload is not known. */
  limit?: number
  /** Pods that belong here when every subset before it is full; absent where that cannot be known. */
  desired?: number
  current: number
  /** Pods that it still takes; absent where there is no limit. */
  missing?: number
  /** It had no room: no pod is sent here before that time. */
  unschedulable?: { since: string; until: string }
  expected: ExpectedPodView[]
  conditions: ConditionView[]
  state: StateView
}

/** The pods of the workload beside the sum of its subsets. */
export interface SpreadSumView {
  /** Pods that the workload reports. */
  total: number
  /** Pods by subset, in order. */
  parts: number[]
  /** Pods that the subsets do not sum for; negative when they count more than there are. */
  off: number
  state: StateView
}

/** Pods that go at the same moment of a scale-down; the first step goes first. */
export interface DeletionStepView {
  /** Absent for pods in no subset. */
  subset?: string
  /** Too many for their subset, hence before all that are not. */
  surplus: boolean
  pods: number
  cost: number
}

/** A spread in one cluster. */
export interface SpreadInClusterView {
  cluster: string
  state: StateView
  /** Pods that the workload is to have there; absent where that is not known. */
  size?: number
  /** In the order of the spread; absent while the cluster reported nothing. */
  subsets?: SubsetCountView[]
  /** Absent while one of the two was not reported, or the spread leaves out some of the pods. */
  sum?: SpreadSumView
  /** Absent where pods are not chosen by their subset. */
  deleteOrder?: DeletionStepView[]
  /** Revisions that have pods there; while there are several, the older ones are emptied in the opposite order. */
  revisions: number
}

/** One WorkloadSpread. `id` is `namespace/name`. */
export interface SpreadView {
  id: string
  namespace: string
  name: string
  createdAt: string
  strategy: 'Fixed' | 'Adaptive'
  /** What the strategy and the filter mean. */
  behavior: Message[]
  target: WorkloadRef
  /** The id of the target; absent while it is not propagated. */
  workload?: string
  subsets: SpreadSubsetView[]
  /** Whom a smaller workload gives up first: by subset, by ordinal, or whomever. */
  deletion: 'subset' | 'ordinal' | 'any'
  /** Sorted by name. */
  clusters: SpreadInClusterView[]
  state: StateView
}
