/** The HTTPS server that API servers ask. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { answerReview, type Decide, readReview } from './review'

/** A private key and its certificate, PEM. */
export interface ServingPair {
  key: string
  cert: string
}

export interface ListenerOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  pair: ServingPair
  /** By path. */
  decisions: Readonly<Record<string, Decide>>
  /** Told about questions that could not be decided. */
  onError(error: unknown, path: string): void
}

export interface Listener {
  port: number
  /** Ends every connection. */
  close(): Promise<void>
}

/** Two objects of the largest size that an API server stores, and what is around them. */
const BODY_LIMIT = 8 * 1024 * 1024

/** Listens. Rejects when the port is taken. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, pair } = options
  const server = createServer(
    { ...pair, requestTimeout: 10_000 },
    (request, response) => void serve(options, request, response),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  { decisions, onError }: ListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'https://webhook').pathname
  try {
    const { code, body } = await respond(decisions[path], request)
    response.writeHead(code, { 'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  } catch (error) {
    onError(error, path)
    if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' })
    response.end(`the webhook could not review this request: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function respond(
  decide: Decide | undefined,
  request: IncomingMessage,
): Promise<{ code: number; body: string | object }> {
  if (!decide) return { code: 404, body: 'no webhook at this path' }
  if (request.method !== 'POST') return { code: 405, body: 'only POST is allowed' }
  const text = await readBody(request)
  if (text === undefined) return { code: 413, body: `an AdmissionReview can have at most ${BODY_LIMIT} bytes` }
  const review = readReview(text)
  if (!review) return { code: 400, body: 'expected an AdmissionReview of admission.k8s.io/v1' }
  return { code: 200, body: await answerReview(review, decide) }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
