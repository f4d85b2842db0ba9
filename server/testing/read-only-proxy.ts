/** A proxy for a real API server that forwards reads, and refuses and records all other requests. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ReadOnlyProxy {
  readonly url: string
  /** Number of requests that were passed on. */
  readonly reads: number
  /** Method and path of each refused request. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

/** Verbs that need other rights than get and list, although their method is GET. */
const NOT_A_READ = /[?&]watch=(1|true)|\/(proxy|exec|attach|portforward)(\/|\?|$)/

/** `ca`: the certificate to trust if the server speaks TLS. The proxy itself does not. */
export async function startReadOnlyProxy(target: string, ca?: string): Promise<ReadOnlyProxy> {
  const refused: string[] = []
  let reads = 0
  const server = createServer((incoming, answer) => {
    const { method = '', url = '' } = incoming
    if (method === 'GET' && !NOT_A_READ.test(url)) {
      reads += 1
      return pass(incoming, answer, { target: new URL(target), ca })
    }
    refused.push(`${method} ${url}`)
    incoming.resume()
    answer.writeHead(405).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => {
      server.close(resolve)
    })
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    get reads() {
      return reads
    },
    close,
  }
}

function pass(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { target, ca }: { target: URL; ca: string | undefined },
): void {
  const ask = target.protocol === 'https:' ? secureRequest : request
  const options = {
    method: 'GET',
    headers: { ...incoming.headers, host: target.host },
    ...(ca !== undefined && { ca }),
  }
  const outgoing = ask(new URL(incoming.url ?? '/', target), options, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers)
    given.pipe(answer)
  })
  outgoing.on('error', () => answer.destroy())
  answer.on('close', () => outgoing.destroy())
  outgoing.end()
}
