/** Problem details (RFC 9457) for requests that no page answers, and for malformed requests. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { type Problem, problemAbout } from '@/lib/view/problems'
import { textOf } from '@/server/bff/http/language'
import type { Fault } from './target'

const TYPE = 'application/problem+json'

/** Answers a request with a problem. The rest of its body is not read. */
export function sendFault(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  const text = textOf(request)
  const requestId = String(request.headers['x-request-id'] ?? '')
  const problem = problemAbout(text, fault.reason, { detail: text.of(fault.detail), requestId })
  const close = request.complete || request.method === 'GET' ? {} : { connection: 'close' }
  response
    .writeHead(problem.status, { 'content-type': TYPE, 'cache-control': 'no-store', ...close, ...fault.headers })
    .end(request.method === 'HEAD' ? '' : JSON.stringify(problem))
}

/** Error codes of Node's parser; any other code means malformed. */
const FOUND: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { reason: 'HeadersTooLarge', detail: message('api.fault.headers') },
  ERR_HTTP_REQUEST_TIMEOUT: { reason: 'RequestTimeout', detail: message('api.fault.late') },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { reason: 'RequestEntityTooLarge', detail: message('api.fault.chunks') },
}
const MALFORMED: Fault = { reason: 'Malformed', detail: message('api.fault.bytes') }

/** Answers a malformed request and closes its connection. Nothing is written into an answer that has begun. */
export function answerFaults(server: Server): void {
  const latest = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => void latest.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const answering = latest.get(socket)
    const begun = answering?.headersSent === true && !answering.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET' || begun) return void socket.destroy(error)
    const fault = FOUND[error.code ?? ''] ?? MALFORMED
    socket.end(
      asText(problemAbout(english, fault.reason, { detail: english.of(fault.detail), requestId: randomUUID() })),
    )
    socket.destroySoon()
  })
}

function asText(problem: Problem): string {
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    '',
    body,
  ].join('\r\n')
}
