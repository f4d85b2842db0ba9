/** Compares results with records. */

/** One line that shows both values; undefined when they are deeply equal (key order does not count). */
export function differs(what: string, actual: unknown, expected: unknown): string | undefined {
  const ours = canonical(actual)
  const theirs = canonical(expected)
  return ours === theirs ? undefined : `${what}: got ${short(ours)}, recorded ${short(theirs)}`
}

/** The first reason of a list of comparisons; undefined when none fails. */
export function firstOf(...reasons: (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined)
}

/** JSON with sorted keys; fields that are undefined vanish, as they do on the wire. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isRecord(item) ? sortKeys(item) : item)) ?? 'nothing'
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function short(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
