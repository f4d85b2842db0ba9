/** Where a request comes from, also behind proxies that are known. */
import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'

/** The nearest address that is no known proxy. What a client claims of itself before that is not believed. */
export function addressOf(request: IncomingMessage, proxies: BlockList): string {
  const claimed = String(request.headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim()).filter(Boolean)
  let address = plain(request.socket.remoteAddress ?? '')
  while (isProxy(address, proxies)) {
    const next = claimed.pop()
    if (next === undefined || isIP(plain(next)) === 0) return address
    address = plain(next)
  }
  return address
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

function isProxy(address: string, proxies: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
