/**
 * The live protocol: keyed collections, streamed as a snapshot, then deltas, each with a revision that only grows
 * within an epoch (what one server shows of one topic to users with the same rights). A client that reconnects names the
 * epoch and revision it has and gets what changed since. Where the epoch is not known, as on another instance or after a
 * restart, the server asks for a digest of what the client holds (./digest) and sends what differs, or a new snapshot
 * where that is less work.
 *
 * Everything that concerns a collection travels in `frames`, made once for all readers at the same position: a JSON
 * text or, where that is worth it, the byte 1 and that text deflated (RFC 1951).
 */
import type { ActivityView } from './activity-model'
import type { ClusterView, State, WorkloadDetailView, WorkloadView } from './model'
import type { FailoverEntryView, FailoverSummaryView, PastFailoverView } from './failover-model'
import type { PolicyView } from './policy-model'
import type { QueueDetailView, QueueView } from './queue-model'
import type { PlanRunView, RebalancerView } from './rebalance-model'
import type { SpreadView } from './spread-model'
import type { UnreadKind } from './unread'

/** Collections of entities with an `id`. A `workload/<id>` or `queue/<id>` topic holds one entity, or none when it is gone. */
export interface Topics {
  clusters: ClusterView
  workloads: WorkloadView
  rebalancers: RebalancerView
  plans: PlanRunView
  policies: PolicyView
  spreads: SpreadView
  failover: FailoverEntryView
  /** One entity, for pages that show only whether a failover runs. */
  'failover-now': FailoverSummaryView
  'failover-history': PastFailoverView
  queues: QueueView
  /** What was done lately, to objects whose Events the reader may list. */
  activity: ActivityView
  /** One entity: how many there are of which state. All that a hidden page follows. */
  summary: SummaryView
  [workload: `workload/${string}`]: WorkloadDetailView
  [queue: `queue/${string}`]: QueueDetailView
}
export type Topic = keyof Topics & string

/** How the reader's part of the fleet is, in figures. `id` is `now`. */
export interface SummaryView {
  id: string
  /** Workloads by state. */
  workloads: Record<State, number>
  /** Clusters by state; absent for who may not list them. */
  clusters?: Record<State, number>
}

export interface Position {
  epoch: string
  revision: number
}

export interface SubscribeMessage {
  topic: string
  since?: Position
}

/** Replaces everything that the client holds of the topic. */
export interface SnapshotMessage extends Position {
  topic: string
  entities: unknown[]
}

/** Applies on top of `from`; a client whose position is not `from` subscribes anew. */
export interface DeltaMessage extends Position {
  topic: string
  from: number
  /** The epoch of `from` when it is not the same: the reader's rights changed, or it came from another server. */
  fromEpoch?: string
  changed: unknown[]
  removed: string[]
  /** All that is held in these buckets (./digest) and not in `changed` is gone as well. */
  replaces?: { of: number; buckets: number[] }
}

/** The client has everything up to this revision; sent after a snapshot or after the resumed deltas. */
export interface SyncedMessage extends Position {
  topic: string
}

/** As it travels. */
export type FrameData = string | Uint8Array

/** What a frame holds. */
export type FrameMessage =
  | ({ type: 'snapshot' } & SnapshotMessage)
  | ({ type: 'delta' } & DeltaMessage)
  | ({ type: 'synced' } & SyncedMessage)

/** Asks what the client holds, as a digest of that many buckets. */
export interface CompareMessage {
  topic: string
  of: number
}

/** The answer: eight bytes for each bucket. */
export interface DigestMessage {
  topic: string
  since: Position
  of: number
  hashes: Uint8Array
}

/** Why the server ends a connection, and what to do: log in again, or come back. */
export interface GoodbyeMessage {
  reason: string
  message: string
  /** True when coming back by itself is of no use. */
  final: boolean
}

/** How current the server's own copy of the control plane is. */
export interface FreshnessMessage {
  state: 'live' | 'syncing' | 'stale'
  /** When it became stale, RFC 3339. */
  since?: string
  /** What is wrong, as a sentence. */
  error?: string
  /** Since when this instance of the console cannot talk to the others, RFC 3339; absent while it can, and for one that is alone. */
  apart?: string
}

export interface ServerToClient {
  /** In their order; see FrameMessage. */
  frames: (frames: FrameData[]) => void
  freshness: (message: FreshnessMessage) => void
  compare: (message: CompareMessage) => void
  /** Kinds of the topic that are not read: its collection is without them. Replaces what was said before. */
  unread: (message: { topic: string; unread: UnreadKind[] }) => void
  /**
   * The topic cannot be shown: unknown, forbidden or none of its kinds read. What was held of it is to be forgotten.
   * `unread`: what it would show, and why it is not read.
   */
  refused: (message: { topic: string; message: string; unread?: UnreadKind[] }) => void
  goodbye: (message: GoodbyeMessage) => void
}

export interface ClientToServer {
  subscribe: (message: SubscribeMessage) => void
  unsubscribe: (message: { topic: string }) => void
  digest: (message: DigestMessage) => void
}

/** The path of the socket.io endpoint. */
export const LIVE_PATH = '/live'
