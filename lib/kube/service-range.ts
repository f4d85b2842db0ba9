/** The addresses and the ports of nodes that Services are given. */

const FIRST_NODE_PORT = 30_000
const LAST_NODE_PORT = 32_767
/** Addresses are taken from 10.96.0.0/12. */
const ADDRESSES = 1 << 20

/** Returns a free address. The search starts at a position that depends on the seed. */
export function freeAddress(seed: number, taken: ReadonlySet<string | undefined>): string {
  for (let offset = seed; ; offset++) {
    const number = 2 + (offset % (ADDRESSES - 4))
    const address = `10.${96 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}`
    if (!taken.has(address)) return address
  }
}

/** True for an address in the range of Services. */
export function isGivenAddress(address: string): boolean {
  return /^10\.(9[6-9]|10\d|11[01])\./.test(address)
}

/** Why a requested port is not available; undefined if it is. */
export function problemOfNodePort(port: number, taken: ReadonlySet<number | undefined>): string | undefined {
  if (port < FIRST_NODE_PORT || port > LAST_NODE_PORT) {
    return `provided port is not in the valid range. The range of valid ports is ${FIRST_NODE_PORT}-${LAST_NODE_PORT}`
  }
  return taken.has(port) ? 'provided port is already allocated' : undefined
}

/** Returns a free node port. Throws when all ports are used. */
export function freeNodePort(seed: number, taken: ReadonlySet<number | undefined>): number {
  const count = LAST_NODE_PORT - FIRST_NODE_PORT + 1
  for (let offset = 0; offset < count; offset++) {
    const port = FIRST_NODE_PORT + ((seed + offset) % count)
    if (!taken.has(port)) return port
  }
  throw new Error('every port of the nodes is taken')
}
