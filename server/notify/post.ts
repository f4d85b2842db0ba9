/** One HTTP request to a receiver. */
import { readFile } from 'node:fs/promises'
import { Agent } from 'undici'
import type { Clock } from '@/lib/std/clock'
import { signatureOf } from './payload'
import { type Attempt, attemptOf } from './retry'
import type { ReceiverSettings } from './settings'

export interface Posted {
  body: string
  /** The same for each attempt of one event. */
  key: string
}

/**
 * Posts to one receiver. Files with secrets are read for each request, so that a renewed Secret counts at once. Never
 * rejects; an error names no address and no secret.
 */
export class Poster {
  readonly #settings: ReceiverSettings
  readonly #clock: Clock
  #agent: { ca: string | undefined; agent: Agent } | undefined

  constructor(settings: ReceiverSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  async post(posted: Posted, stopped: AbortSignal): Promise<Attempt> {
    try {
      return await this.#request(posted, stopped)
    } catch (error) {
      return { ok: false, error: errorText(error), final: false }
    }
  }

  async close(): Promise<void> {
    await this.#agent?.agent.destroy()
    this.#agent = undefined
  }

  async #request({ body, key }: Posted, stopped: AbortSignal): Promise<Attempt> {
    const { url, type, headers, timeout } = this.#settings
    const { origin, pathname, search } = new URL(url)
    const path = type === 'webhook' ? pathname + search : `${pathname.replace(/\/$/, '')}/api/v2/alerts${search}`
    const secret = await this.#secretHeaders(body)
    const agent = await this.#current()
    const answer = await agent.request({
      origin,
      path,
      method: 'POST',
      headers: {
        'user-agent': 'evenkeel',
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...secret,
      },
      body,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeout)]),
    })
    // The body of the response is not used; a long one is cut.
    await answer.body.dump({ limit: 65_536 }).catch(() => undefined)
    const after = answer.headers['retry-after']
    return attemptOf(answer.statusCode, Array.isArray(after) ? after[0] : after, this.#clock.now())
  }

  async #secretHeaders(body: string): Promise<Record<string, string>> {
    const { bearerTokenFile, hmacSecretFile } = this.#settings
    const token = await readSecret(bearerTokenFile)
    const secret = await readSecret(hmacSecretFile)
    return {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(secret !== undefined && { 'evenkeel-signature': signatureOf(body, secret, this.#clock.now()) }),
    }
  }

  async #current(): Promise<Agent> {
    const { caFile, timeout } = this.#settings
    const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
    if (this.#agent && this.#agent.ca === ca) return this.#agent.agent
    const outdated = this.#agent?.agent
    const agent = new Agent({
      // As in `server/kube/connection.ts`.
      allowH2: false,
      connect: { timeout, ...(ca !== undefined && { ca }) },
      connections: 2,
      keepAliveTimeout: 4_000,
    })
    this.#agent = { ca, agent }
    await outdated?.close()
    return agent
  }
}

async function readSecret(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = (await readFile(file, 'utf8')).trim()
  // A header with a line break would be an error that repeats its value.
  if (!/^[\x21-\x7e]+$/.test(text)) throw new SecretUnusable()
  return text
}

class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable'
}

/** The kind of an error: its text may repeat a header or the address. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'request failed'
  if (error instanceof SecretUnusable) return 'a secret file is empty or not a single line of ASCII'
  if (error.name === 'TimeoutError') return 'timeout'
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error.name : code === 'ENOENT' || code === 'EACCES' ? `a configured file: ${code}` : code
}
