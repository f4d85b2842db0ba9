/** Ports for servers of other makers, which have to be told one. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port of this machine where nobody listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => { server.close(resolve) })
  return port
}
