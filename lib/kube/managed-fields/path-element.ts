/**
 * Path elements, as `FieldsV1` spells them: `f:` and a field's name, `k:` and the keys of a list's item, `v:` and an
 * item of a set, `i:` and a position.
 */
import { isFields } from '@/lib/std/fields'

/** The element of a named field. */
export function fieldElement(name: string): string {
  return `f:${name}`
}

/** The element of an item with these keys, given in the order of their names. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  return `k:{${keys.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
}

/** The element of an item of a set. */
export function valueElement(value: unknown): string {
  return `v:${JSON.stringify(value)}`
}

/** The element in the form in which this server writes it; undefined for text that is none. */
export function normalElement(element: string): string | undefined {
  const content = element.slice(2)
  switch (element.slice(0, 2)) {
    case 'f:':
      return element
    case 'i:':
      return /^-?\d+$/.test(content) ? element : undefined
    case 'v:':
      return mapJson(content, valueElement)
    case 'k:':
      return mapJson(content, (keys) =>
        isFields(keys) ? keyElement(Object.entries(keys).toSorted(([a], [b]) => compareText(a, b))) : undefined,
      )
    default:
      return undefined
  }
}

/** How an element is shown to people: `.name`, `[name="web"]`, `[="x"]`, `[0]`. */
export function showElement(element: string): string {
  const content = element.slice(2)
  switch (element[0]) {
    case 'k':
      return `[${keysIn(content)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(',')}]`
    case 'v':
      return `[=${content}]`
    case 'i':
      return `[${content}]`
    default:
      return `.${content}`
  }
}

/** How a path is shown to people. */
export function showPath(path: readonly string[]): string {
  return path.map(showElement).join('')
}

/** Returns the elements in order: fields, then keyed items, items of sets, positions. Each is parsed once. */
export function sortElements(elements: readonly string[]): string[] {
  if (elements.length < 2) return [...elements]
  // Names are ordered as the elements are, and by far most sets have no other elements.
  if (elements.every((element) => element.startsWith('f:'))) return elements.toSorted(compareText)
  return elements
    .map(parsed)
    .toSorted(compareElements)
    .map(({ element }) => element)
}

interface Parsed {
  element: string
  rank: number
  /** A name, the keys of an item, an item of a set, or a position, by rank. */
  content: unknown
}

function parsed(element: string): Parsed {
  const content = element.slice(2)
  const rank = RANKS.indexOf(element[0] ?? '')
  if (rank === 1) return { element, rank, content: keysIn(content) }
  if (rank === 2) return { element, rank, content: JSON.parse(content) }
  return { element, rank, content: rank === 3 ? Number(content) : content }
}

function compareElements(a: Parsed, b: Parsed): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.rank === 1 ? compareKeys(a.content as Keys, b.content as Keys) : compareScalars(a.content, b.content)
}

const RANKS = ['f', 'k', 'v', 'i']

type Keys = readonly (readonly [string, unknown])[]

function keysIn(content: string): Keys {
  return Object.entries(JSON.parse(content) as Record<string, unknown>)
}

function compareKeys(a: Keys, b: Keys): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index]
    if (!other) return 1
    const order = compareText(name, other[0]) || compareScalars(value, other[1])
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Orders numbers before strings, and strings before other values. */
function compareScalars(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return compareText(String(a), String(b))
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function mapJson(text: string, use: (value: unknown) => string | undefined): string | undefined {
  try {
    return use(JSON.parse(text))
  } catch {
    return undefined
  }
}
