/** IP addresses and blocks of them, as numbers. */

/** An address of four or of sixteen bytes. */
export interface Address {
  family: 4 | 6
  value: bigint
}

/** A block of addresses: those that share the first `length` bits of `address`. */
export interface Block {
  address: Address
  length: number
}

const BITS = { 4: 32, 6: 128 } as const

/** Reads `10.0.0.1` or `2001:db8::1`; undefined for anything else, zones and IPv4 in IPv6 included. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseLong(text) : parseShort(text)
}

function parseShort(text: string): Address | undefined {
  const parts = text.split('.')
  const isByte = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256
  if (parts.length !== 4 || !parts.every(isByte)) return undefined
  return { family: 4, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) }
}

function parseLong(text: string): Address | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const given = groups.flat()
  if (!given.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  if (halves.length === 2 ? given.length > 7 : given.length !== 8) return undefined
  const zeros = Array.from({ length: 8 - given.length }, () => '0')
  const all = [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])]
  return { family: 6, value: all.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n) }
}

/** The canonical text (RFC 5952 for IPv6). */
export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16))
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === '0') end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}

/** Reads `10.0.0.0/8`. */
export function parseBlock(text: string): Block | undefined {
  const [, base = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const address = parseAddress(base)
  if (!address || Number(length) > BITS[address.family]) return undefined
  return { address, length: Number(length) }
}

export function formatBlock({ address, length }: Block): string {
  return `${formatAddress(address)}/${length}`
}

/** Returns the block with zeros after its prefix. */
export function maskedBlock({ address, length }: Block): Block {
  const rest = BigInt(BITS[address.family] - length)
  return { address: { ...address, value: (address.value >> rest) << rest }, length }
}

/** True when the address is in the block. */
export function blockContains({ address, length }: Block, other: Address): boolean {
  const rest = BigInt(BITS[address.family] - length)
  return other.family === address.family && other.value >> rest === address.value >> rest
}

/** Classifies addresses by reserved blocks. */
export const SPECIAL_BLOCKS = {
  loopback: ['127.0.0.0/8', '::1/128'],
  unspecified: ['0.0.0.0/32', '::/128'],
  linkLocalUnicast: ['169.254.0.0/16', 'fe80::/10'],
  linkLocalMulticast: ['224.0.0.0/24', 'ff02::/16'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  broadcast: ['255.255.255.255/32'],
} as const

/** True for an address in one of the blocks of that purpose. */
export function isSpecial(address: Address, purpose: keyof typeof SPECIAL_BLOCKS): boolean {
  return SPECIAL_BLOCKS[purpose].some((text) => {
    const block = parseBlock(text)
    return block !== undefined && blockContains(block, address)
  })
}
