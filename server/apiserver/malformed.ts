/** Answers to bytes that are no request, in the form of Go's server, so that clients of a kube-apiserver read them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ownField } from '@/lib/std/fields'

/** Error codes of Node's parser; any other code means malformed. */
const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
const MALFORMED = '400 Bad Request'

/** Closes the connection after the answer. Nothing is written into an answer that has begun. */
export function answerMalformed(server: Server): void {
  const latest = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => void latest.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const answering = latest.get(socket)
    const begun = answering?.headersSent === true && !answering.writableFinished
    if (!socket.writable || begun || !isOfHttp(error)) return void socket.destroy(error)
    const status = ownField(STATUS, error.code ?? '') ?? MALFORMED
    socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
    socket.destroySoon()
  })
}

/** A broken connection and a failed TLS handshake leave no client that could read an answer. */
const isOfHttp = ({ code = '' }: NodeJS.ErrnoException): boolean => /^(HPE|ERR_HTTP)_/.test(code)
