/** Watches: history first, then what happens, until the timeout, the client or the server ends it. */
import { KubeError, type Status, type StatusCause } from '@/lib/kube/errors'
import type { Ask } from '../api'
import type { Sink, Stream, WatchedObject } from '../call'
import { PROTOBUF } from '../body'
import { badRequest, expired, invalidOptions } from '../failures'
import { untilReached } from '../fresh'
import { booleanOf, integerOf, versionOf } from '../query'
import { type Selection, selectionOf } from '../registry/selection'
import { RevisionCompacted } from '../store/errors'
import type { Resource } from '../registry/resource'
import type { Target } from '../route'
import type { Bucket, Entry, StoreEvent } from '../store/store'
import type { Lines, View } from '../views/form'
import { objectLines } from '../views/object-lines'
import { notStreamable, preferredType, YAML } from '../views/accept'
import { viewOf } from '../views/view'
import { openChannel } from '../watch/channel'
import { type FramedLines, frameOf, protobufLines } from '../views/protobuf-lines'
import { batchBytes, batchLines, linesOf } from '../watch/lines'

/**
 * Minimum duration of a stream unless the client requests less. A random part is added, so that streams do not all end
 * simultaneously.
 */
const MIN_TIMEOUT_SECONDS = 1800

interface WatchRequest {
  /** Events after this revision; undefined begins with the current state. */
  since: number | undefined
  /** A bookmark marks the end of the initial state. */
  marksInitialEnd: boolean
  bookmarks: boolean
  timeoutMs: number
}

export async function watch(ask: Ask): Promise<Stream> {
  const view = viewOf(ask)
  const { query } = ask.call
  integerOf(query, 'timeoutSeconds')
  const selection = selectionOf(ask.resource, query, () => refuseBadOptions(query))
  const wanted = readRequest(ask)
  if (preferredType(ask.call.headers.accept) === YAML) throw notStreamable()
  const refused = await notReached(ask, wanted)
  const session = { ask, selection, wanted, refused }
  const bytes = protobufLines(ask)
  return {
    type: bytes ? `${PROTOBUF};stream=watch` : view.streamType,
    start: (sink) => (bytes ? run(session, asBytes(bytes), sink) : run(session, asText(view), sink)),
    follow: (sink) => run(session, asObjects(objectLines(ask.resource)), sink),
  }
}

/**
 * Initial events require the requested version: the watch begins and ends with the refusal. Other watches just
 * continue.
 */
async function notReached({ api, call }: Ask, { since }: WatchRequest): Promise<Status | undefined> {
  if (since !== undefined) {
    await api.store.settled()
    return undefined
  }
  try {
    await untilReached(api.store, api.clock, versionOf(call.query))
    return undefined
  } catch (error) {
    if (error instanceof KubeError) return error.status
    throw error
  }
}

interface Session {
  ask: Ask
  /** Why the watch ends at once. */
  refused: Status | undefined
  selection: Selection
  wanted: WatchRequest
}

/** How a stream is put. */
interface Form<Line, Chunk> {
  lines: Lines<Line>
  join(lines: Line[]): Chunk
  /** The events for a watcher of the keys under `prefix`, for a batch. */
  batch(selection: Selection, prefix: string, events: readonly StoreEvent[]): Chunk
  error(refusal: Status): Line
}

function asText(view: View): Form<string, string | Uint8Array> {
  return {
    lines: view,
    join: (lines) => lines.join(''),
    batch: (selection, prefix, events) => batchLines(view, selection, prefix, events),
    error: (refusal) => `${JSON.stringify({ type: 'ERROR', object: refusal })}\n`,
  }
}

function asBytes(lines: FramedLines): Form<Buffer, Uint8Array> {
  return {
    lines,
    join: (all) => (all.length === 1 ? all[0]! : Buffer.concat(all)),
    batch: (selection, prefix, events) => batchBytes(lines, selection, prefix, events),
    error: (refusal) => frameOf({ type: 'ERROR', object: refusal, size: 0 }),
  }
}

function asObjects(lines: Lines<WatchedObject>): Form<WatchedObject, readonly WatchedObject[]> {
  return {
    lines,
    join: (all) => all,
    batch: (selection, prefix, events) => linesOf(lines, selection, prefix, events),
    error: (refusal) => ({ type: 'ERROR', object: refusal, size: 0 }),
  }
}

function run<Line, Chunk extends { readonly length: number }>(
  session: Session,
  form: Form<Line, Chunk>,
  sink: Sink<Chunk>,
): void {
  const {
    ask: { api, keyspace, resource, target },
    selection,
    wanted,
  } = session
  const bucket: Bucket = { keyspace: keyspace.name, resource: resource.id }
  const initial = session.refused ? { refusal: session.refused } : initialLines(session, form.lines, bucket)
  if ('refusal' in initial) {
    sink.write(form.join([form.error(initial.refusal)]))
    sink.end()
    return
  }
  const prefix = prefixOf(target)
  const channel = openChannel(sink, { clock: api.clock, timeoutMs: wanted.timeoutMs })
  channel.send(form.join(initial.lines))
  const bookmark = wanted.bookmarks ? () => form.join([form.lines.bookmark(api.store.revision, false)]) : undefined
  const leave = api.hub.add(bucket, {
    deliver: converting(resource, channel.end, (events) =>
      channel.send(form.batch(selection, prefix, after(wanted.since, events))),
    ),
    end: channel.end,
  })
  channel.keepAlive(bookmark)
  sink.onClose(() => {
    leave()
    channel.close()
  })
}

/** A watch from a future version omits earlier events. */
function after(since: number | undefined, events: readonly StoreEvent[]): readonly StoreEvent[] {
  const [first] = events
  return since === undefined || !first || first.revision > since
    ? events
    : events.filter(({ revision }) => revision > since)
}

type Deliver = (events: readonly StoreEvent[]) => void

/** With a conversion webhook, events wait for it, in order; a watch that cannot continue ends. */
function converting({ prepare }: Resource, end: () => void, deliver: Deliver): Deliver {
  if (!prepare) return deliver
  let last = Promise.resolve()
  return (events) => {
    const entries = events.flatMap(({ entry, previous }) => (previous ? [entry, previous] : [entry]))
    last = last
      .then(() => prepare(entries))
      .then(() => deliver(events))
      .catch(end)
  }
}

const prefixOf = ({ namespace }: Target): string => (namespace === undefined ? '' : `${namespace}/`)

function initialLines<Line>(
  { ask, selection, wanted }: Session,
  form: Lines<Line>,
  bucket: Bucket,
): { lines: Line[] } | { refusal: Status } {
  const {
    api: { store },
    target,
  } = ask
  if (wanted.since !== undefined) {
    try {
      return { lines: linesOf(form, selection, prefixOf(target), store.since(bucket, wanted.since)) }
    } catch (error) {
      if (error instanceof RevisionCompacted) return { refusal: expired(error.message).status }
      throw error
    }
  }
  const present = store.list(bucket, { namespace: target.namespace })
  const lines = selection.filter(present).map((entry: Entry) => form.event('ADDED', entry))
  if (wanted.marksInitialEnd) lines.push(form.bookmark(store.revision, true))
  return { lines }
}

function readRequest({ call: { query }, api }: Ask): WatchRequest {
  const bookmarks = booleanOf(query, 'allowWatchBookmarks') === true
  const version = readVersion(query)
  const { initial } = initialEventsOf(query)
  const seconds = integerOf(query, 'timeoutSeconds') || MIN_TIMEOUT_SECONDS * (1 + api.random())
  return {
    since: initial === true ? undefined : version || (initial === false ? api.store.revision : undefined),
    marksInitialEnd: bookmarks && initial === true,
    bookmarks,
    timeoutMs: seconds * 1000,
  }
}

interface InitialEvents {
  initial: boolean | undefined
  match: string
}

/** Returns whether a watch sends initial events. A watch from the current state sends them by default. */
function initialEventsOf(query: URLSearchParams): InitialEvents {
  const initial = booleanOf(query, 'sendInitialEvents')
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  if (initial === undefined && match === '' && /^0*$/.test(version)) return { initial: true, match: NOT_OLDER }
  return { initial, match }
}

function readVersion(query: URLSearchParams): number | undefined {
  const version = versionOf(query)
  if (version !== undefined && !Number.isSafeInteger(version)) {
    throw badRequest('Invalid value: resourceVersion is out of range')
  }
  return version
}

function refuseBadOptions(query: URLSearchParams): void {
  const { initial, match } = initialEventsOf(query)
  const field = 'resourceVersionMatch'
  const causes: StatusCause[] = []
  const forbid = (message: string): void => {
    causes.push({ reason: 'FieldValueForbidden', message: `Forbidden: ${message}`, field })
  }
  if (initial !== undefined && match !== NOT_OLDER)
    forbid(`sendInitialEvents requires setting ${field} to ${NOT_OLDER}`)
  if (match) {
    if (initial === undefined) forbid(`${field} is forbidden for watch unless sendInitialEvents is provided`)
    if (match !== NOT_OLDER) {
      const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "${NOT_OLDER}"`
      causes.push({ reason: 'FieldValueNotSupported', message, field })
    }
    if (query.get('continue')) forbid(`${field} is forbidden when continue is provided`)
  }
  if (causes.length > 0) throw invalidOptions('ListOptions', causes)
}

const NOT_OLDER = 'NotOlderThan'
