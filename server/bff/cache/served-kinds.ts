/**
 * Tracks which kinds the control plane serves and lets the console list: checked at the start, again when the definition
 * of a missing kind is installed, and increasingly seldom while some are missing.
 */
import { isUnreachable, KubeError, kubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import { english } from '@/lib/messages/english'
import { type Message, message } from '@/lib/messages/message'
import type { Clock, Stop } from '@/lib/std/clock'
import type { AboutView } from '@/lib/view/model'
import type { UnreadReason } from '@/lib/view/unread'
import type { KubeClient } from '@/server/kube/client'
import { connectionFault, isOfCertificate } from './connection-faults'
import type { WatchDefinition } from './definition-watch'

/** Why the console can read nothing of a kind. */
export type ConsoleUnread = Exclude<UnreadReason, 'NoPermission'>

/** Input of the caches about the control plane. */
export interface ServedKinds {
  /** Reports whether the kind could be listed and watched at the last check. */
  readable(kind: Kind): boolean
  /** Why it is not readable. */
  whyUnread(kind: Kind): ConsoleUnread | undefined
  /** Called with each kind that can be read now and could not before, or the other way round, or for another reason. */
  onChange(handler: (kind: Kind) => void): Stop
  /** Checks whether a readable kind is gone, after the server answered 404 for it. */
  doubt(kind: Kind): void
}

/** For the embedded control plane, which always serves all kinds. */
export const allServed: ServedKinds = {
  readable: () => true,
  whyUnread: () => undefined,
  onChange: () => () => undefined,
  doubt: () => undefined,
}

/** Definitions are served some time after they are installed. */
const EAGER_FOR_MS = 60_000
const EAGER_EVERY_MS = 3_000
/** Then the time between two checks doubles, from the first to the last of these. */
const EVERY_MS = 15_000
const SELDOM_MS = 120_000
/** While installations are watched, for kinds that come in another way: from an aggregated API server. */
const WATCHED_MS = 600_000

interface Options {
  client: Asked
  clock: Clock
  kinds: readonly Kind[]
  /** Absent: installations are found by the next check only. */
  watchDefinition?: WatchDefinition
}

/** Follows which of the kinds are readable until it is stopped. */
export class FollowedKinds implements ServedKinds {
  /** Of the kinds that cannot be read, by resource. */
  readonly #unread = new Map<string, ConsoleUnread>()
  readonly #handlers = new Set<(kind: Kind) => void>()
  /** Of the kinds that are not served, by resource. */
  readonly #watches = new Map<string, { stop: Stop; isWatched: boolean }>()
  /** A definition was installed, so that its kind is about to be served. */
  #eagerUntil = -Infinity
  /** Without watches, definitions are often installed soon after the start. */
  readonly #newUntil: number
  #everyMs = EVERY_MS
  #looking: Promise<void> | undefined
  #next: Stop = () => undefined
  #stopped = false

  private constructor(
    private readonly options: Options,
    found: readonly Finding[],
  ) {
    for (const [index, kind] of options.kinds.entries()) this.#note(kind, found[index]!)
    this.#newUntil = options.clock.elapsed() + EAGER_FOR_MS
    this.#watchMissing()
    this.#lookLater()
  }

  /**
   * Checks the kinds; call it before the caches are created. Rejects when the API server does not answer, because
   * nothing is known then.
   */
  static async open(options: Options): Promise<FollowedKinds> {
    const found = await inspectKinds(options.client, options.kinds)
    if (found.some(({ view }) => isNoAnswer(view))) {
      // Rejects with the actual error, because the notes are texts for users.
      const [first] = options.kinds
      if (first) await options.client.list(first, { limit: 1 })
      throw kubeError(0, 'Unreachable', english.of(UNREACHABLE))
    }
    return new FollowedKinds(options, found)
  }

  readable(kind: Kind): boolean {
    return !this.#unread.has(resourceName(kind))
  }

  whyUnread(kind: Kind): ConsoleUnread | undefined {
    return this.#unread.get(resourceName(kind))
  }

  onChange(handler: (kind: Kind) => void): Stop {
    const own = (kind: Kind): void => handler(kind)
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  doubt(kind: Kind): void {
    void isAbsent(this.options.client, kind).then((absent) => {
      if (!absent || this.#stopped || !this.readable(kind)) return
      this.#unread.set(resourceName(kind), 'NotServed')
      this.#notify(kind)
      this.#watchMissing()
      this.#lookLater()
    })
  }

  /** Checks for missing kinds at once, after a definition was installed. Resolves when the results are there. */
  look(): Promise<void> {
    this.#eagerUntil = this.options.clock.elapsed() + EAGER_FOR_MS
    this.#everyMs = EVERY_MS
    return this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#next()
    for (const { stop } of this.#watches.values()) stop()
    this.#handlers.clear()
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
      this.#lookLater()
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const missing = this.options.kinds.filter((kind) => !this.readable(kind))
    const found = await inspectKinds(this.options.client, missing)
    if (this.#stopped) return
    const changed = missing.filter((kind, index) => this.#note(kind, found[index]!))
    for (const kind of changed) this.#notify(kind)
    this.#watchMissing()
  }

  /** Watches the definitions of exactly the kinds that are not served. */
  #watchMissing(): void {
    const { kinds, watchDefinition } = this.options
    if (!watchDefinition || this.#stopped) return
    for (const kind of kinds) {
      const name = resourceName(kind)
      const isMissing = this.whyUnread(kind) === 'NotServed'
      const known = this.#watches.get(name)
      if (isMissing && !known) {
        const watch = { stop: (): void => undefined, isWatched: false }
        this.#watches.set(name, watch)
        watch.stop = watchDefinition(kind, {
          onDefinition: () => void this.look(),
          onWatched: (isWatched) => void (watch.isWatched = isWatched),
        })
      } else if (known && !isMissing) {
        known.stop()
        this.#watches.delete(name)
      }
    }
  }

  /** Returns whether that is new. A server that does not answer takes nothing back. */
  #note(kind: Kind, { unread, view }: Finding): boolean {
    const name = resourceName(kind)
    const before = this.#unread.get(name)
    if (before === unread || (before !== undefined && isNoAnswer(view))) return false
    if (unread === undefined) this.#unread.delete(name)
    else this.#unread.set(name, unread)
    return true
  }

  #lookLater(): void {
    this.#next()
    const missing = this.options.kinds.filter((kind) => !this.readable(kind))
    if (this.#stopped || missing.length === 0) return
    const isWatched = missing.every((kind) => this.#watches.get(resourceName(kind))?.isWatched === true)
    const now = this.options.clock.elapsed()
    if (now < this.#eagerUntil || (!isWatched && now < this.#newUntil)) {
      this.#next = this.options.clock.after(EAGER_EVERY_MS, () => void this.#look())
      return
    }
    this.#next = this.options.clock.after(isWatched ? WATCHED_MS : this.#everyMs, () => void this.#look())
    this.#everyMs = Math.min(this.#everyMs * 2, SELDOM_MS)
  }

  #notify(kind: Kind): void {
    for (const handler of this.#handlers) handler(kind)
  }
}

type KindView = AboutView['kinds'][number]
type Asked = Pick<KubeClient, 'list' | 'raw'>

const UNREACHABLE = message('controlPlane.noAnswer')
const NOT_ACCEPTED = message('controlPlane.certificateNotAccepted')

const isNoAnswer = ({ unknown }: KindView): boolean => unknown === true

const withUnknown = (view: KindView): KindView =>
  view.note === UNREACHABLE || view.note === NOT_ACCEPTED ? { ...view, unknown: true } : view

/** Describes how far this client can read each of the kinds. Never rejects: failures are in the notes. */
export async function describeKinds(client: Asked, kinds: readonly Kind[]): Promise<KindView[]> {
  return (await inspectKinds(client, kinds)).map(({ view }) => view)
}

/** What was found out of a kind; without `unread` it can be read. */
interface Finding {
  view: KindView
  unread?: ConsoleUnread
}

async function inspectKinds(client: Asked, kinds: readonly Kind[]): Promise<Finding[]> {
  const asked = new Map<string, ReturnType<typeof readVersion>>()
  const resourcesOf = (kind: Kind): ReturnType<typeof readVersion> => {
    const version = apiVersionOf(kind)
    const answer = asked.get(version) ?? readVersion(client, kind)
    asked.set(version, answer)
    return answer
  }
  return Promise.all(kinds.map(async (kind) => inspectKind(client, kind, await resourcesOf(kind))))
}

async function inspectKind(client: Asked, kind: Kind, answer: VersionAnswer): Promise<Finding> {
  const description = { kind: kind.kind, resource: resourceName(kind) }
  const absence = absenceIn(answer, kind)
  if (absence) {
    const { note, unread } = absence
    return { view: withUnknown({ ...description, served: false, readable: false, note }), unread }
  }
  try {
    await client.list(kind, { limit: 1 })
    return { view: { ...description, served: true, readable: true } }
  } catch (error) {
    const view = withUnknown({ ...description, served: true, readable: false, note: noteOf(error) })
    return { view, unread: reasonOf(error) }
  }
}

function reasonOf(error: unknown): ConsoleUnread {
  const code = error instanceof KubeError ? error.code : 0
  if (code === 404) return 'NotServed'
  return code === 401 || code === 403 ? 'ConsoleHasNoPermission' : 'NotKnown'
}

/** Why the kind counts as absent; undefined if it is there, or only trying to list can tell. */
function absenceIn(answer: VersionAnswer, kind: Kind): { note: Message | string; unread: ConsoleUnread } | undefined {
  if ('error' in answer) return { note: noteOf(answer.error), unread: 'NotKnown' }
  const { status, names } = answer
  // Without the right to discover, the list is asked for anyway.
  if (names?.includes(kind.plural) || status === 401 || status === 403) return undefined
  const apiVersion = apiVersionOf(kind)
  if (status === 200 || status === 404)
    return { note: message('controlPlane.groupNotServed', { apiVersion }), unread: 'NotServed' }
  return { note: message('controlPlane.groupFailed', { apiVersion, status: String(status) }), unread: 'NotKnown' }
}

/** The resources of a version according to discovery. */
type VersionAnswer = { status: number; names?: readonly string[] } | { error: unknown }

async function readVersion(client: Asked, kind: Kind): Promise<VersionAnswer> {
  try {
    const { status, body } = await client.raw('GET', `${kind.group ? '/apis' : '/api'}/${apiVersionOf(kind)}`)
    const { resources } = (status === 200 ? body : {}) as { resources?: { name: string }[] }
    return { status, ...(resources && { names: resources.map(({ name }) => name) }) }
  } catch (error) {
    return { error }
  }
}

/**
 * Returns true only if the server itself reports the kind as absent: a proxy in front of it may answer 404 for
 * everything. Never rejects.
 */
async function isAbsent(client: Asked, kind: Kind): Promise<boolean> {
  const groups = await client.raw('GET', '/apis').catch(() => undefined)
  const named = groups?.status === 200 ? (groups.body as { groups?: { name: string }[] }).groups : undefined
  if (named === undefined || named.length === 0) return false
  if (kind.group !== '' && !named.some(({ name }) => name === kind.group)) return true
  const answer = await readVersion(client, kind)
  return 'names' in answer && answer.names !== undefined && !answer.names.includes(kind.plural)
}

function noteOf(error: unknown): Message | string {
  if (isUnreachable(error)) return isOfCertificate(connectionFault(error).problem) ? NOT_ACCEPTED : UNREACHABLE
  return error instanceof Error ? error.message : String(error)
}
