/** Passes a request on to the server that its group and version are registered for. */
import type { IncomingMessage } from 'node:http'
import { CallFailure } from '../admission/call-failure'
import { type Answer, type Call, type Stream, text } from '../call'
import { booleanOf } from '../query'
import type { RemoteServers } from './connection'
import type { Remote } from './registrations'

/** Until the answer begins; clients wait half a minute for it. */
const TIMEOUT_MS = 15_000
/** Discovery is small, and every client waits for it. */
const DISCOVERY_TIMEOUT_MS = 5_000
const ANSWER_LIMIT = 64 * 1024 * 1024

/** The answer of the server, or 503 where it gives none. */
export async function forward(servers: RemoteServers, remote: Remote, call: Call): Promise<Answer> {
  if (!remote.isAvailable) return unavailable('service unavailable')
  try {
    const answer = await servers.send(remote, await outgoing(call))
    if (isWatch(call) && answer.statusCode === 200) return streamOf(answer)
    return await replyOf(answer)
  } catch (error) {
    if (error instanceof CallFailure) return unavailable(error.message)
    throw error
  }
}

function unavailable(why: string): Answer {
  return text(503, `${why}\n`)
}

async function outgoing({
  method,
  path,
  query,
  headers,
  caller,
  bytes,
}: Call): Promise<Parameters<RemoteServers['send']>[1]> {
  const isDiscovery = path.split('/').filter((part) => part !== '').length <= 3
  const mark = query.size > 0 ? `?${query.toString()}` : ''
  const body = method === 'GET' || method === 'HEAD' ? undefined : await bytes()
  const patienceMs = isDiscovery ? DISCOVERY_TIMEOUT_MS : TIMEOUT_MS
  return { method, path: path + mark, headers, caller, patienceMs, ...(body && { body }) }
}

function isWatch({ query }: Call): boolean {
  return booleanOf(query, 'watch') === true || booleanOf(query, 'follow') === true
}

/** Headers of the answer that its client needs. */
const PASSED_BACK = ['warning', 'retry-after', 'etag', 'location', 'vary', 'allow', 'last-modified']

async function replyOf(answer: IncomingMessage): Promise<Answer> {
  const content = await contentOf(answer, ANSWER_LIMIT)
  const headers = Object.fromEntries(
    PASSED_BACK.flatMap((name) => (answer.headers[name] === undefined ? [] : [[name, String(answer.headers[name])]])),
  )
  const type = answer.headers['content-type'] ?? 'text/plain; charset=utf-8'
  const body = isText(type) ? { text: content.toString('utf8') } : { bytes: [content] }
  return { status: answer.statusCode ?? 503, type, headers, ...body }
}

const isText = (type: string): boolean => type.startsWith('application/json') || type.startsWith('text/')

/** The whole body. Rejects with CallFailure if it breaks off or is longer. */
export async function contentOf(answer: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw new CallFailure('http: response body too large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof CallFailure) throw error
    throw new CallFailure('unexpected EOF', { cause: error })
  }
  return Buffer.concat(chunks)
}

/** A reader that falls behind by more than this is dropped, as in watches of our own. */
const MAX_UNREAD = 8 * 1024 * 1024

function streamOf(answer: IncomingMessage): Stream {
  return {
    type: answer.headers['content-type'] ?? 'application/json',
    start: (sink) => {
      sink.onClose(() => answer.destroy())
      answer.on('data', (chunk: Buffer) => {
        sink.write(chunk)
        if (sink.pending > MAX_UNREAD) sink.drop()
      })
      answer.once('end', () => sink.end())
      answer.once('error', () => sink.drop())
    },
  }
}
