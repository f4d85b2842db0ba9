/** Measures depth and size of a JSON value without deep recursion. */

/** Functions on values are recursive; no kind is nested nearly as deep. */
const DEEPEST = 1000

/** Returns true for a JSON text that is nested deeper than the limit. */
export function isTextTooDeep(text: string): boolean {
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted) {
      if (letter === '\\') at++
      else quoted = letter !== '"'
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
    if (depth > DEEPEST) return true
  }
  return false
}

/** The same for a parsed value. */
export function isValueTooDeep(value: unknown): boolean {
  return isObject(value) && isDeeperThan(value, DEEPEST)
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const child of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (isObject(child) && isDeeperThan(child, levels - 1)) return true
  }
  return false
}

/**
 * Cost of each value besides its texts: many small values take far more time and memory than the length of their JSON.
 */
const VALUE = 16

/**
 * Approximate size of the value in bytes, never less than its JSON; undefined if it is more than `most`, without
 * visiting more than that.
 */
export function sizeWithin(value: unknown, most: number): number | undefined {
  const open = [value]
  let size = 0
  while (open.length > 0) {
    const one = open.pop()
    size += VALUE
    if (typeof one === 'string') size += one.length
    else if (Array.isArray(one)) for (const item of one) open.push(item)
    else if (typeof one === 'object' && one !== null) {
      for (const [name, field] of Object.entries(one)) {
        size += name.length + 3
        open.push(field)
      }
    }
    if (size + open.length > most) return undefined
  }
  return size
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
