/** Warnings as headers: invalid characters are removed, and their total length is limited. */

const MAX_BYTES = 4096
const SHORT_LETTERS = 256

/** The values of the `Warning` headers, in bytes as a header holds them. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const headerSafe = warnings.filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed())
  return fits(headerSafe) ? headerSafe.map(headerOf) : shortened(headerSafe).map(headerOf)
}

function fits(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= MAX_BYTES
}

/** As many as there is room for, each with its beginning. */
function shortened(texts: readonly string[]): string[] {
  let room = MAX_BYTES
  return texts
    .map((text) => [...text].slice(0, SHORT_LETTERS).join(''))
    .filter((text) => {
      room -= Buffer.byteLength(text)
      return room >= 0
    })
}

function headerOf(text: string): string {
  return Buffer.from(`299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`).toString('latin1')
}
