/** A real HTTP receiver with configurable responses that records requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  json: unknown
}

/** How the next request is answered: a status, or by hand. */
export type Answer = number | { status: number; headers: Record<string, string> } | 'reset' | 'silence'

export interface ReceiverServer {
  url: string
  received: Received[]
  /** In order, one for each request; after that 200. */
  answers: Answer[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<ReceiverServer> {
  const received: Received[] = []
  const answers: Answer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) })
      reply(response, answers.shift() ?? 200)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === 'reset') return void response.destroy()
  if (answer === 'silence') return
  const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer
  response.writeHead(status, headers).end('a body that the sender ignores')
}
