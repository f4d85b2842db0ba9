/** Defines answers and writes them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Text } from '@/lib/messages'
import type { Refusal } from './refusal'

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/** A complete text or its encoded bytes, with the type, or a stream. */
export type Answer = { status: number; contentType: string; headers?: AnswerHeaders } & (
  | { text: string }
  | { bytes: Buffer }
  | { chunks: AsyncIterable<string> }
)

export const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json'

export const plainText = (status: number, text: string): Answer => ({
  status,
  text,
  contentType: 'text/plain; charset=utf-8',
})

/** Returns a refusal as problem details in the language of the reader. */
export function problemAnswer(refusal: Refusal, requestId: string, text: Text): Answer {
  const { retryAfterSeconds, headers } = refusal.more
  return {
    status: refusal.status,
    text: JSON.stringify(refusal.problem(requestId, text)),
    contentType: PROBLEM_TYPE,
    headers: {
      ...headers,
      'content-language': text.locale,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  }
}

/**
 * Sends the answer. Streams follow the speed of the reader; an error breaks the connection, because the status is
 * already sent.
 */
export async function send(response: ServerResponse, answer: Answer, request: IncomingMessage): Promise<void> {
  // A body that was not read completely would be taken for the next request.
  const close = request.complete || request.method === 'GET' ? {} : { connection: 'close' }
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...close,
    ...mutable(answer.headers),
  })
  if (request.method === 'HEAD') return void response.end()
  if ('text' in answer) return void response.end(answer.text)
  if ('bytes' in answer) return void response.end(answer.bytes)
  await pipeline(Readable.from(answer.chunks), response)
}

/** Reports whether the reader disconnected before the end. */
export const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

function mutable(headers: AnswerHeaders = {}): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )
}
