/** View models of queues: their pending workloads, shares and holds. */
import type { Message } from '@/lib/messages/message'
import type { StateView, WorkloadRef } from './model'

export type { HeldView } from './held-model'

/** An amount of one resource, in base units (milli-CPU, bytes, counts). */
export interface AmountView {
  resource: string
  used: number
  /** Absent: without limit. */
  quota?: number
  /** Beyond the quota, from what others leave unused. */
  borrowed: number
}

/** The state of a hold. `requested`: not yet effective. `leaking`: a held workload was scheduled despite it. */
export type HoldViewState = 'requested' | 'effective' | 'leaking' | 'undone' | 'resuming'

export interface HoldView {
  state: HoldViewState
  /** What the state means here, with numbers and names. */
  message: Message
  reason: string
  by?: string
  since?: string
  until?: string
  includePlaced: boolean
  /** Bindings that it holds. */
  affected: number
  /** With `resuming`: how many at a time, how many are admitted, and the next one with its reason while none progresses. */
  resume?: { step: number; done: number; next?: { id: string; ref: WorkloadRef; message: Message } }
  leaks: { workload: WorkloadRef; at?: string; message: Message }[]
  /** Who released held workloads last (absent: unknown), how often, and which of those that the reader sees. */
  undoneBy?: { who?: string; times: number; released: ReleasedPastView[] }
}

/** A workload that another client released despite a hold. */
export interface ReleasedPastView {
  id: string
  ref: WorkloadRef
  who?: string
  times: number
  /** False once it is held again. */
  free: boolean
}

/** One pending workload of a queue. */
export interface PendingView {
  /** Id of the workload, as in WorkloadView. */
  id: string
  ref: WorkloadRef
  /** From 1, in the order in which they will be released as things stand. */
  position: number
  priority: number
  priorityClass?: string
  since: string
  /** What it asks for. */
  demand: { resource: string; amount: number }[]
  /** The code of the reason, as in `lib/domain/queue`. */
  reason: string
  message: Message
  /** True when the controller would admit it now. */
  next: boolean
  /** Who asked to admit it next; it is admitted as soon as the quota allows. */
  releaseAsked?: { who: string; at?: string }
}

/** One queue in the list. `id` is `namespace/name`. */
export interface QueueView {
  id: string
  namespace: string
  name: string
  namespaces: string[]
  state: StateView
  strategy: 'StrictFIFO' | 'BestEffortFIFO'
  weight: number
  /** Part of the fleet that its released workloads take, by the resource that they take most of. */
  /** `fair` tells of the weights of all queues: absent for a reader who may not list them all. */
  share?: { resource: string; part: number; fair?: number }
  amounts: AmountView[]
  pending: number
  inFlight: number
  admitted: number
  head?: { id: string; ref: WorkloadRef; message: Message }
  oldestWaitSince?: string
  hold?: HoldView
  onDelete: 'Release' | 'Hold'
  deleting: boolean
  slippedThrough: number
  /** Pending workloads that have clusters although nothing admitted them; absent: none. */
  unadmitted?: number
  createdAt: string
}

/** What was set on a queue, for its form: quantities as they were written. */
export interface QueueSettingsView {
  /** The resourceVersion that this was read at. */
  version: string
  /** Besides the namespace that the queue is in. */
  namespaces: string[]
  strategy: QueueView['strategy']
  weight: number
  priorityClasses: { name: string; value: number; default?: boolean }[]
  quota?: {
    hard?: Record<string, string>
    federatedResourceQuota?: string
    /** Absent: nothing may be borrowed; empty: everything that others leave unused. */
    borrowingLimit?: Record<string, string>
  }
  maxInFlight?: number
  onDelete: QueueView['onDelete']
}

/** One queue with its pending workloads; the page of a queue. `id` as in QueueView. */
export interface QueueDetailView {
  id: string
  queue: QueueView
  priorityClasses: { name: string; value: number; default: boolean }[]
  /** In the order of release; at most 500, `more` says how many follow. */
  pendingWorkloads: PendingView[]
  more: number
  /** Released and not yet scheduled. */
  inFlight: { id: string; ref: WorkloadRef; releasedAt?: string }[]
  lastHold?: { reason: string; by?: string; since?: string; endedAt?: string; endedBy?: string }
  /** What a hold would affect now: pending workloads, and placed ones (only with includePlaced). */
  holdPreview: { waiting: number; placed: number }
  /** Absent where the reader may not see the object. */
  settings?: QueueSettingsView
}
