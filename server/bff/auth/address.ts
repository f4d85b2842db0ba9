/** Where a request comes from, also behind proxies that are known. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Addresses and networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is believed. Throws for a text that is neither. */
export function proxiesOf(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits, more] = text.split('/')
    const family = isIP(address)
    const prefix = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits)
    if (family === 0 || more !== undefined || !Number.isInteger(prefix) || prefix < 0 || prefix > (family === 4 ? 32 : 128)) {
      throw new Error(`"${text}" is neither an address nor a network such as 10.0.0.0/8`)
    }
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

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
