/** Determines the client address of a request, also behind trusted proxies. */
import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv6 } from 'node:net'

/** Returns the nearest address that is not a trusted proxy. Addresses that the client itself claims are ignored. */
export const addressesBehind =
  (proxies: BlockList) =>
  (request: IncomingMessage): string => {
    const claimed = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
    let address = nearestAddress(request)
    while (isProxy(address, proxies)) {
      const next = claimed.pop()
      if (next === undefined || isIP(plain(next)) === 0) return address
      address = plain(next)
    }
    return address
  }

/** Returns the address of the connection, without regard to proxies. */
export const nearestAddress = ({ socket }: IncomingMessage): string => plain(socket.remoteAddress ?? '')

/** Returns the network by which addresses are counted: one household has a whole IPv6 /64. */
export function networkOf(address: string): string {
  const known = plain(address)
  if (!isIPv6(known)) return known
  const [head = '', tail] = known.split('%', 1)[0]?.split('::') ?? []
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...last]
    .slice(0, 4)
    .map((part) => parseInt(part, 16).toString(16))
    .join(':')
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

function isProxy(address: string, proxies: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
