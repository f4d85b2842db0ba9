/** A real webhook for tests: a small server with a configurable response. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import type { KeyPair } from '../../tls/certificates'

/** Response of a webhook: the `response` without its uid, or the raw body. */
export type Answer = Record<string, unknown> | { raw: string; status?: number; type?: string }
type Decide = (request: ReviewRequest & { object: Seen; oldObject: Seen }) => Answer | Promise<Answer>
/** An object as a webhook received it; tests know its shape. */
export type Seen = { metadata: Record<string, unknown> } & Record<string, unknown>

export interface WebhookServer {
  url: string
  port: number
  /** Received reviews, oldest first. */
  seen: (ReviewRequest & { object: Seen; oldObject: Seen })[]
  /** Replaces how it decides. */
  decide(decide: Decide): void
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1, with TLS if a key pair is given. Allows every request by default. */
export async function startWebhook(decide: Decide = () => ({ allowed: true }), tls?: KeyPair): Promise<WebhookServer> {
  let current = decide
  const seen: WebhookServer['seen'] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const review = JSON.parse(text) as { apiVersion: string; request: WebhookServer['seen'][number] }
    seen.push(review.request)
    const answer = await current(review.request)
    if ('raw' in answer) {
      const { raw, status = 200, type = 'text/plain' } = answer as { raw: string; status?: number; type?: string }
      response.writeHead(status, { 'Content-Type': type }).end(raw)
      return
    }
    const {
      apiVersion,
      request: { uid },
    } = review
    const body = { kind: 'AdmissionReview', apiVersion, response: { uid, ...answer } }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => void serve(request, response)
  const server = tls ? createSecureServer(tls, answer) : createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/review`,
    port,
    seen,
    decide: (next) => {
      current = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An answer that allows and changes the object. */
export function patching(...operations: object[]): Record<string, unknown> {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}
