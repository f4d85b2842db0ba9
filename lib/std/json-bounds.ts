/** How deep and how large a JSON value may be, found out without deep recursion. */

/** Everything that looks at a value goes down into it; no kind comes near this. */
const DEEPEST = 1000

/** True for a JSON text with more lists and objects in each other than a server can look at. */
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

/** The same for a value that was read from another form of text. */
export function isValueTooDeep(value: unknown): boolean {
  return isObject(value) && isDeeperThan(value, DEEPEST)
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const child of Array.isArray(value) ? value as unknown[] : Object.values(value)) {
    if (isObject(child) && isDeeperThan(child, levels - 1)) return true
  }
  return false
}

/** What each value counts beside its texts: many small ones take far more time and memory than their JSON is long. */
const VALUE = 16

/**
 * About how many bytes the value takes, never less than its JSON; undefined when it is more than `most`, which costs no
 * more than looking at that many.
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
