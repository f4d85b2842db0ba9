/** The HTTP server of a member's webhooks: loopback only, behind a random path. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LocalWebhooks } from '@/server/kube/local-webhooks'
import type { Logger } from '@/server/runtime/controller'
import { answerTo, Refusal, refusalOf, type Review, type Verdict } from './review'

/** Handlers by name. */
export type Reviewers = Readonly<Record<string, (review: Review) => Promise<Verdict>>>

export interface WebhookServer {
  /** The URL of `name`; undefined until the server listens. */
  urlOf(name: string): string | undefined
  /** Resolves when the server listens. */
  ready: Promise<void>
  close(): Promise<void>
}

const MAX_BYTES = 8 * 1024 * 1024

export interface WebhookServerOptions {
  secret: string
  log: Logger
  /** Default: a server on loopback. */
  local?: LocalWebhooks | undefined
}

export function startWebhookServer(reviewers: Reviewers, options: WebhookServerOptions): WebhookServer {
  return options.local ? serveLocally(reviewers, options.log, options.local) : listen(reviewers, options)
}

function serveLocally(reviewers: Reviewers, log: Logger, local: LocalWebhooks): WebhookServer {
  const { url, close } = local.serve((path, body) => answer(reviewers[path.slice(1)]!, body as Body, log))
  return { urlOf: (name) => `${url}/${name}`, ready: Promise.resolve(), close: async () => close() }
}

function listen(reviewers: Reviewers, { secret, log }: WebhookServerOptions): WebhookServer {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, given, name = ''] = (request.url ?? '').split('?')[0]!.split('/')
    const reviewer = given === secret && Object.hasOwn(reviewers, name) ? reviewers[name] : undefined
    if (request.method !== 'POST' || !reviewer) return void response.writeHead(404).end()
    const body = await read(request)
    if (!body) return void response.writeHead(400).end('not an AdmissionReview')
    const text = JSON.stringify(await answer(reviewer, body, log))
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    response.writeHead(200, headers).end(text)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'failed to answer an admission review')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  let port: number | undefined
  const ready = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      port = (server.address() as AddressInfo).port
      resolve()
    })
  })
  return {
    urlOf: (name) => (port === undefined ? undefined : `http://127.0.0.1:${port}/${secret}/${name}`),
    ready,
    close: () => closeServer(server),
  }
}

interface Body {
  apiVersion: string
  request: Review
}

async function answer(reviewer: Reviewers[string], { apiVersion, request }: Body, log: Logger): Promise<object> {
  return { kind: 'AdmissionReview', apiVersion, response: await judge(reviewer, request, log) }
}

async function judge(reviewer: Reviewers[string], review: Review, log: Logger): Promise<object> {
  try {
    return answerTo(review, await reviewer(review))
  } catch (error) {
    if (error instanceof Refusal) return refusalOf(review, error)
    log.warn({ err: error }, 'admission review failed')
    return refusalOf(review, new Refusal(500, error instanceof Error ? error.message : String(error)))
  }
}

async function read(request: IncomingMessage): Promise<Body | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { apiVersion: string; request?: Review }
    return body.request ? { apiVersion: body.apiVersion, request: body.request } : undefined
  } catch {
    return undefined
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
