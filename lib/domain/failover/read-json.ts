/** JSON of annotations that people and other programs may have written. */

/** The object that a text holds; undefined when it is absent, no JSON or no object. */
export function readObject(text: string | undefined): Record<string, unknown> | undefined {
  const value = readValue(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** The list that a text holds; empty when it is absent, no JSON or no list. */
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
