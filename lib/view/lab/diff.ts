/** Computes the difference between two texts by line. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/**
 * Longer texts are not compared, because the table of the longest common subsequence grows with the product of their
 * lengths.
 */
const MAX_LINES = 1_500

/** Returns the lines of both texts in order, by the longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [string[], string[]]
  if (a.length > MAX_LINES || b.length > MAX_LINES)
    return [...a.map((text) => line('removed', text)), ...b.map((text) => line('added', text))]
  const lengths = commonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(line('same', a[i]!))
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push(line('removed', a[i]!))
      i += 1
    } else {
      lines.push(line('added', b[j]!))
      j += 1
    }
  }
  return lines
}

const line = (kind: DiffLine['kind'], text: string): DiffLine => ({ kind, text })

/** `[i][j]`: length of the longest common subsequence of the remaining lines. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from<number>({ length: b.length + 1 }).fill(0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  return lengths
}

/** Returns the number of added and removed lines. */
export const diffCounts = (lines: readonly DiffLine[]) => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
})
