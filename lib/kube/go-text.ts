/** A JSON value as Go prints it. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `map[${fields.map(([name, child]) => `${name}:${goText(child)}`).join(' ')}]`
}

/** A map as Go writes it: in the order of its keys. Other values stay as they are. */
export function sortedMap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The type that Go's decoder gives a JSON value. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['07', '\\a'],
  ['0b', '\\v'],
])

/** A text in quotes as Go writes it: like JSON, but for control characters. */
export function goQuoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u007f', '\\x7f')
    .replaceAll(/\\(?:u00([01][0-9a-f])|.)/g, (whole, digits: string | undefined) => {
      if (digits === undefined) return whole
      return NAMED.get(digits) ?? `\\x${digits}`
    })
}

/** A JSON value as Go code writes it (`%#v`). */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuoted(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `${goTypeOf(value)}{${value.map(goSyntax).join(', ')}}`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${goTypeOf(value)}{${fields.map(([name, child]) => `${goQuoted(name)}:${goSyntax(child)}`).join(', ')}}`
}
