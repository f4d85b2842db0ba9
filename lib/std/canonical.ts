/**
 * A text that two JSON values share exactly when `deepEqual` holds of them: names are in order, and a field that is
 * undefined is absent. For finding equal values by a map instead of comparing each with each.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const texts = fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => (
    `${JSON.stringify(name)}:${canonicalText(field)}`
  ))
  return `{${texts.join(',')}}`
}
