/** Calls interpreter webhooks: over TLS with the configured CA, with limits on time and size. */
import { randomUUID } from 'node:crypto'
import { Agent, type Dispatcher } from 'undici'
import { InterpretError, ScriptUnavailable } from '@/lib/domain/interpreter'
import { contextOf, type HookQuestion, type InterpreterHook, responseIn } from '@/lib/domain/interpreter/webhook'
import { service as serviceKind } from '@/lib/kube/kinds'
import { keyOf } from '@/lib/kube/object'
import type { Informers } from '@/server/kube/informer'

export interface HookOptions {
  /** Maximum timeout of a call, even if the webhook configures a longer one. Default 30 s. */
  longestCallMs?: number
  /** How long a webhook that timed out is not called again. Default 5 s. */
  hookRestMs?: number
}

const DEFAULT_TIMEOUT_SECONDS = 10
const ANSWER_BYTES = 8 * 1024 * 1024
/** Concurrent calls of one webhook; further ones are queued. */
const CONNECTIONS = 16

/** Connections to the webhooks of one control plane. */
export class HookClient {
  readonly #longestCallMs: number
  readonly #restMs: number
  readonly #agents = new Map<string, Agent>()
  /** Webhooks that timed out, and until when they are not called. */
  readonly #resting = new Map<string, number>()

  constructor(
    private readonly informers: Informers,
    { longestCallMs = 30_000, hookRestMs = 5_000 }: HookOptions = {},
  ) {
    this.#longestCallMs = longestCallMs
    this.#restMs = hookRestMs
  }

  /**
   * Calls the webhook and reads its response. Rejects with ScriptUnavailable, which names the webhook, because a retry
   * may succeed.
   */
  async ask<T>({ id, webhook }: InterpreterHook, question: HookQuestion, read: (response: Fields) => T): Promise<T> {
    try {
      if ((this.#resting.get(id) ?? 0) > performance.now()) throw new InterpretError('it did not answer in time before')
      const uid = randomUUID()
      const context = contextOf(uid, webhook.interpreterContextVersions, question)
      return read(responseIn(uid, await this.#post({ id, webhook }, context)))
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      // upstream: k8s.io/apiserver, ErrCallingWebhook
      throw new ScriptUnavailable(`failed calling webhook ${JSON.stringify(id)}: ${text}`)
    }
  }

  /** Closes connections of webhooks whose configuration changed or was removed. */
  async renew(): Promise<void> {
    const agents = [...this.#agents.values()]
    this.#agents.clear()
    this.#resting.clear()
    await Promise.all(agents.map((agent) => agent.close()))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  async #post({ id, webhook }: InterpreterHook, context: object): Promise<unknown> {
    const allowedMs = (webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000
    const timeoutMs = Math.min(allowedMs, this.#longestCallMs)
    const { origin, path, serverName } = this.#locate(webhook)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await this.#agentOf(id, webhook, serverName).request({
        origin,
        path: `${path}?timeout=${Math.ceil(timeoutMs / 1000)}s`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'evenkeel' },
        body: JSON.stringify(context),
        signal,
      })
      return await bodyOf(answer)
    } catch (error) {
      if (!signal.aborted) throw error
      this.#resting.set(id, performance.now() + this.#restMs)
      // log: the text of an error
      throw new InterpretError(`no answer within ${timeoutMs} ms`)
    }
  }

  #agentOf(id: string, { clientConfig }: InterpreterHook['webhook'], servername: string | undefined): Agent {
    const known = this.#agents.get(id)
    if (known) return known
    const ca = clientConfig.caBundle ? Buffer.from(clientConfig.caBundle, 'base64').toString('utf8') : undefined
    const agent = new Agent({
      // As in `server/kube/connection.ts`.
      allowH2: false,
      connections: CONNECTIONS,
      maxResponseSize: ANSWER_BYTES,
      connect: { ...(ca && { ca }), ...(servername && { servername }) },
    })
    this.#agents.set(id, agent)
    return agent
  }

  /** Returns the location: a URL, or a Service by its address or its name inside the cluster. */
  #locate({ clientConfig: { url, service } }: InterpreterHook['webhook']): Location {
    if (!service) {
      const { origin, pathname } = new URL(url ?? '')
      return { origin, path: pathname }
    }
    const { namespace, name, port = 443, path = '' } = service
    const serverName = `${name}.${namespace}.svc`
    const { spec } = this.informers.of(serviceKind).get(keyOf({ namespace, name })) ?? {}
    const host = (spec?.type === 'ExternalName' ? spec.externalName : spec?.clusterIP) || serverName
    // upstream: Karmada resource interpreter
    if (host === 'None') throw new InterpretError('cannot route to service with ClusterIP "None"')
    const shown = host.includes(':') ? `[${host}]` : host
    return { origin: `https://${shown}:${port}`, path: path.startsWith('/') ? path : `/${path}`, serverName }
  }
}

type Fields = Record<string, unknown>

interface Location {
  origin: string
  path: string
  /** Name in the certificate, if it differs from the host of the URL. */
  serverName?: string
}

async function bodyOf({ statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text()
  if (statusCode >= 200 && statusCode < 300) return JSON.parse(text) as unknown
  // log: the text of an error
  throw new InterpretError(`answered with the status code ${statusCode}: ${text.slice(0, 200)}`)
}
