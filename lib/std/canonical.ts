/**
 * Returns a text that is equal for two JSON values exactly if `deepEqual` is true: names are sorted, undefined fields
 * are left out. Used as a map key to find equal values without comparing all pairs.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const texts = fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`)
  return `{${texts.join(',')}}`
}
