/** What the browser keeps may be of another version or of other pages: undefined where it is no JSON. Check what you use. */
export function parseStored(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
