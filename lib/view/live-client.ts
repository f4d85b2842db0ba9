/**
 * The client's side of the live protocol (./live) as a pure state machine: one state per topic, one reducer.
 *
 *   offline ──connected──► unsubscribed ──subscribed──► catching-up ──synced──► live
 *      ▲                        ▲                            │                   │
 *      │                        └────── a delta or `synced` that does not fit ───┤
 *      │                                                                         │
 *      └── disconnected (from every phase) ◄─────────────────────────────────────┘
 *   refused: from any connected phase by `refused`; a new connection asks again.
 *
 * How to drive it, for each topic: feed every socket event through `reduceCollection`; whenever the state's phase is
 * `unsubscribed`, emit `subscribe` with `subscriptionOf(topic, state)` and feed `{ type: 'subscribed' }`. Nothing else
 * is needed: what was held stays on screen while offline or catching up, and `freshnessOf` says how current it is.
 *
 * Invariants, for every interleaving of snapshots, deltas, lost connections and server restarts:
 * the held collection is always one that the server had; within an epoch it never goes back; once `live`, it is the
 * server's collection at `position`. An entity that did not change is the same object as before.
 */
import type { EpochMs } from '@/lib/std/clock'
import { formatTime } from '@/lib/std/clock'
import type {
  DeltaMessage, FreshnessMessage, Position, SnapshotMessage, SubscribeMessage, SyncedMessage,
} from './live'
import { shareStructure } from './share-structure'

/** Anything that a topic may hold. */
export interface Entity {
  id: string
}

export type Phase = 'offline' | 'unsubscribed' | 'catching-up' | 'live' | 'refused'

/** What a client holds of one topic. Immutable. */
export interface CollectionState<T extends Entity> {
  readonly phase: Phase
  /** Where the held entities stand; absent until the first snapshot, which is what tells "empty" from "not loaded". */
  readonly position?: Position
  readonly entities: ReadonlyMap<string, T>
  /** What the server last said of its own copy of the control plane. */
  readonly server?: FreshnessMessage
  /** When the connection was lost; in phase `offline` only, and only if there ever was one. */
  readonly offlineSince?: EpochMs
  /** Why the topic is refused, or why there is no connection. */
  readonly error?: string
}

export type CollectionEvent =
  | { type: 'connected' }
  | { type: 'disconnected'; at: EpochMs; error?: string }
  | { type: 'subscribed' }
  | { type: 'snapshot'; message: SnapshotMessage }
  | { type: 'delta'; message: DeltaMessage }
  | { type: 'synced'; message: SyncedMessage }
  | { type: 'freshness'; message: FreshnessMessage }
  | { type: 'refused'; message: string }

/** How current the held collection is, as the freshness chip says it. */
export interface FreshnessView {
  word: 'Live' | 'Catching up' | 'Stale' | 'Offline'
  revision?: number
  /** RFC 3339; with `Stale` and `Offline`, since when. */
  since?: string
  error?: string
}

/** Nothing held, no connection. */
export function initialCollection<T extends Entity>(): CollectionState<T> {
  return { phase: 'offline', entities: new Map() }
}

/** What to send for a collection in phase `unsubscribed`: asks for what happened since, when something is held. */
export function subscriptionOf(topic: string, state: CollectionState<Entity>): SubscribeMessage {
  return { topic, ...(state.position && { since: state.position }) }
}

/** The state after an event; the same object when the event changes nothing. Never throws. */
export function reduceCollection<T extends Entity>(
  state: CollectionState<T>, event: CollectionEvent,
): CollectionState<T> {
  switch (event.type) {
    case 'connected':
      return { ...state, phase: 'unsubscribed', error: undefined, offlineSince: undefined }
    case 'disconnected':
      return disconnected(state, event)
    case 'subscribed':
      return state.phase === 'unsubscribed' ? { ...state, phase: 'catching-up' } : state
    case 'snapshot':
      return applySnapshot(state, event.message)
    case 'delta':
      return applyDelta(state, event.message)
    case 'synced':
      return applySynced(state, event.message)
    case 'freshness':
      return { ...state, server: event.message }
    case 'refused':
      return state.phase === 'offline' ? state : { ...state, phase: 'refused', error: event.message }
  }
}

/** The freshness to show. `Live` only when the connection, the subscription and the server's own copy all are. */
export function freshnessOf(state: CollectionState<Entity>): FreshnessView {
  const { phase, position, server, offlineSince, error } = state
  const revision = position?.revision
  if (phase === 'offline') {
    const since = offlineSince === undefined ? undefined : formatTime(offlineSince)
    return { word: 'Offline', revision, since, error }
  }
  if (server?.state === 'stale') return { word: 'Stale', revision, since: server.since, error: server.error }
  return { word: phase === 'live' && server?.state !== 'syncing' ? 'Live' : 'Catching up', revision, error }
}

/** True once something arrived, even if the collection is empty. */
export function isLoaded(state: CollectionState<Entity>): boolean {
  return state.position !== undefined
}


function disconnected<T extends Entity>(
  state: CollectionState<T>, event: { at: EpochMs; error?: string },
): CollectionState<T> {
  const offlineSince = state.phase === 'offline' ? state.offlineSince : event.at
  return { ...state, phase: 'offline', offlineSince, error: event.error }
}

function applySnapshot<T extends Entity>(state: CollectionState<T>, message: SnapshotMessage): CollectionState<T> {
  if (state.phase === 'offline' || isBehind(message, state)) return state
  const entities = new Map<string, T>()
  for (const entity of message.entities as T[]) {
    entities.set(entity.id, shareStructure(state.entities.get(entity.id), entity))
  }
  return { ...state, entities, position: positionOf(message) }
}

function applyDelta<T extends Entity>(state: CollectionState<T>, message: DeltaMessage): CollectionState<T> {
  if (state.phase === 'offline' || alreadyHeld(message, state)) return state
  if (!follows(message, state)) return askAgain(state)
  const entities = new Map(state.entities)
  for (const id of message.removed) entities.delete(id)
  for (const entity of message.changed as T[]) entities.set(entity.id, shareStructure(entities.get(entity.id), entity))
  return { ...state, entities, position: positionOf(message) }
}

function applySynced<T extends Entity>(state: CollectionState<T>, message: SyncedMessage): CollectionState<T> {
  if (state.phase !== 'catching-up') return state
  return alreadyHeld(message, state) ? { ...state, phase: 'live' } : askAgain(state)
}

function askAgain<T extends Entity>(state: CollectionState<T>): CollectionState<T> {
  return state.phase === 'unsubscribed' ? state : { ...state, phase: 'unsubscribed' }
}

const positionOf = ({ epoch, revision }: Position): Position => ({ epoch, revision })
const sameEpoch = (message: Position, state: CollectionState<Entity>): boolean =>
  message.epoch === state.position?.epoch

function isBehind(message: Position, state: CollectionState<Entity>): boolean {
  return sameEpoch(message, state) && message.revision < (state.position?.revision ?? 0)
}

function alreadyHeld(message: Position, state: CollectionState<Entity>): boolean {
  return sameEpoch(message, state) && message.revision <= (state.position?.revision ?? 0)
}

function follows(message: DeltaMessage, state: CollectionState<Entity>): boolean {
  return sameEpoch(message, state) && message.from === state.position?.revision
}
