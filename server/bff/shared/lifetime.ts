/**
 * Returns whole milliseconds, at least one, which every driver supports. Throws RangeError for a value that is not a
 * finite number.
 */
export function lifetime(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError(`a time to live is a number of milliseconds, not ${ttlMs}`)
  return Math.max(1, Math.ceil(ttlMs))
}
