/** Base64 without APIs of Node or the browser. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 of the UTF-8 bytes of a text. */
export function encodeBase64(text: string): string {
  const bytes = Array.from(encodeURIComponent(text.toWellFormed()).matchAll(/%(..)|(.)/g), ([, hex, plain]) =>
    hex === undefined ? plain!.charCodeAt(0) : Number.parseInt(hex, 16),
  )
  return encodeBytes(bytes)
}

/** Encodes bytes as base64. */
export function encodeBytes(bytes: readonly number[]): string {
  let encoded = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.slice(index, index + 3)
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    const letter = (shift: number): string => LETTERS[(bits >> shift) & 63]!
    encoded += letter(18) + letter(12) + (b === undefined ? '=' : letter(6)) + (c === undefined ? '=' : letter(0))
  }
  return encoded
}

/**
 * The text whose UTF-8 bytes are given in Base64; undefined for invalid UTF-8. Characters outside Base64 are skipped.
 */
export function decodeBase64(encoded: string): string | undefined {
  let [bits, count, escaped] = [0, 0, '']
  for (const letter of encoded) {
    const value = LETTERS.indexOf(letter)
    if (value < 0) continue
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    escaped += `%${((bits >> count) & 255).toString(16).padStart(2, '0')}`
  }
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}

/** Number of bytes that a Base64 text encodes. */
export function base64Size(encoded: string): number {
  const letters = encoded.replaceAll(/[\r\n=]/g, '').length
  return Math.floor((letters * 3) / 4)
}
