/** Kubernetes' CEL functions on IP addresses, address blocks and URLs. */
import type { Environment } from '@marcbachmann/cel-js'
import {
  type Address,
  type Block,
  blockContains,
  formatAddress,
  formatBlock,
  isSpecial,
  maskedBlock,
  parseAddress,
  parseBlock,
} from './address'
import { CelArgumentError } from './argument-error'
import { parseUrl, type Url } from './url'
import { type AddFunction, functionsOf, Library } from './functions'

class IP {
  constructor(readonly address: Address) {}
}

class CIDR {
  constructor(readonly block: Block) {}
}

class URL {
  constructor(readonly url: Url) {}
}

class IPLibrary extends Library {
  readonly name = 'ip'
}

export function registerNet(env: Environment): void {
  const add = functionsOf(env)
  env.registerType('net.IP', IP).registerType('net.CIDR', CIDR).registerType('kubernetes.URL', URL)
  env.registerType('IPLibrary', IPLibrary).registerConstant('ip', 'IPLibrary', new IPLibrary())
  registerAddresses(add)
  registerBlocks(add)
  registerUrls(add)
  env.registerOperator('net.IP == net.IP', (a: IP, b: IP) => formatAddress(a.address) === formatAddress(b.address))
  env.registerOperator('net.CIDR == net.CIDR', (a: CIDR, b: CIDR) => formatBlock(a.block) === formatBlock(b.block))
  env.registerOperator('kubernetes.URL == kubernetes.URL', (a: URL, b: URL) => a.url.text === b.url.text)
}

function registerAddresses(add: AddFunction): void {
  add('ip(string): net.IP', (text: string) => new IP(addressOf(text)))
  add('isIP(string): bool', (text: string) => parseAddress(text) !== undefined)
  add('IPLibrary.isCanonical(string): bool', (_: unknown, text: string) => formatAddress(addressOf(text)) === text)
  add('string(net.IP): string', ({ address }: IP) => formatAddress(address))
  add('net.IP.family(): int', ({ address }: IP) => BigInt(address.family))
  add('net.IP.isUnspecified(): bool', ({ address }: IP) => isSpecial(address, 'unspecified'))
  add('net.IP.isLoopback(): bool', ({ address }: IP) => isSpecial(address, 'loopback'))
  add('net.IP.isLinkLocalMulticast(): bool', ({ address }: IP) => isSpecial(address, 'linkLocalMulticast'))
  add('net.IP.isLinkLocalUnicast(): bool', ({ address }: IP) => isSpecial(address, 'linkLocalUnicast'))
  add('net.IP.isGlobalUnicast(): bool', ({ address }: IP) => isGlobal(address))
}

function isGlobal(address: Address): boolean {
  const others = ['unspecified', 'loopback', 'multicast', 'linkLocalUnicast', 'broadcast'] as const
  return !others.some((purpose) => isSpecial(address, purpose))
}

function registerBlocks(add: AddFunction): void {
  add('cidr(string): net.CIDR', (text: string) => new CIDR(blockOf(text)))
  add('isCIDR(string): bool', (text: string) => parseBlock(text) !== undefined)
  add('string(net.CIDR): string', ({ block }: CIDR) => formatBlock(block))
  add('net.CIDR.containsIP(net.IP): bool', ({ block }: CIDR, { address }: IP) => blockContains(block, address))
  add('net.CIDR.containsIP(string): bool', ({ block }: CIDR, text: string) => blockContains(block, addressOf(text)))
  add('net.CIDR.containsCIDR(net.CIDR): bool', ({ block }: CIDR, other: CIDR) => within(block, other.block))
  add('net.CIDR.containsCIDR(string): bool', ({ block }: CIDR, text: string) => within(block, blockOf(text)))
  add('net.CIDR.ip(): net.IP', ({ block }: CIDR) => new IP(block.address))
  add('net.CIDR.masked(): net.CIDR', ({ block }: CIDR) => new CIDR(maskedBlock(block)))
  add('net.CIDR.prefixLength(): int', ({ block }: CIDR) => BigInt(block.length))
}

function within(outer: Block, inner: Block): boolean {
  return outer.length <= inner.length && blockContains(outer, inner.address)
}

function registerUrls(add: AddFunction): void {
  add('url(string): kubernetes.URL', (text: string) => new URL(urlOf(text)))
  add('isURL(string): bool', (text: string) => parseUrl(text) !== undefined)
  add('kubernetes.URL.getScheme(): string', ({ url }: URL) => url.scheme)
  add('kubernetes.URL.getHost(): string', ({ url }: URL) => url.host)
  add('kubernetes.URL.getHostname(): string', ({ url }: URL) => url.hostname)
  add('kubernetes.URL.getPort(): string', ({ url }: URL) => url.port)
  add('kubernetes.URL.getEscapedPath(): string', ({ url }: URL) => url.path)
  add('kubernetes.URL.getQuery(): map<string, list<string>>', ({ url }: URL) => url.query)
}

function addressOf(text: string): Address {
  const address = parseAddress(text)
  if (address) return address
  throw new CelArgumentError(`IP Address ${JSON.stringify(text)} parse error during conversion from string`)
}

function blockOf(text: string): Block {
  const block = parseBlock(text)
  if (!block) throw new CelArgumentError('network address parse error during conversion from string')
  return block
}

function urlOf(text: string): Url {
  const url = parseUrl(text)
  if (url) return url
  const why = `parse ${JSON.stringify(text)}: invalid URI for request`
  throw new CelArgumentError(`URL parse error during conversion from string: ${why}`)
}
