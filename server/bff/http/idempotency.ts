/**
 * Executes an action with an Idempotency-Key once, however often it is sent: the first answer is kept for a day and
 * repeated. Answers are kept when something was, or may have been, changed; after a refusal that changed nothing the
 * key is free again. While the store is unavailable, an action with a key is refused: an action that is not executed is
 * better than one executed twice.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import { UserQuota } from '../shared/user-quota'
import { ONCE_PREFIX, type SharedStore } from '../shared/store'
import type { Answer } from './answers'
import type { Text } from '@/lib/messages'
import { message } from '@/lib/messages/message'
import { problemAnswer } from './answers'
import { Refusal, refuse } from './refusal'

const KEPT_MS = 86_400_000
/** No action runs this long: the instance that ran it is gone. */
const LOST_AFTER_MS = 60_000
const RETRY_SECONDS = 1
/** A sixteenth of the limit of a single instance: some 10,000 actions. */
const SHARE = 4_000_000

export interface OnceOptions {
  store: SharedStore
  clock: Clock
  log: Logger
  /** Limit of the stored data for one user, in characters. Default: 4 million. */
  share?: number | undefined
}

/** One action with a key. */
export interface Keyed {
  /** `personKey`: keys of different users are independent. */
  user: string
  key: string
  /** Everything that distinguishes two requests. */
  request: readonly unknown[]
  requestId: string
  /** In the language of the request. */
  text: Text
  /** True when the action itself detects whether it was executed; it is then repeated when its outcome is unknown. */
  repeatable?: boolean
}

const keptSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('running'), fingerprint: z.string(), since: z.number() }),
  z.object({
    state: z.literal('done'),
    fingerprint: z.string(),
    status: z.number(),
    text: z.string(),
    contentType: z.string(),
    headers: z.record(z.string(), z.string()),
    isUnknown: z.boolean().optional(),
  }),
])
type Kept = z.infer<typeof keptSchema>

type TextAnswer = Extract<Answer, { text: string }>

export class Once {
  readonly #options: OnceOptions
  readonly #quota: UserQuota

  constructor(options: OnceOptions) {
    this.#options = options
    this.#quota = new UserQuota({ clock: options.clock, mostCharacters: options.share ?? SHARE })
  }

  /** Executes the action, or returns the earlier answer. Rejects with a Refusal, or with the error of `act`. */
  async run(keyed: Keyed, act: () => Promise<Answer>): Promise<Answer> {
    const { store, clock } = this.#options
    const place = `${ONCE_PREFIX}${digest([keyed.user, keyed.key])}`
    const fingerprint = digest(keyed.request)
    const running: Kept = { fingerprint, state: 'running', since: clock.now() }
    for (;;) {
      const known = await store.get(place)
      if (known !== undefined) {
        if (!keyed.repeatable || !this.#isInDoubt(known, fingerprint)) return this.#again(known, fingerprint)
        await store.set(place, JSON.stringify(running), KEPT_MS)
        break
      }
      this.#mustHaveRoom(keyed.user)
      // Of two simultaneous requests, one takes the key and the other reads again.
      if (await store.add(place, JSON.stringify(running), KEPT_MS)) break
    }
    return this.#first(place, keyed, { fingerprint, act })
  }

  #mustHaveRoom(user: string): void {
    const until = this.#quota.fullUntil(user)
    if (until === undefined) return
    throw refuse(429, 'TooManyRequests', message('api.refused.keysFull'), {
      retryAfterSeconds: Math.ceil((until - this.#options.clock.now()) / 1000),
    })
  }

  /** Reports whether the same action was begun before with an unknown outcome. */
  #isInDoubt(text: string, fingerprint: string): boolean {
    const known = keptIn(text)
    if (known?.fingerprint !== fingerprint) return false
    if (known.state === 'done') return known.isUnknown === true
    return this.#options.clock.now() - known.since >= LOST_AFTER_MS
  }

  #again(text: string, fingerprint: string): Answer {
    const known = keptIn(text)
    if (!known) {
      this.#options.log.warn(
        {},
        'unreadable entry under an Idempotency-Key: check whether another application uses the same Redis database',
      )
      throw refuse(409, 'OutcomeUnknown', message('api.refused.keyUnreadable'))
    }
    if (known.fingerprint !== fingerprint) {
      throw refuse(422, 'IdempotencyKeyReused', message('api.refused.keyReused'))
    }
    if (known.state === 'done') {
      const { status, text, contentType, headers } = known
      return { status, text, contentType, headers: { ...headers, 'idempotency-replayed': 'true' } }
    }
    if (this.#options.clock.now() - known.since < LOST_AFTER_MS) {
      throw refuse(409, 'StillRunning', message('api.refused.keyRunning'), { retryAfterSeconds: RETRY_SECONDS })
    }
    throw refuse(409, 'OutcomeUnknown', message('api.refused.keyLost'))
  }

  async #first(
    place: string,
    { user, requestId, text }: Keyed,
    { fingerprint, act }: { fingerprint: string; act: () => Promise<Answer> },
  ): Promise<Answer> {
    try {
      const answer = await act()
      if ('text' in answer) await this.#keep({ place, user, fingerprint }, answer)
      return answer
    } catch (error) {
      const certain = error instanceof Refusal && (error.more.changed ?? 'nothing') === 'nothing'
      if (certain) await this.#free(place)
      else if (error instanceof Refusal) {
        const isUnknown = error.more.changed === 'unknown'
        await this.#keep({ place, user, fingerprint, isUnknown }, problemAnswer(error, requestId, text) as TextAnswer)
      }
      throw error
    }
  }

  /** A result that cannot be stored stays marked as running: a retry gets the answer that the outcome is unknown. */
  async #keep(
    { place, user, fingerprint, isUnknown }: { place: string; user: string; fingerprint: string; isUnknown?: boolean },
    { status, text, contentType, headers = {} }: TextAnswer,
  ): Promise<void> {
    const plain = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    const kept: Kept = {
      fingerprint,
      state: 'done',
      status,
      text,
      contentType,
      headers: Object.fromEntries(plain) as Record<string, string>,
      ...(isUnknown && { isUnknown }),
    }
    const value = JSON.stringify(kept)
    this.#quota.add(user, place.length + value.length, KEPT_MS)
    await this.#orLog(this.#options.store.set(place, value, KEPT_MS))
  }

  #free(place: string): Promise<void> {
    return this.#orLog(this.#options.store.delete(place))
  }

  async #orLog(change: Promise<void>): Promise<void> {
    try {
      await change
    } catch (error) {
      this.#options.log.warn({ err: error }, 'failed to persist the outcome of an action under its Idempotency-Key')
    }
  }
}

/** Undefined for a text that was not written here. */
function keptIn(text: string): Kept | undefined {
  try {
    return keptSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    throw error
  }
}

/** Returns the same text for the same parts; it does not reveal them. */
export const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
