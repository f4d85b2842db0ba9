/** Serves the console: the BFF first, Next.js for everything that is not the BFF's. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import next from 'next'

/** The part of the BFF that the HTTP server needs. */
export interface RequestHandler {
  /** False when the request is not the BFF's. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  attach(server: Server): void
}

export interface Console {
  url: string
  close(): Promise<void>
}

/** Where `.next` lies: the folder above the bundle. */
const root = fileURLToPath(new URL('..', import.meta.url))

/** Listens, then resolves with the address. Rejects when the port is taken. */
export async function startConsole(options: { host: string; port: number; bff: RequestHandler }): Promise<Console> {
  const { host, port, bff } = options
  const server = createServer()
  const app = next({ dev: false, dir: root, hostname: host, port, httpServer: server })
  await app.prepare()
  const page = app.getRequestHandler()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!(await bff.handle(request, response))) await page(request, response)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  bff.attach(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`, close: () => close(server, () => app.close()) }
}

async function close(server: Server, closeApp: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => { server.close(() => resolve()) })
  server.closeAllConnections()
  await closed
  await closeApp()
}
