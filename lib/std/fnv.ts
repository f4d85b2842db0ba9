/** FNV-1a, the hash behind the names of generated objects. */

const OFFSET = 2_166_136_261
const PRIME = 16_777_619

/** The unsigned 32-bit FNV-1a hash of the UTF-8 bytes of a text. */
export function fnv1a32(text: string): number {
  let hash = OFFSET
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return withBytes(hash, utf8(text.slice(at)))
    hash = Math.imul(hash ^ code, PRIME)
  }
  return hash >>> 0
}

function withBytes(hash: number, bytes: Iterable<number>): number {
  let result = hash
  for (const byte of bytes) result = Math.imul(result ^ byte, PRIME)
  return result >>> 0
}

/** The bytes of a text; a lone surrogate becomes U+FFFD, as encoders do. */
function* utf8(text: string): Generator<number> {
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0)!
    if (code < 0x80) yield code
    else if (code < 0x800) yield* [0xc0 | (code >> 6), tail(code)]
    else if (code < 0x10000) yield* [0xe0 | (code >> 12), tail(code >> 6), tail(code)]
    else yield* [0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code)]
  }
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f)
