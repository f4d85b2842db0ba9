/** Counts and differences. */

const MINUS = '\u2212'

/** Groups thousands: `12,345`. The sign of a negative number is a real minus. */
export function formatCount(count: number): string {
  const digits = String(Math.abs(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return count < 0 ? MINUS + digits : digits
}

/** A difference, always with its sign: `+2`, `−3`, and `0`. */
export function formatDelta(delta: number): string {
  return delta > 0 ? `+${formatCount(delta)}` : formatCount(delta)
}

/** `1 cluster`, `2 clusters`, `3 policies`. `plural` defaults to the word with an `s`. */
export function formatNumberOf(count: number, word: string, plural: string = `${word}s`): string {
  return `${formatCount(count)} ${count === 1 ? word : plural}`
}

/** Whole percent of `part` in `whole`; `—` when there is no whole. */
export function formatPercent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)}%` : '—'
}

/** `a`, `a and b`, `a, b and c`; the rest is counted when there are more than `most`. */
export function joinWords(words: readonly string[], most: number = Infinity): string {
  const shown = words.length > most ? [...words.slice(0, most), `${formatCount(words.length - most)} more`] : words
  if (shown.length < 2) return shown[0] ?? ''
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
