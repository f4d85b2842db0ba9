/**
 * The live protocol: keyed collections, streamed as a snapshot and then deltas, each with a revision that only
 * increases within an epoch (a server's view of a topic for users with the same permissions). A client that reconnects
 * sends its epoch and revision and receives the changes since. If the server does not know the epoch (another instance,
 * or a restart), it requests a digest of the client's entities (./digest) and sends the differences, or a new snapshot
 * if that is less work.
 *
 * All messages about collections are sent as `frames`, built once for all readers at the same position: a JSON text or,
 * if it pays off, the byte 1 followed by that text deflated (RFC 1950).
 *
 * A page does not wait for its connection: the first snapshot of a collection is also at `snapshotPath`, to be read
 * while scripts load, and the subscription continues at its position.
 */
import type { ActivityView } from './activity-model'
import type { ClusterView, State, WorkloadDetailView, WorkloadView } from './model'
import type { FailoverEntryView, FailoverSummaryView, PastFailoverView } from './failover-model'
import type { PolicyView } from './policy-model'
import type { QueueDetailView, QueueView } from './queue-model'
import type { PlanRowView, PlanRunView, RebalancerRowView, RebalancerView } from './rebalance-model'
import type { SpreadView } from './spread-model'
import type { UnreadKind } from './unread'

/**
 * Collections of entities with an `id`. A `workload/<id>`, `queue/<id>`, `rebalancer/<name>` or `plan/<name>` topic has
 * one entity, or none if it does not exist.
 */
export interface Topics {
  clusters: ClusterView
  workloads: WorkloadView
  rebalancers: RebalancerRowView
  plans: PlanRowView
  policies: PolicyView
  spreads: SpreadView
  failover: FailoverEntryView
  /** One entity, for pages that only show whether a failover is running. */
  'failover-now': FailoverSummaryView
  'failover-history': PastFailoverView
  queues: QueueView
  /** Recent actions on objects whose Events the reader may list. */
  activity: ActivityView
  /** One entity with counts by state; the only topic that a hidden page follows. */
  summary: SummaryView
  [workload: `workload/${string}`]: WorkloadDetailView
  [queue: `queue/${string}`]: QueueDetailView
  [rebalancer: `rebalancer/${string}`]: RebalancerView
  [plan: `plan/${string}`]: PlanRunView
}
export type Topic = keyof Topics & string

/** Figures about the reader's part of the fleet. `id` is `now`. */
export interface SummaryView {
  id: string
  /** Workloads by state. */
  workloads: Record<State, number>
  /** Clusters by state; absent without permission to list them. */
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

/** Replaces all entities of the topic. */
export interface SnapshotMessage extends Position {
  topic: string
  entities: unknown[]
}

/** Applies to position `from`; a client at another position subscribes again. */
export interface DeltaMessage extends Position {
  topic: string
  from: number
  /** Epoch of `from` if it differs: the reader's permissions changed, or the position is from another server. */
  fromEpoch?: string
  changed: unknown[]
  removed: string[]
  /** Entities in these buckets (./digest) that are not in `changed` are removed as well. */
  replaces?: { of: number; buckets: number[] }
}

/** The client is complete up to this revision; sent after a snapshot or after resumed deltas. */
export interface SyncedMessage extends Position {
  topic: string
}

/** A frame as it is transmitted. */
export type FrameData = string | Uint8Array

/** Content of a frame. */
export type FrameMessage =
  | ({ type: 'snapshot' } & SnapshotMessage)
  | ({ type: 'delta' } & DeltaMessage)
  | ({ type: 'synced' } & SyncedMessage)

/** Requests a digest of the client's entities with that many buckets. */
export interface CompareMessage {
  topic: string
  of: number
}

/** The answer: eight bytes per bucket. */
export interface DigestMessage {
  topic: string
  since: Position
  of: number
  hashes: Uint8Array
}

/** Why the server ends a connection, and whether to log in again or reconnect. */
export interface SessionEndMessage {
  reason: string
  message: string
  /** True if an automatic reconnection would fail again. */
  final: boolean
}

/** Sent first on each connection. */
export interface HelloMessage {
  /** Identifies the build of the pages that the server has; that of a page is on its root element as `data-build`. */
  build: string
}

/** Freshness of the server's cache of the control plane. */
export interface FreshnessMessage {
  state: 'live' | 'syncing' | 'stale'
  /** When it became stale, RFC 3339. */
  since?: string
  /** The error as a sentence. */
  error?: string
  /**
   * When this console instance lost contact to the others, RFC 3339; absent with contact, and for a single instance.
   */
  apart?: string
}

export interface ServerToClient {
  /** In order; see FrameMessage. */
  frames: (frames: FrameData[]) => void
  hello: (message: HelloMessage) => void
  freshness: (message: FreshnessMessage) => void
  compare: (message: CompareMessage) => void
  /** Kinds of the topic that are not read; its collection lacks them. Replaces the previous list. */
  unread: (message: { topic: string; unread: UnreadKind[] }) => void
  /**
   * The topic cannot be shown: unknown, forbidden, or none of its kinds is read. The client must drop its content.
   * `unread`: the missing kinds with the reasons.
   */
  refused: (message: { topic: string; message: string; unread?: UnreadKind[] }) => void
  goodbye: (message: SessionEndMessage) => void
}

export interface ClientToServer {
  subscribe: (message: SubscribeMessage) => void
  unsubscribe: (message: { topic: string }) => void
  digest: (message: DigestMessage) => void
}

/** Path of the socket.io endpoint. */
export const LIVE_PATH = '/live'

/** Path of a `SnapshotMessage` of a collection. It has no content when the stream has to tell what is missing. */
export const snapshotPath = (topic: string): string => `/api/v1/snapshots/${topic}`
