/**
 * The audit log: one line of JSON for each action, also refused and failed ones; an Event on the object of each
 * successful action; and the latest actions of all instances in memory for the Activity page.
 */
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { createHash } from 'node:crypto'
import { isoTime, type Clock, type EpochMs } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import { type ActivityResult, type ActivityView } from '@/lib/view/activity-model'
import type { EventRecorder } from '@/server/kube/events'
import type { Logger } from '@/server/runtime/controller'
import type { Principal } from '../auth/principal'
import type { Audited, Endpoint } from '../http/endpoint'
import type { SharedStore } from '../shared/store'
import { Signal } from '../cache/signal'
import type { AuditedAction, ActionEnd, Audit, AuditDraft, AuditRecord } from './audit'
import type { AuditSink } from './audit-sink'
import { changesBetween } from './changes'
import { COMPONENT, eventAnnotations } from './event-records'

/** Records in memory; older ones are only in the files. */
const AT_HAND = 5000
/** The newest of them, which the live stream shows. */
const LIVE = 200
/** Limit of each text in a line: names and reasons come from callers, and long lines must not push others out. */
const LONGEST = 1000
/** How long closing waits for the last Events to be written. */
const EVENTS_MS = 2000
/** How long the first reader waits for the Events of other instances. */
const LOOK_MS = 2000
/** The result of an action whose end is unknown. */
const INTERRUPTED: ActionEnd = {
  status: 500,
  reason: 'Interrupted',
  outcome: 'unknown',
  detail: message('activity.interrupted'),
}
const CHANNEL = 'audit'
/** Limit of the records in memory that come only from Events, because users may create Events. */
const MAX_REPORTED = 100
const DEFAULT_EVENT = 'ChangedByUser'
const USERS = 'authentication.k8s.io/v1'

export interface AuditLogOptions {
  sink: AuditSink
  clock: Clock
  random: () => number
  log: Logger
  /** Absent: no Events are written. */
  events?: EventRecorder
  /** Absent: this instance is the only one. */
  store?: SharedStore
  atHand?: number
}

/** What is known about an action besides its result. */
interface Begun {
  id: string
  began: EpochMs
  about?: Audited | undefined
  supposed?: Audited['object'] | undefined
  event?: string | undefined
}

/** Opens an audit log with its latest records. Rejects when they cannot be read. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const audit = new AuditLog(options)
  await audit.recall()
  return audit
}

export class AuditLog implements Audit {
  /** Emits the id of each record when it is added and when it leaves the live ones. */
  readonly touched = new Signal()
  readonly #options: AuditLogOptions
  readonly #stop: () => void
  /** By id, oldest first. */
  readonly #records = new Map<string, AuditRecord>()
  readonly #instance: string
  readonly #live = new Set<string>()
  readonly #reported = new Set<string>()
  #checkOthers: (() => Promise<void> | void) | undefined
  #looked: Promise<void> | void = undefined
  #count = 0

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#instance = Math.floor(options.random() * 36 ** 5)
      .toString(36)
      .padStart(5, '0')
    this.#stop = options.store?.subscribe(CHANNEL, (line) => this.#receive(line)) ?? (() => undefined)
  }

  /** Loads the records that the sink kept. */
  async recall(): Promise<void> {
    for await (const line of this.#options.sink.read()) {
      const record = parseRecord(line)
      if (record) this.#take(record)
    }
    for (const line of this.#options.sink.open.left()) {
      const record = parseRecord(line)
      if (record && !this.#records.has(record.id)) this.#keep(record)
    }
  }

  begin(
    { endpoint, address, requestId }: { endpoint: Endpoint; address: string; requestId: string },
    who: Principal,
  ): AuditedAction {
    const { method, path, summary, event } = endpoint
    const what = { address, requestId, who, endpoint: `${method} ${path}`, summary: { code: summary } }
    const begun: Begun = { ...this.#newId(), event }
    let ended = false
    return {
      concerns: (about) => {
        begun.about = { ...begun.about, ...about }
      },
      suppose: (object) => {
        begun.supposed = object
      },
      underway: () => {
        const record = this.#recordOf({ ...what, ...INTERRUPTED }, begun)
        return this.#options.sink.open.begun(record.id, JSON.stringify(record))
      },
      end: (how) => {
        if (ended) return
        ended = true
        this.#write({ ...what, ...how }, begun)
      },
    }
  }

  record(draft: AuditDraft): void {
    this.#write(draft, this.#newId())
  }

  get(id: string): AuditRecord | undefined {
    return this.#records.get(id)
  }

  /**
   * Registers the function for the first read of a user: `report` may be called from then on. The function resolves
   * when all known actions are reported.
   */
  onFirstLook(start: () => Promise<void> | void): void {
    this.#checkOthers = start
  }

  /**
   * Resolves when the actions of other instances are loaded, or after a timeout, so that an empty list is not shown too
   * early.
   */
  async whenLooked(): Promise<void> {
    this.#look()
    const late = Promise.withResolvers<void>()
    const stop = this.#options.clock.after(LOOK_MS, late.resolve)
    await Promise.race([this.#looked, late.promise])
    stop()
  }

  /** Adds an action of another instance that is known only from an Event. It is shown and not written. */
  report(record: AuditRecord): void {
    if (this.#records.has(record.id)) return
    this.#reported.add(record.id)
    this.#take(record)
    if (this.#reported.size > MAX_REPORTED) this.#dropFirst(this.#reported, (id) => this.#forget(id))
  }

  /** Returns the records in memory, latest first. */
  latest(): AuditRecord[] {
    this.#look()
    return [...this.#records.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  /** Returns the ids of the records that the live stream shows. */
  liveIds(): string[] {
    this.#look()
    return [...this.#live]
  }

  /** Returns one record that the live stream shows. */
  live(id: string): AuditRecord | undefined {
    return this.#live.has(id) ? this.#records.get(id) : undefined
  }

  /** Closes the log; waits briefly for Events that are not written yet. */
  async close(): Promise<void> {
    const { clock, events, sink } = this.#options
    this.#stop()
    const late = Promise.withResolvers<void>()
    const stop = clock.after(EVENTS_MS, late.resolve)
    await Promise.race([events?.flush(), late.promise])
    stop()
    await sink.close()
  }

  #look(): void {
    const start = this.#checkOthers
    this.#checkOthers = undefined
    if (start) this.#looked = start()
  }

  #forget(id: string): void {
    this.#reported.delete(id)
    this.#records.delete(id)
    this.#live.delete(id)
  }

  #newId(): Pick<Begun, 'id' | 'began'> {
    const began = this.#options.clock.now()
    this.#count += 1
    return { id: `${isoTime(began)}-${this.#instance}-${this.#count.toString(36)}`, began }
  }

  #keep(record: AuditRecord): void {
    this.#options.sink.append(JSON.stringify(record))
    this.#take(record)
    this.#publish(record)
  }

  #write(draft: AuditDraft, more: Begun): void {
    const record = this.#recordOf(draft, more)
    this.#keep(record)
    this.#options.sink.open.ended(record.id)
    if (record.result === 'accepted' && record.object)
      this.#recordObjectEvent(record, record.object, more.event ?? DEFAULT_EVENT)
  }

  #recordOf(
    { address, requestId, who, endpoint, summary, ...how }: AuditDraft,
    { id, began, about, supposed }: Begun,
  ): AuditRecord {
    const object = about?.object ?? how.written?.[0] ?? supposed
    return {
      id,
      at: isoTime(began),
      user: clipped(who.identity.user),
      key: who.key,
      groups: who.identity.groups,
      via: who.via,
      ...(who.session && { session: digest(who.session.id) }),
      ...(address !== '' && { address }),
      endpoint,
      summary: about?.summary ?? summary,
      ...(object && { object: { ...object, name: clipped(object.name) } }),
      changes: about ? changesBetween(about.before, about.after) : [],
      result: resultOf(how),
      status: how.status,
      ...(how.reason !== undefined && { reason: how.reason }),
      ...(how.detail !== undefined && { detail: typeof how.detail === 'string' ? clipped(how.detail) : how.detail }),
      requestId,
      durationMs: Math.round(this.#options.clock.now() - began),
    }
  }

  #take(record: AuditRecord): void {
    const known = this.#records.get(record.id)
    if (known && !known.reported) return
    if (known) this.#reported.delete(record.id)
    this.#records.set(record.id, record)
    this.#live.add(record.id)
    if (this.#records.size > (this.#options.atHand ?? AT_HAND)) {
      this.#dropFirst(this.#records.keys(), (id) => this.#records.delete(id))
    }
    if (this.#live.size > LIVE) this.#dropFirst(this.#live.keys(), (id) => this.#live.delete(id))
    this.touched.emit(record.id)
  }

  #dropFirst(ids: Iterable<string>, drop: (id: string) => void): void {
    const [oldest] = ids
    if (oldest === undefined) return
    drop(oldest)
    this.touched.emit(oldest)
  }

  /**
   * Sends the record to the other instances. If the message is lost, they do not show it; the file of this instance
   * still has it.
   */
  #publish(record: AuditRecord): void {
    this.#options.store?.publish(CHANNEL, JSON.stringify(record)).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'failed to publish an action to other instances')
    })
  }

  #receive(line: string): void {
    const record = parseRecord(line)
    if (record) this.#take(record)
  }

  #recordObjectEvent(record: AuditRecord, regarding: Audited['object'], reason: string): void {
    // A user is not an object of the API, so no Event can be attached.
    if (regarding.apiVersion === USERS) return
    const { user, summary } = record
    this.#options.events?.record({
      component: COMPONENT,
      type: 'Normal',
      reason,
      regarding,
      annotations: eventAnnotations(record),
      message:
        user === ''
          ? english('activity.event.byConsole', { summary })
          : english('activity.event.byUser', { summary, user }),
    })
  }
}

/** Returns the part of a record that is shown to all users who may see the record. */
export function activityOf(record: AuditRecord): ActivityView {
  return omit(record, 'key', 'groups', 'session', 'address')
}

/** The answer of an API server may lack even a name; the record is still written. */
const clipped = <T extends string | undefined>(text: T): T =>
  text === undefined || text.length <= LONGEST ? text : (`${text.slice(0, LONGEST)}…` as T)

function resultOf({ status, outcome }: ActionEnd): ActivityResult {
  if (status < 400) return 'accepted'
  if (outcome === 'unknown') return 'unknown'
  return status < 500 ? 'refused' : 'failed'
}

function parseRecord(line: string): AuditRecord | undefined {
  try {
    const value = JSON.parse(line) as Partial<AuditRecord> | null
    return typeof value?.id === 'string' && typeof value.user === 'string' && Array.isArray(value.changes)
      ? (value as AuditRecord)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)
