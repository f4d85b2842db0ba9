/** Transport over HTTP: undici with keep-alive, newline-separated JSON for watches. */
import type { Dispatcher } from 'undici'
import { kubeError } from '@/lib/kube/errors'
import { impersonationHeaders } from '@/lib/kube/rbac/impersonation'
import { NoJson } from './answers'
import { Connection, type ConnectionOptions } from './connection'
import type { Transport, TransportAnswer, TransportRequest } from './transport'
import { watchLines } from './watch-stream'

/** Returns a transport to the API server at `options.url`. Opens connections on first use. */
export function createHttpTransport(options: ConnectionOptions): Transport {
  const connection = new Connection(options)
  return {
    call: async (request) => readAnswer(connection, await send(connection, request)),
    watch: async (request) => {
      const answer = await send(connection, request, true)
      if (answer.statusCode >= 400) return readAnswer(connection, answer)
      if (isJson(answer) || typeOf(answer) === '') return { lines: watchLines(answer.body) }
      // A page from a proxy would look like a watch without events.
      answer.body.destroy()
      throw new NoJson()
    },
    stream: async (request) => {
      const answer = await send(connection, request, true)
      return answer.statusCode >= 400 ? readAnswer(connection, answer) : { chunks: decoded(answer.body) }
    },
    close: () => connection.close(),
  }
}

async function send(
  connection: Connection,
  request: TransportRequest,
  streaming = false,
): Promise<Dispatcher.ResponseData> {
  const { method, path, userAgent, body, contentType = 'application/json', as, signal } = request
  return connection.request(
    {
      method: method as Dispatcher.HttpMethod,
      path: connection.basePath + path,
      headers: {
        'user-agent': userAgent,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': contentType }),
        ...(as && impersonationHeaders(as)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    },
    streaming,
  )
}

/** Decodes UTF-8, in which a character may be split between two chunks. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** An API server says only "Unauthorized"; that the credentials have expired can be seen here. */
async function readAnswer(connection: Connection, answer: Dispatcher.ResponseData): Promise<TransportAnswer> {
  const text = await answer.body.text()
  const expired = answer.statusCode === 401 ? connection.expired : undefined
  const after = Number(answer.headers['retry-after'])
  return {
    code: answer.statusCode,
    body: expired !== undefined ? kubeError(401, 'Unauthorized', expired).status : isJson(answer) ? parsed(text) : text,
    ...(Number.isFinite(after) && { retryAfterSeconds: after }),
  }
}

const typeOf = ({ headers }: Dispatcher.ResponseData): string => String(headers['content-type'] ?? '')
const isJson = (answer: Dispatcher.ResponseData): boolean => typeOf(answer).includes('json')

/** A proxy may answer with a content type that does not match the content. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
