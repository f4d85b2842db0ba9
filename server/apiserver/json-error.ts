/** Errors of invalid JSON, in the words of Go's decoder. */

/**
 * For instance `unexpected end of JSON input` or `invalid character 'o' looking for beginning of object key string`.
 */
export function describeJsonError(text: string): string {
  const at = failingIndex(text)
  if (at === undefined || at >= text.length) return 'unexpected end of JSON input'
  return wrongLiteral(text, at) ?? `invalid character ${quote(text[at] as string)} ${context(text.slice(0, at))}`
}

const LITERALS: Readonly<Record<string, string>> = { n: 'null', t: 'true', f: 'false' }

const MAX_LITERAL_LENGTH = 5

/** A word that begins like `null`, `true` or `false` and continues differently. */
function wrongLiteral(text: string, at: number): string | undefined {
  let start = at
  while (start > at - MAX_LITERAL_LENGTH && /[a-z]/.test(text[start - 1] ?? '')) start--
  const literal = LITERALS[text[start] ?? '']
  if (literal === undefined || !'[:,'.includes(text.slice(0, start).trimEnd().at(-1) ?? ',')) return undefined
  const wrong = [...literal].findIndex((letter, index) => text[start + index] !== letter)
  if (wrong < 0) return undefined
  const found = text[start + wrong]
  if (found === undefined) return 'unexpected end of JSON input'
  return `invalid character ${quote(found)} in literal ${literal} (expecting ${quote(literal[wrong] as string)})`
}

/** V8 reports the position of the error, or nothing if the text ends too early. */
function failingIndex(text: string): number | undefined {
  try {
    JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)
    if (position) return Number(position[1])
    return /end of JSON/.test((error as Error).message) ? undefined : text.search(/\S/)
  }
  return undefined
}

function quote(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 && !'\t\n\r'.includes(character)) return `'\\x${code.toString(16).padStart(2, '0')}'`
  return character === "'" ? "'\\''" : `'${character}'`
}

function context(before: string): string {
  const last = before.trimEnd().at(-1)
  if (last === undefined || last === ':' || last === '[') return 'looking for beginning of value'
  if (last === '{') return 'looking for beginning of object key string'
  if (last === ',') return 'looking for beginning of object key string'
  return 'after object key:value pair'
}
