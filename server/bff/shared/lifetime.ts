/** Whole milliseconds, at least one: what every driver can keep. Throws RangeError for what is no time at all. */
export function lifetime(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError(`a time to live is a number of milliseconds, not ${ttlMs}`)
  return Math.max(1, Math.ceil(ttlMs))
}
