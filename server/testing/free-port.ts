/** Ports for servers that need a fixed one: third-party servers, and ours if it must return on the same port. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below what Linux (from 32768) and macOS (from 49152) hand out by themselves: a port from there could become the near
 * end of any connection before its server listens on it, or while that server is away for a moment.
 */
const FIRST = 20_000
const LAST = 32_767
const TRIES = 50

/** A port of this machine that is free, and outside the range of ports that the system assigns. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`none of ${TRIES} ports between ${FIRST} and ${LAST} is free on this machine`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return true
}
