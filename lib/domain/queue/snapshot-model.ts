/** Input of decisions about queues: plain data, read once from API objects by `queueSnapshotOf`. */
import type { QueueSpec, QueueStatus } from '@/lib/kube/kinds/queue'
import type { EpochMs } from '@/lib/std/clock'
import type { Message } from '@/lib/messages/message'
import type { Reason } from '../plan'
import type { Amounts } from './amounts'
import type { Signature, Undone } from './annotations'
import type { Suspender } from './suspender'

/** A reason with a message of the catalogue. */
export type QueueReason = Reason<Message>

/** State of a binding in its queue. The first state that applies, in this order, except that `deleting` comes first. */
export type BindingState =
  /** Being deleted: its usage counts, and it is not changed. */
  | 'Deleting'
  /** Exists only because another binding depends on it: it is not scheduled and never queued. */
  | 'Dependent'
  /** Suspended by the queue and never placed. */
  | 'Waiting'
  /** Suspended by a user or another controller and never placed: pending until they resume it. */
  | 'SuspendedByOther'
  /** Placed, and suspended by the queue's hold. */
  | 'HeldPlaced'
  /** Placed, and suspended by a user or another controller. */
  | 'PlacedSuspended'
  /** Placed and not suspended. */
  | 'Admitted'
  /** Suspended by the queue before, and resumed by another client without recording an admission. */
  | 'TakenOut'
  /** Newer than the queue, not suspended, not placed, and never suspended: it bypassed admission. */
  | 'SlippedThrough'
  /**
   * Not suspended, but the scheduler could not place it. It keeps using quota, because it may be placed at any time.
   */
  | 'Refused'
  /** Not suspended, and not processed by the scheduler yet. */
  | 'InFlight'

/** A binding in the namespaces of a queue. */
export interface QueuedBinding {
  /** `namespace/name`. */
  key: string
  namespace: string
  name: string
  resourceVersion: string
  ref: { apiVersion: string; kind: string; namespace?: string; name: string }
  state: BindingState
  /** Its demand; once it is placed, its usage. */
  demand: Amounts
  priority: number
  /** Class that determines the priority. */
  priorityClass?: string
  /** RFC 3339: when it was queued. */
  since: string
  sinceMs: EpochMs
  /** Queue in its annotation. */
  notedQueue?: string
  suspended: boolean
  placed: boolean
  /** Not placed, and the scheduler reported why. */
  refused: boolean
  releasedAt?: string
  releasedBy?: string
  releaseRequested?: Signature
  /** For a binding that no queue suspended: the suspender and the time, as far as they are known. */
  suspendedBy?: Suspender
  lastScheduledTime?: string
  /** Last writer of `spec.suspension`: recorded by admission, otherwise from managedFields. */
  suspensionWriter?: Signature
  slippedThrough: boolean
  undone?: Undone
  heldPlaced: boolean
}

/** What happens to the pending workloads of a deleted queue. */
export type OnDelete = NonNullable<QueueSpec['onDelete']>

/** Limits of a queue. */
export interface QueueLimits {
  /** An absent resource is unlimited; zero is a limit. */
  hard: Amounts
  /** How much may be borrowed; `everything` for an empty limit. */
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
  /** Namespaces of this queue, sorted; none while it is invalid. */
  namespaces: readonly string[]
  /** Why the queue is invalid; it then does nothing. */
  invalid?: QueueReason
  /** Absent: unlimited. */
  limits?: QueueLimits
  /** Name of a missing quota; while it is missing, no workload is admitted. */
  missingQuota?: string
  ignoresCapacity: boolean
  holdEnded?: Signature
  /** Bindings in the namespaces of the queue, sorted by key. */
  bindings: readonly QueuedBinding[]
  /** Bindings suspended by this queue in namespaces that have no queue now. */
  detached: readonly QueuedBinding[]
  status?: QueueStatus
}

/** Input of planning all queues. */
export interface QueueSnapshot {
  now: EpochMs
  /** Sorted by key. */
  queues: readonly QueueFacts[]
  /** Bindings suspended by a queue that does not exist, in namespaces without a queue. */
  orphans: readonly QueuedBinding[]
  /**
   * Bindings that were suspended while their queue was being deleted; they are treated as the deletion would have done.
   */
  lateBindings: readonly { binding: QueuedBinding; onDelete: OnDelete }[]
  /** Allocatable resources of all members, ready or not; resources that no member reports are absent. */
  offered: Amounts
  /** Allocatable resources of ready members: the same resources, possibly zero. */
  capacity: Amounts
  /** The used part of `capacity`: by placed bindings or as reported by members, whichever is larger. */
  taken: Amounts
}
