/** One address for console and server, as in production: requests keep their Host and Origin, which the server compares. */
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pathOf, surfaceOf } from '@/server/console/surface'

export interface Targets {
  console: number
  server: number
}

/** Listens on `port`; forwards API, probes and the live stream to the server, and all other requests to the console. */
export function startProxy(port: number, targets: Targets): void {
  const targetOf = (request: IncomingMessage): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: targets[['data', 'live'].includes(surfaceOf(pathOf(request))) ? 'server' : 'console'],
  })
  const proxy = createServer((request, response) => forward(request, response, targetOf(request)))
  proxy.on('upgrade', (request, socket, head) => forwardUpgrade(request, targetOf(request), { socket, head }))
  proxy.listen(port, '127.0.0.1')
}

type Target = ReturnType<(request: IncomingMessage) => { host: string; port: number }>

function forward(request: IncomingMessage, response: ServerResponse, target: Target): void {
  const { method, url: path, headers } = request
  const upstream = send({ ...target, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  upstream.on('error', () =>
    response.headersSent ? response.destroy() : response.writeHead(502).end('Restarting. Reload in a moment.\n'),
  )
  request.pipe(upstream)
}

function forwardUpgrade(
  request: IncomingMessage,
  target: Target,
  { socket, head }: { socket: Duplex; head: Buffer },
): void {
  const { method, url, rawHeaders } = request
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? `${name}: ${rawHeaders[index + 1]}` : []))
  const upstream = connect(target, () => {
    upstream.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  socket.on('error', () => upstream.destroy())
}
