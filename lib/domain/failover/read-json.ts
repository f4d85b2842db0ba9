/** Reads JSON in annotations that users and other programs may have written. */

/** Parses an object; undefined if the text is absent, not JSON or not an object. */
export function readObject(text: string | undefined): Record<string, unknown> | undefined {
  const value = readValue(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Parses a list; empty if the text is absent, not JSON or not a list. */
export function readList(text: string | undefined): unknown[] {
  const value = readValue(text)
  return Array.isArray(value) ? value : []
}

function readValue(text: string | undefined): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
