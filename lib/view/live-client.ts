/**
 * Client side of the live protocol (./live) as a pure state machine: one state per topic, one reducer, and one table
 * with the next phase for every phase and trigger.
 *
 * connecting ──connected──► catching-up ◄──────► live
 * │ ▲ ▲ ▲
 * └──lost──► offline ──────┘ └───► stale ◄───┘
 * refused: by the server, for the topic or the connection; a new connection or a later snapshot ends it.
 *
 * Usage, for each topic: pass every socket event to `reduceCollection`; whenever the state `owes` the server a message,
 * emit `owedBy(topic, state)` and pass `{ type: 'paid' }`. The held entities stay on screen while offline or catching
 * up, and `freshnessOf` returns how current they are.
 *
 * Invariants, for every interleaving of snapshots, deltas, lost connections, changed permissions and server restarts:
 * the held collection always was a collection of a server; within an epoch it never goes back; once `live`, it is the
 * server's collection at `position`. Unchanged entities keep their identity.
 */
import type { EpochMs } from '@/lib/std/clock'
import { formatTime } from '@/lib/std/clock'
import { bucketOf, digestOf } from './digest'
import type {
  ClientToServer,
  CompareMessage,
  DeltaMessage,
  FreshnessMessage,
  Position,
  SnapshotMessage,
  SyncedMessage,
} from './live'
import { shareStructure } from '@/lib/std/share-structure'
import type { UnreadKind } from './unread'

/** An entity of a topic. */
export interface Entity {
  id: string
}

export const PHASES = ['connecting', 'catching-up', 'live', 'stale', 'offline', 'refused'] as const

/**
 * `connecting`: no server was reached yet. `catching-up`: connected, but possibly incomplete. `live`: complete.
 * `stale`: connected to a server whose own cache is outdated. `offline`: the connection was lost. `refused`: the server
 * does not permit the topic.
 */
export type Phase = (typeof PHASES)[number]

/** The effect of an event. */
export type Trigger =
  | 'connected'
  | 'lost'
  /** The topic is not permitted. */
  | 'refused'
  /** The server permits it again. */
  | 'reopened'
  /** The client lacks data; the client is complete; the server's cache is outdated. */
  | 'behind'
  | 'current'
  | 'outdated'

const CONNECTED: Readonly<Record<Trigger, Phase>> = {
  connected: 'catching-up',
  lost: 'offline',
  refused: 'refused',
  reopened: 'catching-up',
  behind: 'catching-up',
  current: 'live',
  outdated: 'stale',
}

/** Without a connection, late messages are ignored. */
const unconnected = (phase: Phase): Readonly<Record<Trigger, Phase>> => ({
  connected: 'catching-up',
  lost: 'offline',
  refused: 'refused',
  reopened: phase,
  behind: phase,
  current: phase,
  outdated: phase,
})

/** The next phase for every phase and trigger. */
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Record<Trigger, Phase>>>> = {
  connecting: unconnected('connecting'),
  'catching-up': CONNECTED,
  live: CONNECTED,
  stale: CONNECTED,
  offline: unconnected('offline'),
  refused: { ...unconnected('refused'), reopened: 'catching-up' },
}

/** A message that must be sent to the server. */
type Debt = { what: 'subscription' } | { what: 'digest'; of: number }

/** State of one topic in a client. Immutable. */
export interface CollectionState<T extends Entity> {
  readonly phase: Phase
  /** Position of the held entities; absent until the first snapshot, which distinguishes "empty" from "not loaded". */
  readonly position?: Position | undefined
  readonly entities: ReadonlyMap<string, T>
  /** The server confirmed that nothing is missing, and no later message contradicts it. */
  readonly isComplete: boolean
  /** It was complete at some time: without that, a connection is the first and not regained. */
  readonly wasComplete?: boolean | undefined
  readonly hasUnreported?: Debt | undefined
  /** Last reported freshness of the server's cache. */
  readonly server?: FreshnessMessage | undefined
  /** When the connection was lost; set in phase `offline` only, and only after a first connection. */
  readonly offlineSince?: EpochMs | undefined
  /** Why the topic is refused, or why there is no connection. */
  readonly error?: string | undefined
  /** Kinds that the topic would show, and that are not read. */
  readonly unread?: readonly UnreadKind[] | undefined
}

export type CollectionEvent =
  | { type: 'connected' }
  | { type: 'disconnected'; at: EpochMs; error?: string }
  /** The owed message was sent. */
  | { type: 'paid' }
  /** The page stops following the topic, and follows it again. */
  | { type: 'parked' }
  | { type: 'resumed' }
  | { type: 'snapshot'; message: SnapshotMessage }
  /** A snapshot that was read beside the connection; counts only where nothing else is known. */
  | { type: 'preloaded'; message: SnapshotMessage }
  | { type: 'delta'; message: DeltaMessage }
  | { type: 'synced'; message: SyncedMessage }
  | { type: 'compare'; message: CompareMessage }
  | { type: 'freshness'; message: FreshnessMessage }
  | { type: 'unread'; unread: readonly UnreadKind[] }
  | { type: 'refused'; message: string; unread?: readonly UnreadKind[] | undefined }
  /** The connection itself was refused. */
  | { type: 'denied'; message: string }

/** Freshness of the held collection, as the freshness chip shows it. */
export interface FreshnessView {
  word: 'Connecting' | 'Live' | 'Reconnecting' | 'Stale' | 'Offline' | 'Refused'
  revision?: number | undefined
  /** RFC 3339; start of `Stale` and `Offline`. */
  since?: string | undefined
  error?: string | undefined
  /** When this console instance lost contact to the others, RFC 3339. */
  apart?: string | undefined
}

/** Initial state: no entities, no connection. */
export function initialCollection<T extends Entity>(): CollectionState<T> {
  return { phase: 'connecting', entities: new Map(), isComplete: false }
}

/** Returns the message that a state owes the server; undefined if there is none. */
export function unreportedBy(
  topic: string,
  { hasUnreported, position, entities }: CollectionState<Entity>,
): UnreportedEntities | undefined {
  if (hasUnreported === undefined) return undefined
  if (hasUnreported.what === 'digest' && position) {
    return {
      event: 'digest',
      message: { topic, since: position, of: hasUnreported.of, hashes: digestOf(entities.values(), hasUnreported.of) },
    }
  }
  return { event: 'subscribe', message: { topic, ...(position && { since: position }) } }
}

export type UnreportedEntities = {
  [E in 'subscribe' | 'digest']: { event: E; message: Parameters<ClientToServer[E]>[0] }
}['subscribe' | 'digest']

/** Returns the state after an event; the same object if nothing changes. Never throws. */
export function reduceCollection<T extends Entity>(
  state: CollectionState<T>,
  event: CollectionEvent,
): CollectionState<T> {
  switch (event.type) {
    case 'connected':
      return enter(
        {
          ...state,
          isComplete: false,
          hasUnreported: SUBSCRIPTION,
          server: undefined,
          error: undefined,
          unread: undefined,
          offlineSince: undefined,
        },
        'connected',
      )
    case 'disconnected':
      return enter(
        {
          ...state,
          isComplete: false,
          hasUnreported: undefined,
          offlineSince: lostAt(state, event.at),
          error: event.error,
        },
        'lost',
      )
    case 'paid':
      return state.hasUnreported === undefined ? state : { ...state, hasUnreported: undefined }
    case 'parked':
      return isConnected(state) ? settle({ ...state, isComplete: false, hasUnreported: undefined }) : state
    case 'resumed':
      return isConnected(state) ? askAgain({ ...state, unread: undefined }) : state
    case 'unread':
      return isConnected(state) ? { ...state, unread: event.unread } : state
    case 'freshness':
      return settle({ ...state, server: event.message })
    case 'refused':
      return isConnected(state) ? enter({ ...emptied(state, event.message), unread: event.unread }, 'refused') : state
    case 'denied':
      return enter(emptied(state, event.message), 'refused')
    case 'compare':
      return isConnected(state) && state.position
        ? { ...state, hasUnreported: { what: 'digest', of: event.message.of } }
        : state
    case 'snapshot':
      return applySnapshot(state, event.message)
    case 'preloaded':
      return state.position || state.phase === 'refused' ? state : withEntities(state, event.message)
    case 'delta':
      return applyDelta(state, event.message)
    case 'synced':
      return applySynced(state, event.message)
  }
}

/** Returns the freshness to show. `Live` requires that connection, subscription and the server's cache are current. */
export function freshnessOf(state: CollectionState<Entity>): FreshnessView {
  const { phase, position, server, offlineSince, error } = state
  const view = { revision: position?.revision, error, apart: server?.apart }
  switch (phase) {
    case 'connecting':
      return { ...view, word: 'Connecting' }
    case 'catching-up':
      return { ...view, word: state.wasComplete === true ? 'Reconnecting' : 'Connecting' }
    case 'live':
      return { ...view, word: 'Live' }
    case 'stale':
      return { word: 'Stale', revision: position?.revision, since: server?.since, error: server?.error }
    case 'offline':
      return { ...view, word: 'Offline', since: offlineSince === undefined ? undefined : formatTime(offlineSince) }
    case 'refused':
      return { ...view, word: 'Refused' }
  }
}

/** Returns true once a snapshot arrived, even if the collection is empty. */
export function isLoaded(state: CollectionState<Entity>): boolean {
  return state.position !== undefined
}

const SUBSCRIPTION: Debt = { what: 'subscription' }

function enter<T extends Entity>(state: CollectionState<T>, trigger: Trigger): CollectionState<T> {
  const phase = TRANSITIONS[state.phase][trigger]
  return phase === state.phase ? state : { ...state, phase }
}

/** Returns the phase for the held entities and the server's freshness. */
function settle<T extends Entity>(state: CollectionState<T>): CollectionState<T> {
  const { server, isComplete } = state
  if (server?.state === 'stale') return enter(state, 'outdated')
  return enter(state, isComplete && server?.state !== 'syncing' ? 'current' : 'behind')
}

const isConnected = ({ phase }: CollectionState<Entity>): boolean => phase !== 'connecting' && phase !== 'offline'

function lostAt({ phase, offlineSince }: CollectionState<Entity>, at: EpochMs): EpochMs | undefined {
  return phase === 'offline' ? offlineSince : at
}

/** Entities that may no longer be viewed are removed. */
function emptied<T extends Entity>(state: CollectionState<T>, error: string): CollectionState<T> {
  return { ...state, entities: new Map(), position: undefined, isComplete: false, hasUnreported: undefined, error }
}

function applySnapshot<T extends Entity>(before: CollectionState<T>, message: SnapshotMessage): CollectionState<T> {
  const state = before.phase === 'refused' ? enter({ ...before, error: undefined }, 'reopened') : before
  if (!isConnected(state) || isBehind(message, state)) return before
  return withEntities(state, message)
}

function withEntities<T extends Entity>(state: CollectionState<T>, message: SnapshotMessage): CollectionState<T> {
  const entities = new Map<string, T>()
  for (const entity of message.entities as T[]) {
    entities.set(entity.id, shareStructure(state.entities.get(entity.id), entity))
  }
  return { ...state, entities, position: positionOf(message) }
}

function applyDelta<T extends Entity>(state: CollectionState<T>, message: DeltaMessage): CollectionState<T> {
  if (!isConnected(state) || state.phase === 'refused' || alreadyHeld(message, state)) return state
  if (!follows(message, state)) return askAgain(state)
  const entities = withoutRemoved(state.entities, message)
  for (const entity of message.changed as T[])
    entities.set(entity.id, shareStructure(state.entities.get(entity.id), entity))
  return { ...state, entities, position: positionOf(message) }
}

function withoutRemoved<T extends Entity>(
  held: ReadonlyMap<string, T>,
  { removed, replaces }: DeltaMessage,
): Map<string, T> {
  const entities = new Map(held)
  for (const id of removed) entities.delete(id)
  if (replaces === undefined) return entities
  const buckets = new Set(replaces.buckets)
  for (const id of held.keys()) if (buckets.has(bucketOf(id, replaces.of))) entities.delete(id)
  return entities
}

function applySynced<T extends Entity>(state: CollectionState<T>, message: SyncedMessage): CollectionState<T> {
  if (!isConnected(state) || state.phase === 'refused' || state.hasUnreported !== undefined) return state
  return alreadyHeld(message, state) ? settle({ ...state, isComplete: true, wasComplete: true }) : askAgain(state)
}

function askAgain<T extends Entity>(state: CollectionState<T>): CollectionState<T> {
  return settle({ ...state, isComplete: false, hasUnreported: SUBSCRIPTION })
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

function follows({ epoch, fromEpoch = epoch, from }: DeltaMessage, { position }: CollectionState<Entity>): boolean {
  return fromEpoch === position?.epoch && from === position.revision
}
