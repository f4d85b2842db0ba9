/** A simple load balancer: each new connection goes to the next available instance. No stickiness. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RoundRobin {
  url: string
  /** Target of new connections, as URLs; open ones stay. */
  use(backends: readonly string[]): void
  close(): Promise<void>
}

export async function startRoundRobin(): Promise<RoundRobin> {
  let backends: readonly string[] = []
  let next = 0
  const open = new Set<Socket>()
  const forward = async (client: Socket): Promise<void> => {
    open.add(client)
    for (let tries = 0; tries < backends.length; tries += 1) {
      const backend = await dial(backends[next++ % backends.length] ?? '')
      if (!backend) continue
      if (client.destroyed) return void backend.destroy()
      open.add(backend)
      join(client, backend)
      join(backend, client)
      return
    }
    client.destroy()
  }
  const server = createServer((client) => {
    client.on('error', () => client.destroy()).on('close', () => open.delete(client))
    void forward(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (urls) => {
      backends = urls
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Undefined when the port is closed. */
async function dial(url: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

/** What ended in order is passed on to its end; what broke is broken on the other side, too. */
function join(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroy())
  from.on('close', () => {
    if (!from.readableEnded) to.destroy()
  })
}
