/** The formats of texts that a schema may demand (`format: ipv4`). */
import { parseAddress, parseBlock } from './cel/address'
import { parseUrl } from './cel/url'

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const DURATION = /^(\d+(\.\d+)?\s*(ns|us|µs|ms|s|m|h|d|w)\s*)+$|^0$/
/** One label, or several of which the last has two letters or more. */
const HOSTNAME =
  /^([a-z0-9\p{S}\p{L}](-?[a-z0-9\p{S}\p{L}]{0,62})?|([a-z0-9\p{S}\p{L}]([a-z0-9\p{S}\p{L}-]{0,61}[a-z0-9\p{S}\p{L}])?\.)+[a-z\p{L}]{2,63})$/iu
const COLOR_PART = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
/** Base64 of at least one byte. */
const BYTES = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text)
const uuidOf = (version: string) =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'))

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`),
  duration: matching(DURATION),
  byte: matching(BYTES),
  ipv4: (text) => parseAddress(text)?.family === 4,
  ipv6: (text) => parseAddress(text)?.family === 6,
  cidr: (text) => parseBlock(text) !== undefined,
  uri: (text) => parseUrl(text) !== undefined,
  hostname: (text) => text.length <= 255 && HOSTNAME.test(text),
  email: matching(/^[^\s@<>(),;:\\"[\]]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/),
  mac: matching(/^([0-9a-f]{2}[:-]){5}([0-9a-f]{2}[:-]){0,2}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2,3}[0-9a-f]{4}$/i),
  uuid: uuidOf('[0-9a-f]'),
  uuid3: uuidOf('3'),
  uuid4: uuidOf('4'),
  uuid5: uuidOf('5'),
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  hexcolor: matching(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matching(new RegExp(`^rgb\\(\\s*${COLOR_PART}\\s*,\\s*${COLOR_PART}\\s*,\\s*${COLOR_PART}\\s*\\)$`)),
  isbn10: matching(/^(\d[- ]?){9}[\dXx]$/),
  isbn13: matching(/^(\d[- ]?){13}$/),
  isbn: matching(/^(\d[- ]?){9}[\dXx]$|^(\d[- ]?){13}$/),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  creditcard: matching(/^(\d[- ]?){13,19}$/),
}

/** True when the text has the format; texts have every format that is not known. */
export function hasFormat(text: string, format: string): boolean {
  const check = Object.hasOwn(checks, format) ? checks[format] : undefined
  return check?.(text) ?? true
}

/** Formats that every text has. */
const UNCHECKED = new Set(['password', 'k8sshortname', 'k8slongname'])

/** True for a format that means something for texts; dashes in its name do not count. */
export function isKnownFormat(format: string): boolean {
  const name = format.replaceAll('-', '')
  return Object.hasOwn(checks, name) || UNCHECKED.has(name)
}

/** True for an RFC 3339 time. */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && !Number.isNaN(Date.parse(text))
}
