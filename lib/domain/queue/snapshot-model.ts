/** What the decisions about queues know: plain data, read once from API objects by `queueSnapshotOf`. */
import type { QueueSpec, QueueStatus } from '@/lib/kube/kinds/queue'
import type { EpochMs } from '@/lib/std/clock'
import type { Message } from '@/lib/messages/message'
import type { Reason } from '../plan'
import type { Amounts } from './amounts'
import type { Signature, Undone } from './annotations'
import type { Suspender } from './suspender'

/** A reason with a message of the catalogue. */
export type QueueReason = Reason<Message>

/** Where a binding stands with its queue. The first that applies, in this order, except that `deleting` comes first. */
export type BindingState =
  /** It is being deleted: it takes what it takes, and nothing is done with it. */
  | 'Deleting'
  /** There only because something depends on it: nothing to schedule, never queued. */
  | 'Dependent'
  /** Suspended by the queue and never placed. */
  | 'Waiting'
  /** Suspended by a user or another controller and never placed: pending until they resume it. */
  | 'SuspendedByOther'
  /** Placed, and suspended by the queue's hold. */
  | 'HeldPlaced'
  /** Placed, and suspended by a user or another controller. */
  | 'PlacedSuspended'
  /** Placed and free. */
  | 'Admitted'
  /** Suspended by the queue before, and resumed by another client without the note of a release. */
  | 'TakenOut'
  /** Newer than the queue, free, not placed, and never suspended: it bypassed admission. */
  | 'SlippedThrough'
  /** Free, and the scheduler could not place it. It keeps its share of the quota, for it may be placed any time. */
  | 'Refused'
  /** Free, and the scheduler has not said anything yet. */
  | 'InFlight'

/** One binding in the namespaces of a queue. */
export interface QueuedBinding {
  /** `namespace/name`. */
  key: string
  namespace: string
  name: string
  resourceVersion: string
  ref: { apiVersion: string; kind: string; namespace?: string; name: string }
  state: BindingState
  /** What it asks for; once it is placed, what it takes. */
  demand: Amounts
  priority: number
  /** The class that the priority comes from. */
  priorityClass?: string
  /** RFC 3339: when it was queued. */
  since: string
  sinceMs: EpochMs
  /** The queue that suspended it, by its note. */
  notedQueue?: string
  suspended: boolean
  placed: boolean
  /** Not placed, and the scheduler said why it could not. */
  refused: boolean
  releasedAt?: string
  releasedBy?: string
  releaseRequested?: Signature
  /** Of one that no queue suspended: who did and when, as far as anything tells. */
  suspendedBy?: Suspender
  lastScheduledTime?: string
  /** Who last wrote `spec.suspension`: as admission noted it, else from managedFields. */
  suspensionWriter?: Signature
  slippedThrough: boolean
  undone?: Undone
  heldPlaced: boolean
}

/** What becomes of the pending workloads of a deleted queue. */
export type OnDelete = NonNullable<QueueSpec['onDelete']>

/** What a queue limits. */
export interface QueueLimits {
  /** Absent resource: without limit. Zero is a limit. */
  hard: Amounts
  /** How much may be borrowed; `everything` when the limit is there and empty. */
  borrowing: Amounts | 'everything' | undefined
}

/** A queue with its bindings. */
export interface QueueFacts {
  /** `namespace/name`. */
  key: string
  namespace: string
  name: string
  resourceVersion: string
  generation: number
  createdAt: string
  deleting: boolean
  finalizers: readonly string[]
  spec: QueueSpec
  strategy: 'StrictFIFO' | 'BestEffortFIFO'
  weight: number
  /** The namespaces that are this queue's, sorted; none while it is invalid. */
  namespaces: readonly string[]
  /** Why it does nothing, when it cannot. */
  invalid?: QueueReason
  /** Absent: without limit. */
  limits?: QueueLimits
  /** Set when a named quota is not there: nothing is released then. */
  missingQuota?: string
  ignoresCapacity: boolean
  holdEnded?: Signature
  /** In the namespaces of the queue, in the order of their keys. */
  bindings: readonly QueuedBinding[]
  /** Suspended by this queue in namespaces that have no queue now. */
  detached: readonly QueuedBinding[]
  status?: QueueStatus
}

/** Everything that a pass over all queues looks at. */
export interface QueueSnapshot {
  now: EpochMs
  /** By key. */
  queues: readonly QueueFacts[]
  /** Suspended by a queue that does not exist, in namespaces without a queue. */
  orphans: readonly QueuedBinding[]
  /** Suspended in the very moment in which their queue went: they are seen to as it would have done. */
  lateBindings: readonly { binding: QueuedBinding; onDelete: OnDelete }[]
  /** What all members offer together, ready or not; a resource that no member reports is missing. */
  offered: Amounts
  /** What ready members offer: the same resources, possibly zero. */
  capacity: Amounts
  /** The part of it that is taken, by placed bindings or by what members report, whichever is more. */
  taken: Amounts
}
