/**
 * The client's side of the live protocol (./live) as a pure state machine: one state per topic, one reducer, and one
 * table that says for every phase and every trigger what follows.
 *
 *   connecting ──connected──► catching-up ◄──────► live
 *       │                        ▲   ▲               ▲
 *       └──lost──► offline ──────┘   └───► stale ◄───┘
 *   refused: by the server, for the topic or at the door; a new connection, or a snapshot after all, ends it.
 *
 * How to drive it, for each topic: feed every socket event through `reduceCollection`; whenever the state `owes` the
 * server something, emit what `owedBy(topic, state)` says and feed `{ type: 'paid' }`. Nothing else is needed: what was
 * held stays on screen while offline or catching up, and `freshnessOf` says how current it is.
 *
 * Invariants, for every interleaving of snapshots, deltas, lost connections, changed rights and server restarts:
 * the held collection is always one that a server had; within an epoch it never goes back; once `live`, it is the
 * server's collection at `position`. An entity that did not change is the same object as before.
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
import { shareStructure } from './share-structure'
import type { UnreadKind } from './unread'

/** Anything that a topic may hold. */
export interface Entity {
  id: string
}

export const PHASES = ['connecting', 'catching-up', 'live', 'stale', 'offline', 'refused'] as const

/**
 * `connecting`: nothing was reached yet. `catching-up`: connected, and not known to have everything. `live`: has
 * everything. `stale`: connected to a server whose own copy is old. `offline`: the connection was lost. `refused`: the
 * server does not show this.
 */
export type Phase = (typeof PHASES)[number]

/** What an event comes down to. */
export type Trigger =
  | 'connected'
  | 'lost'
  /** The topic is not shown. */
  | 'refused'
  /** The server shows it after all. */
  | 'reopened'
  /** Something is missing here; everything is here; the server itself lacks something. */
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

/** Without a connection nothing that arrives late counts. */
const unconnected = (phase: Phase): Readonly<Record<Trigger, Phase>> => ({
  connected: 'catching-up',
  lost: 'offline',
  refused: 'refused',
  reopened: phase,
  behind: phase,
  current: phase,
  outdated: phase,
})

/** For every phase and every trigger: the next phase. */
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Record<Trigger, Phase>>>> = {
  connecting: unconnected('connecting'),
  'catching-up': CONNECTED,
  live: CONNECTED,
  stale: CONNECTED,
  offline: unconnected('offline'),
  refused: { ...unconnected('refused'), reopened: 'catching-up' },
}

/** What is to be sent to the server. */
type Debt = { what: 'subscription' } | { what: 'digest'; of: number }

/** What a client holds of one topic. Immutable. */
export interface CollectionState<T extends Entity> {
  readonly phase: Phase
  /** Where the held entities stand; absent until the first snapshot, which is what tells "empty" from "not loaded". */
  readonly position?: Position | undefined
  readonly entities: ReadonlyMap<string, T>
  /** The server said that nothing is missing, and nothing since then says otherwise. */
  readonly isComplete: boolean
  readonly owes?: Debt | undefined
  /** What the server last said of its own copy of the control plane. */
  readonly server?: FreshnessMessage | undefined
  /** When the connection was lost; in phase `offline` only, and only if there ever was one. */
  readonly offlineSince?: EpochMs | undefined
  /** Why the topic is refused, or why there is no connection. */
  readonly error?: string | undefined
  /** Kinds that the topic would show, and that are not read. */
  readonly unread?: readonly UnreadKind[] | undefined
}

export type CollectionEvent =
  | { type: 'connected' }
  | { type: 'disconnected'; at: EpochMs; error?: string }
  /** What was owed is on its way. */
  | { type: 'paid' }
  /** The page does not follow the topic for now, and follows it again. */
  | { type: 'parked' }
  | { type: 'resumed' }
  | { type: 'snapshot'; message: SnapshotMessage }
  | { type: 'delta'; message: DeltaMessage }
  | { type: 'synced'; message: SyncedMessage }
  | { type: 'compare'; message: CompareMessage }
  | { type: 'freshness'; message: FreshnessMessage }
  | { type: 'unread'; unread: readonly UnreadKind[] }
  | { type: 'refused'; message: string; unread?: readonly UnreadKind[] | undefined }
  /** Not even let in. */
  | { type: 'denied'; message: string }

/** How current the held collection is, as the freshness chip says it. */
export interface FreshnessView {
  word: 'Connecting' | 'Live' | 'Reconnecting' | 'Stale' | 'Offline' | 'Refused'
  revision?: number | undefined
  /** RFC 3339; with `Stale` and `Offline`, since when. */
  since?: string | undefined
  error?: string | undefined
  /** Since when the instance of the console that is shown cannot talk to the others, RFC 3339. */
  apart?: string | undefined
}

/** Nothing held, no connection. */
export function initialCollection<T extends Entity>(): CollectionState<T> {
  return { phase: 'connecting', entities: new Map(), isComplete: false }
}

/** The message that a state owes the server; undefined when it owes none. */
export function owedBy(topic: string, { owes, position, entities }: CollectionState<Entity>): Owed | undefined {
  if (owes === undefined) return undefined
  if (owes.what === 'digest' && position) {
    return {
      event: 'digest',
      message: { topic, since: position, of: owes.of, hashes: digestOf(entities.values(), owes.of) },
    }
  }
  return { event: 'subscribe', message: { topic, ...(position && { since: position }) } }
}

export type Owed = { [E in 'subscribe' | 'digest']: { event: E; message: Parameters<ClientToServer[E]>[0] } }[
  | 'subscribe'
  | 'digest']

/** The state after an event; the same object when the event changes nothing. Never throws. */
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
          owes: SUBSCRIPTION,
          server: undefined,
          error: undefined,
          unread: undefined,
          offlineSince: undefined,
        },
        'connected',
      )
    case 'disconnected':
      return enter(
        { ...state, isComplete: false, owes: undefined, offlineSince: lostAt(state, event.at), error: event.error },
        'lost',
      )
    case 'paid':
      return state.owes === undefined ? state : { ...state, owes: undefined }
    case 'parked':
      return isConnected(state) ? settle({ ...state, isComplete: false, owes: undefined }) : state
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
      return isConnected(state) && state.position ? { ...state, owes: { what: 'digest', of: event.message.of } } : state
    case 'snapshot':
      return applySnapshot(state, event.message)
    case 'delta':
      return applyDelta(state, event.message)
    case 'synced':
      return applySynced(state, event.message)
  }
}

/** The freshness to show. `Live` only when the connection, the subscription and the server's own copy all are. */
export function freshnessOf(state: CollectionState<Entity>): FreshnessView {
  const { phase, position, server, offlineSince, error } = state
  const view = { revision: position?.revision, error, apart: server?.apart }
  switch (phase) {
    case 'connecting':
      return { ...view, word: 'Connecting' }
    case 'catching-up':
      return { ...view, word: 'Reconnecting' }
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

/** True once something arrived, even if the collection is empty. */
export function isLoaded(state: CollectionState<Entity>): boolean {
  return state.position !== undefined
}

const SUBSCRIPTION: Debt = { what: 'subscription' }

function enter<T extends Entity>(state: CollectionState<T>, trigger: Trigger): CollectionState<T> {
  const phase = TRANSITIONS[state.phase][trigger]
  return phase === state.phase ? state : { ...state, phase }
}

/** The phase that follows from what is held and from what the server says of itself. */
function settle<T extends Entity>(state: CollectionState<T>): CollectionState<T> {
  const { server, isComplete } = state
  if (server?.state === 'stale') return enter(state, 'outdated')
  return enter(state, isComplete && server?.state !== 'syncing' ? 'current' : 'behind')
}

const isConnected = ({ phase }: CollectionState<Entity>): boolean => phase !== 'connecting' && phase !== 'offline'

function lostAt({ phase, offlineSince }: CollectionState<Entity>, at: EpochMs): EpochMs | undefined {
  return phase === 'offline' ? offlineSince : at
}

/** What may not be seen any more is not kept either. */
function emptied<T extends Entity>(state: CollectionState<T>, error: string): CollectionState<T> {
  return { ...state, entities: new Map(), position: undefined, isComplete: false, owes: undefined, error }
}

function applySnapshot<T extends Entity>(before: CollectionState<T>, message: SnapshotMessage): CollectionState<T> {
  const state = before.phase === 'refused' ? enter({ ...before, error: undefined }, 'reopened') : before
  if (!isConnected(state) || isBehind(message, state)) return before
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
  if (!isConnected(state) || state.phase === 'refused' || state.owes !== undefined) return state
  return alreadyHeld(message, state) ? settle({ ...state, isComplete: true }) : askAgain(state)
}

function askAgain<T extends Entity>(state: CollectionState<T>): CollectionState<T> {
  return settle({ ...state, isComplete: false, owes: SUBSCRIPTION })
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
