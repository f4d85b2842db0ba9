/**
 * The live protocol: keyed collections, streamed as a snapshot, then deltas, each with a revision that only grows
 * within an epoch (one life of the server process). A client that reconnects names the epoch and revision it has and
 * gets the deltas since then, or a new snapshot when the server no longer has them.
 */
import type { ClusterView, WorkloadDetailView, WorkloadView } from './model'
import type { FailoverEntryView, FailoverSummaryView, PastStoryView } from './failover-model'
import type { QueueDetailView, QueueView } from './queue-model'
import type { PlanRunView, RebalancerView } from './rebalance-model'
import type { SpreadView } from './spread-model'

/** Collections of entities with an `id`. A `workload/<id>` or `queue/<id>` topic holds one entity, or none when it is gone. */
export interface Topics {
  clusters: ClusterView
  workloads: WorkloadView
  rebalancers: RebalancerView
  plans: PlanRunView
  spreads: SpreadView
  failover: FailoverEntryView
  /** One entity, for pages that show only whether a failover runs. */
  'failover-now': FailoverSummaryView
  'failover-history': PastStoryView
  queues: QueueView
  [workload: `workload/${string}`]: WorkloadDetailView
  [queue: `queue/${string}`]: QueueDetailView
}
export type Topic = keyof Topics & string

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
  changed: unknown[]
  removed: string[]
}

/** The client has everything up to this revision; sent after a snapshot or after the resumed deltas. */
export interface SyncedMessage extends Position {
  topic: string
}

/** How current the server's own copy of the control plane is. */
export interface FreshnessMessage {
  state: 'live' | 'syncing' | 'stale'
  /** When it became stale, RFC 3339. */
  since?: string
  error?: string
}

export interface ServerToClient {
  snapshot: (message: SnapshotMessage) => void
  delta: (message: DeltaMessage) => void
  synced: (message: SyncedMessage) => void
  freshness: (message: FreshnessMessage) => void
  /** The topic cannot be subscribed: unknown or forbidden. */
  refused: (message: { topic: string; message: string }) => void
}

export interface ClientToServer {
  subscribe: (message: SubscribeMessage) => void
  unsubscribe: (message: { topic: string }) => void
}

/** The path of the socket.io endpoint. */
export const LIVE_PATH = '/live'
