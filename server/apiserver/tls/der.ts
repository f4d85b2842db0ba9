/** The few ASN.1 structures that a certificate is made of, as DER. */

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const bytes = size < 0x100 ? [size] : [size >> 8, size & 0xff]
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts))
export const set = (...parts: Buffer[]): Buffer => element(0x31, Buffer.concat(parts))
export const octets = (content: Buffer): Buffer => element(0x04, content)
export const bits = (content: Buffer): Buffer => element(0x03, Buffer.concat([Buffer.from([0]), content]))
export const text = (value: string): Buffer => element(0x0c, Buffer.from(value))
export const yes = (): Buffer => element(0x01, Buffer.from([0xff]))

/** A positive number, most significant byte first. */
export function integer(bytes: Buffer): Buffer {
  return element(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]))
}

/** `[number]` around a value. */
export const tagged = (number: number, content: Buffer): Buffer => element(0xa0 | number, content)
/** `[number]` instead of the tag of a primitive value. */
export const implicit = (number: number, content: Buffer): Buffer => element(0x80 | number, content)

/** `1.2.840.10045.4.3.2` and the like. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

/** A time with whole seconds, UTC. */
export function time(epochMs: number): Buffer {
  return element(0x18, Buffer.from(`${new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`))
}
