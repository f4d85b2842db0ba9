/** A proxy for a real API server that simulates faults of connections and servers. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Status, StatusReason } from '@/lib/kube/errors'

/** Every request is answered so, and what is open is cut. */
export interface Refusing {
  code: number
  reason: StatusReason
  message: string
  retryAfterSeconds?: number
}

export class FaultyProxy {
  /** Requests received during a fault, by method and path. */
  readonly asked: string[] = []
  readonly #target: URL
  readonly #open = new Set<{ answer: ServerResponse; watch: boolean; pause(): void; resume(): void }>()
  readonly #unanswered = new Set<ServerResponse>()
  #refusing: Refusing | undefined
  #silent = false
  #garbage: string | undefined
  #server: Server | undefined
  #port = 0

  /** `ca`: the certificate to trust if the server speaks TLS. The proxy itself does not. */
  constructor(
    target: string,
    private readonly ca?: string,
  ) {
    this.#target = new URL(target)
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<this> {
    this.#server = createServer((incoming, answer) => this.#take(incoming, answer))
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  /** Closes the port; `start` opens the same port again. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    this.#server?.closeAllConnections()
    await closed
  }

  /** From now on everything is refused in this way. */
  refuse(how: Refusing): void {
    this.#refusing = how
    this.#garbage = undefined
    for (const { answer } of this.#open) answer.destroy()
  }

  /** Stops responding, also on open connections. Requests are still accepted. */
  stopAnswering(): void {
    this.#silent = true
    for (const exchange of this.#open) exchange.pause()
  }

  /** Responds to every request with this page, like a captive login page. Open connections are closed. */
  sendGarbage(page: string): void {
    this.#garbage = page
    this.#refusing = undefined
    for (const { answer } of this.#open) answer.destroy()
  }

  /** Sends 410 Expired to every open watch. */
  expireWatches(): void {
    const object = statusOf({ code: 410, reason: 'Expired', message: 'too old resource version' })
    for (const { answer, watch } of this.#open) if (watch) answer.end(`${JSON.stringify({ type: 'ERROR', object })}\n`)
  }

  /** All is well again; requests that were never answered are cut. */
  behave(): void {
    this.#refusing = undefined
    this.#silent = false
    this.#garbage = undefined
    for (const exchange of this.#open) exchange.resume()
    for (const answer of this.#unanswered) answer.destroy()
    this.#unanswered.clear()
  }

  #take(incoming: IncomingMessage, answer: ServerResponse): void {
    if (this.#silent || this.#refusing || this.#garbage) this.asked.push(`${incoming.method} ${incoming.url}`)
    if (this.#silent) return void this.#unanswered.add(answer)
    if (this.#refusing) return refuse(answer, this.#refusing)
    if (this.#garbage !== undefined)
      return void answer.writeHead(200, { 'content-type': 'text/html' }).end(this.#garbage)
    this.#pass(incoming, answer)
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const { method, url, headers } = incoming
    const ask = this.#target.protocol === 'https:' ? secureRequest : request
    const options = { method, headers: { ...headers, host: this.#target.host }, ca: this.ca }
    const outgoing = ask(new URL(url ?? '/', this.#target), options, (given) => {
      const exchange = {
        answer,
        watch: url?.includes('watch=true') ?? false,
        pause: () => void given.unpipe(answer),
        resume: () => void given.pipe(answer),
      }
      this.#open.add(exchange)
      answer.on('close', () => {
        this.#open.delete(exchange)
        outgoing.destroy()
      })
      answer.writeHead(given.statusCode ?? 502, given.headers)
      answer.flushHeaders()
      given.on('error', () => answer.destroy())
      given.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  }
}

function refuse(answer: ServerResponse, how: Refusing): void {
  if (how.retryAfterSeconds !== undefined) answer.setHeader('retry-after', how.retryAfterSeconds)
  answer.writeHead(how.code, { 'content-type': 'application/json' })
  answer.end(JSON.stringify(statusOf(how)))
}

function statusOf({ code, reason, message }: Refusing): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message }
}
