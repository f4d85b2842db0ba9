/** Reads DER, the encoding of certificates and of requests for them. */

export const SEQUENCE = 0x30
export const OBJECT_ID = 0x06

/** A value with its tag; `whole` includes tag and length. */
export interface Der {
  tag: number
  whole: Buffer
  content: Buffer
}

/** Throws for bytes that are no DER. */
export class DerUnreadable extends Error {
  override readonly name = 'DerUnreadable'
}

/** The values in `bytes`, one after the other. */
export function valuesIn(bytes: Buffer): Der[] {
  const values: Der[] = []
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at)
    values.push(value)
    at += value.whole.length
  }
  return values
}

/** Lengths of up to three bytes: a request is smaller than 3 MiB. */
const MAX_LENGTH = 3

function valueAt(bytes: Buffer, at: number): Der {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) throw new DerUnreadable('asn1: syntax error: data truncated')
  const count = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || count > MAX_LENGTH) throw new DerUnreadable('asn1: structure error: length too large')
  const start = at + 2 + count
  if (start > bytes.length) throw new DerUnreadable('asn1: syntax error: data truncated')
  const length = count === 0 ? first : bytes.readUIntBE(at + 2, count)
  if (start + length > bytes.length) throw new DerUnreadable('asn1: syntax error: data truncated')
  return { tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}

/** The parts of a value that has the tag. Throws for another one. */
export function partsOf(value: Der | undefined, tag = SEQUENCE): Der[] {
  if (value?.tag !== tag) throw new DerUnreadable('asn1: structure error: tags do not match')
  return valuesIn(value.content)
}

/** An object identifier in its hexadecimal form. */
export function idOf(value: Der | undefined): string {
  return value?.tag === OBJECT_ID ? value.content.toString('hex') : ''
}

const BMP = 0x1e
const LATIN = new Set([0x13, 0x14, 0x16])

/** A text in any of its encodings. */
export function textOf({ tag, content }: Der): string {
  if (tag === BMP) return Buffer.from(content).swap16().toString('utf16le')
  return content.toString(LATIN.has(tag) ? 'latin1' : 'utf8')
}
