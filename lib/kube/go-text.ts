/** A JSON value as Go prints it. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `map[${fields.map(([name, child]) => `${name}:${goText(child)}`).join(' ')}]`
}
