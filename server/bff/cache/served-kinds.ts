/** Which kinds the control plane serves and lets the console list: asked at the start, and again while some are missing. */
import { isUnreachable, kubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import { english } from '@/lib/messages/english'
import { type Message, message } from '@/lib/messages/message'
import type { Clock, Stop } from '@/lib/std/clock'
import type { AboutView } from '@/lib/view/model'
import type { KubeClient } from '@/server/kube/client'

/** What the caches need to know of the control plane. */
export interface ServedKinds {
  /** Reports whether the kind can be listed and watched, as far as was found out last. */
  readable(kind: Kind): boolean
  /** Called with each kind that can be read now and could not before, or the other way round. */
  onChange(handler: (kind: Kind) => void): Stop
  /** The server answered 404 for a kind that could be read: finds out whether it is gone. */
  doubt(kind: Kind): void
}

/** The embedded control plane: it serves all kinds at all times. */
export const allServed: ServedKinds = { readable: () => true, onChange: () => () => undefined, doubt: () => undefined }

/** Definitions are often installed soon after the start, or by it. */
const EAGER_FOR_MS = 60_000
const EAGER_EVERY_MS = 3_000
const EVERY_MS = 15_000

/** Which of the kinds can be read here, followed until stopped. */
export class FollowedKinds implements ServedKinds {
  readonly #readable: Set<string>
  readonly #handlers = new Set<(kind: Kind) => void>()
  #eagerUntil: number
  #looking: Promise<void> | undefined
  #next: Stop = () => undefined
  #stopped = false

  private constructor(
    private readonly options: { client: Asked; clock: Clock; kinds: readonly Kind[] },
    readable: readonly Kind[],
  ) {
    this.#readable = new Set(readable.map(resourceName))
    this.#eagerUntil = options.clock.elapsed() + EAGER_FOR_MS
    this.#lookLater()
  }

  /** Ask before the caches are made. Rejects when the API server does not answer, for then nothing is known. */
  static async open(options: { client: Asked; clock: Clock; kinds: readonly Kind[] }): Promise<FollowedKinds> {
    const described = await describeKinds(options.client, options.kinds)
    if (described.some(({ note }) => note === UNREACHABLE)) {
      // Rejects with what is wrong: the notes are texts for users.
      const [first] = options.kinds
      if (first) await options.client.list(first, { limit: 1 })
      throw kubeError(0, 'Unreachable', english.of(UNREACHABLE))
    }
    return new FollowedKinds(
      options,
      options.kinds.filter((_, index) => described[index]!.readable),
    )
  }

  readable(kind: Kind): boolean {
    return this.#readable.has(resourceName(kind))
  }

  onChange(handler: (kind: Kind) => void): Stop {
    const own = (kind: Kind): void => handler(kind)
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  doubt(kind: Kind): void {
    void isAbsent(this.options.client, kind).then((absent) => {
      if (!absent || this.#stopped || !this.#readable.delete(resourceName(kind))) return
      this.#tell(kind)
      this.#lookLater()
    })
  }

  /** Looks at once for what is missing: its definition was just installed. Resolves when the answers are there. */
  look(): Promise<void> {
    this.#eagerUntil = this.options.clock.elapsed() + EAGER_FOR_MS
    return this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#next()
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
    const described = await describeKinds(this.options.client, missing)
    const found = missing.filter((_, index) => described[index]!.readable)
    if (this.#stopped) return
    for (const kind of found) this.#readable.add(resourceName(kind))
    for (const kind of found) this.#tell(kind)
  }

  #lookLater(): void {
    this.#next()
    if (this.#stopped || this.options.kinds.every((kind) => this.readable(kind))) return
    const isEager = this.options.clock.elapsed() < this.#eagerUntil
    this.#next = this.options.clock.after(isEager ? EAGER_EVERY_MS : EVERY_MS, () => void this.#look())
  }

  #tell(kind: Kind): void {
    for (const handler of this.#handlers) handler(kind)
  }
}

type KindView = AboutView['kinds'][number]
type Asked = Pick<KubeClient, 'list' | 'raw'>

const UNREACHABLE = message('controlPlane.noAnswer')

/** How far each of the kinds can be read by this client. Never rejects: what cannot be found out is in the notes. */
export async function describeKinds(client: Asked, kinds: readonly Kind[]): Promise<KindView[]> {
  const asked = new Map<string, ReturnType<typeof readVersion>>()
  const resourcesOf = (kind: Kind): ReturnType<typeof readVersion> => {
    const version = apiVersionOf(kind)
    const answer = asked.get(version) ?? readVersion(client, kind)
    asked.set(version, answer)
    return answer
  }
  return Promise.all(kinds.map(async (kind) => describeKind(client, kind, await resourcesOf(kind))))
}

async function describeKind(client: Asked, kind: Kind, answer: VersionAnswer): Promise<KindView> {
  const description = { kind: kind.kind, resource: resourceName(kind) }
  const served = isServed(kind, answer)
  if (served !== true) return { ...description, served: false, readable: false, note: served }
  try {
    await client.list(kind, { limit: 1 })
    return { ...description, served: true, readable: true }
  } catch (error) {
    return { ...description, served: true, readable: false, note: noteOf(error) }
  }
}

/** True, or why not. */
function isServed(kind: Kind, answer: VersionAnswer): true | Message | string {
  if ('error' in answer) return noteOf(answer.error)
  if (answer.names?.includes(kind.plural)) return true
  // Without the right to discover, only trying to list can tell.
  return answer.status === 401 || answer.status === 403
    ? true
    : message('controlPlane.groupNotServed', { apiVersion: apiVersionOf(kind) })
}

/** The resources of a version as discovery names them. */
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

/** True only if the server says so: a proxy in front of it may answer 404 for everything. Never rejects. */
async function isAbsent(client: Asked, kind: Kind): Promise<boolean> {
  const groups = await client.raw('GET', '/apis').catch(() => undefined)
  const named = groups?.status === 200 ? (groups.body as { groups?: { name: string }[] }).groups : undefined
  if (named === undefined || named.length === 0) return false
  if (kind.group !== '' && !named.some(({ name }) => name === kind.group)) return true
  const answer = await readVersion(client, kind)
  return 'names' in answer && answer.names !== undefined && !answer.names.includes(kind.plural)
}

function noteOf(error: unknown): Message | string {
  if (isUnreachable(error)) return UNREACHABLE
  return error instanceof Error ? error.message : String(error)
}
