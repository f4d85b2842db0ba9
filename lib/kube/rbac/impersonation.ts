/** Impersonation headers. */
import { kubeError } from '../errors'
import type { Identity } from './attributes'
import { ANONYMOUS, AUTHENTICATED } from './names'

/** By name in small letters; every value is a line of its own, its bytes one character each. */
export type ImpersonationHeaders = Record<string, string[]>

/**
 * The headers that make a request act as `identity`. The group of all who are known is left out: servers add it, and
 * asking for it would take one more right. Throws 400 for an identity that headers would change on their way (empty
 * texts, control characters, spaces at an end): it would arrive as another identity.
 */
export function impersonationHeaders({ user, uid, groups, extra = {} }: Identity): ImpersonationHeaders {
  const asked = user === ANONYMOUS ? groups : groups.filter((group) => group !== AUTHENTICATED)
  const headers: ImpersonationHeaders = { 'impersonate-user': [headerValue(user)] }
  if (uid) headers['impersonate-uid'] = [headerValue(uid)]
  if (asked.length > 0) headers['impersonate-group'] = asked.map(headerValue)
  for (const [key, values] of Object.entries(extra)) {
    const name = `impersonate-extra-${escapedKey(key)}`
    if (values.length > 0) headers[name] = [...(headers[name] ?? []), ...values.map(headerValue)]
  }
  return headers
}

/** Reads a value as its sender wrote it: bytes came as one character each. */
export function impersonatedValue(value: string): string {
  try {
    return decodeURIComponent(value.replace(/[%\u0080-\u00ff]/g, (byte) => percent(byte.charCodeAt(0))))
  } catch {
    return value
  }
}

const CHANGED_ON_THE_WAY = /^$|^[ \t]|[ \t]$|\p{Cc}/u

function headerValue(text: string): string {
  if (CHANGED_ON_THE_WAY.test(text) || !text.isWellFormed()) {
    throw kubeError(
      400,
      'BadRequest',
      `${JSON.stringify(text)} cannot be carried in a header: names of users and groups have no control characters, no spaces at an end, and are not empty`,
    )
  }
  return asBytes(text)
}

/** What a name of a header may hold; the percent sign itself is escaped. */
const LEGAL_IN_A_NAME = /[!#$&'*+\-.^_`|~0-9A-Za-z]/

function escapedKey(key: string): string {
  if (key === '') throw kubeError(400, 'BadRequest', 'an extra needs a name')
  return [...asBytes(key.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))]
    .map((byte) => (LEGAL_IN_A_NAME.test(byte) ? byte : percent(byte.charCodeAt(0))))
    .join('')
}

/** One character for each byte of the text in UTF-8. */
function asBytes(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
