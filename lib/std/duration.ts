const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/** Milliseconds of a duration such as `500ms`, `30s` or `1h30m`; undefined for any other text. */
export function parseDuration(duration: string): number | undefined {
  const text = duration.trim()
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS],
    0,
  )
}
