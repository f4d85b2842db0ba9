/** Warnings about addresses that are accepted in a form which few programs read alike. */
import { type Block, formatAddress, formatBlock, maskedBlock, parseAddress, parseBlock } from '@/lib/kube/cel/address'
import { withoutLeadingZeros } from '@/lib/kube/validation/addresses'

const quoted = (text: string): string => JSON.stringify(text)

/** Of an address; none for a text that is no address. */
export function addressWarnings(text = '', path: string): string[] {
  const address = parseAddress(text)
  if (address)
    return canonicalWarnings('address', text, { path, isLong: address.family === 6, form: formatAddress(address) })
  const meant = parseAddress(withoutLeadingZeros(text))
  return meant
    ? [`${path}: non-standard IP address ${quoted(text)} is invalid: use ${quoted(formatAddress(meant))}`]
    : []
}

/** Of a block of addresses. */
export function blockWarnings(text = '', path: string): string[] {
  const strict = parseBlock(text)
  const block = strict ?? parseBlock(withoutLeadingZeros(text))
  if (!block) return []
  const masked = maskedBlock(block)
  const found = [
    ...(masked.address.value === block.address.value ? [] : [ambiguity(block, { text, path })]),
    ...(strict
      ? []
      : [`${path}: non-standard CIDR value ${quoted(text)} is invalid: use ${quoted(formatBlock(masked))}`]),
  ]
  if (found.length > 0) return found
  return canonicalWarnings('CIDR value', text, { path, isLong: block.address.family === 6, form: formatBlock(block) })
}

interface Canonical {
  path: string
  /** Addresses of four bytes have one form only. */
  isLong: boolean
  form: string
}

function canonicalWarnings(what: string, text: string, { path, isLong, form }: Canonical): string[] {
  if (!isLong || text === form) return []
  return [`${path}: IPv6 ${what} ${quoted(text)} should be in RFC 5952 canonical format (${quoted(form)})`]
}

function ambiguity({ address, length }: Block, { text, path }: { text: string; path: string }): string {
  const whole = formatBlock(maskedBlock({ address, length }))
  const single = formatBlock({ address, length: address.family === 4 ? 32 : 128 })
  return `${path}: CIDR value ${quoted(text)} is ambiguous in this context (should be ${quoted(whole)} or ${quoted(single)}?)`
}
