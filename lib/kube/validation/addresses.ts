/** The rules of IP addresses and of blocks of them, as text. */
import { type Address, formatAddress, isSpecial, maskedBlock, parseAddress, parseBlock } from '../cel/address'
import { type FieldError, forbiddenField, invalidField, requiredField, validateChoice } from '../field-error'
import { checkSubdomain } from './formats'

const ADDRESS = 'must be a valid IP address'
const ADDRESS_EXAMPLES = ', (e.g. 10.9.8.7 or 2001:db8::ffff)'
const LEADING_ZEROS = 'must not have leading 0s'

/** Addresses were once read with leading zeros; they still are, where only their form is refused. */
function read(text: string): Address | undefined {
  return parseAddress(text) ?? parseAddress(withoutLeadingZeros(text))
}

/** The same text without the zeros that once were allowed before a number. */
export function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replaceAll(/\b0+(?=\d)/g, '')
}

/** The one form of an address; undefined for a text that is none. */
export function canonicalAddress(text: string): string | undefined {
  const address = read(text)
  return address && formatAddress(address)
}

/** Reports whether a text is an address in any form that was ever read. */
export const isAddress = (text: string): boolean => read(text) !== undefined

/** An address in its strict form. `kept` are values that an object had before, which stay right. */
export function validateAddress(text: string, field: string, kept: readonly string[] = []): FieldError[] {
  if (parseAddress(text) || kept.includes(text)) return []
  return [invalidField(field, text, read(text) ? LEADING_ZEROS : `${ADDRESS}${ADDRESS_EXAMPLES}`)]
}

const BARRED = [
  ['unspecified', (text: string) => `may not be unspecified (${text})`],
  ['loopback', () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['linkLocalUnicast', () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ['linkLocalMulticast', () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
] as const

/** An address that traffic can be sent to. */
export function validateEndpointAddress(text: string, field: string): FieldError[] {
  const address = read(text)
  if (!address) return [invalidField(field, text, ADDRESS)]
  return BARRED.flatMap(([purpose, detail]) =>
    isSpecial(address, purpose) ? [invalidField(field, text, detail(text))] : [],
  )
}

/** Reports whether a text is an address of the family; undefined when it is no address. */
export function isOfFamily(text: string, family: Address['family']): boolean | undefined {
  const address = read(text)
  return address && address.family === family
}

/** A block of addresses, such as `10.9.8.0/24`. */
export function validateBlock(text: string, field: string): FieldError[] {
  const block = parseBlock(text)
  if (!block) {
    const rule = parseBlock(withoutLeadingZeros(text))
      ? LEADING_ZEROS
      : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
    return [invalidField(field, text, rule)]
  }
  return maskedBlock(block).address.value === block.address.value
    ? []
    : [invalidField(field, text, 'must not have bits set beyond the prefix length')]
}

interface Ingress {
  ip?: string
  ipMode?: string
  hostname?: string
}

const IP_MODES = ['Proxy', 'VIP']

/** Where a load balancer is reached: by valid addresses and names. That of a Service says in which mode. */
export function validateLoadBalancer(
  status: { ingress?: readonly Ingress[] } | undefined,
  old: { ingress?: readonly Ingress[] } | undefined,
  { hasModes = false } = {},
): FieldError[] {
  const field = 'status.loadBalancer.ingress'
  const ingress = status?.ingress ?? []
  const kept = (old?.ingress ?? []).flatMap(({ ip }) => ip ?? [])
  return ingress.flatMap(({ ip = '', ipMode, hostname = '' }, index) => [
    ...(ip === '' ? [] : validateAddress(ip, `${field}[${index}].ip`, kept)),
    ...(hasModes ? validateMode({ ip, ipMode }, `${field}[${index}].ipMode`) : []),
    ...(hostname === ''
      ? []
      : checkSubdomain(hostname).map((problem) => invalidField(`${field}[${index}].hostname`, hostname, problem))),
    ...(read(hostname)
      ? [invalidField(`${field}[${index}].hostname`, hostname, 'must be a DNS name, not an IP address')]
      : []),
  ])
}

function validateMode({ ip, ipMode }: { ip: string; ipMode: string | undefined }, field: string): FieldError[] {
  if (ip === '') return ipMode === undefined ? [] : [forbiddenField(field, 'may not be specified when `ip` is not set')]
  return ipMode === undefined
    ? [requiredField(field, 'must be specified when `ip` is set')]
    : validateChoice(ipMode, IP_MODES, field)
}
