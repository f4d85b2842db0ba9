/** Numbers of the pods of an indexed Job, written as intervals such as `0-3,7`. */

export interface Interval {
  first: number
  last: number
}

/** The intervals in a text, or what is wrong with it. There are `completions` numbers. */
export function readIntervals(text: string, completions: number): readonly Interval[] | string {
  if (text === '') return []
  const intervals: Interval[] = []
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    const before = intervals.at(-1)
    if (before && before.last >= interval.first) return notIncreasing(before.last, interval.first)
    intervals.push(interval)
  }
  return intervals
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`
}

export function readInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-')
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'"
    return `the fragment ${JSON.stringify(text)} ${rule}`
  }
  const numbers: number[] = []
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`
    numbers.push(Number(limit))
  }
  const [first = 0, last = first] = numbers
  return numbers.length > 1 && first >= last ? notIncreasing(first, last) : { first, last }
}

export function countOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

/** The first number that is in both. Intervals that cannot be read are passed over. */
export function firstShared(one: string, other: string, completions: number): number | undefined {
  const read = (text: string): Interval[] =>
    text.split(',').flatMap((part) => {
      const interval = readInterval(part, completions)
      return typeof interval === 'string' ? [] : [interval]
    })
  const [mine, theirs] = [read(one), read(other)]
  for (let [at, beside] = [0, 0]; at < mine.length && beside < theirs.length;) {
    const [a, b] = [mine[at]!, theirs[beside]!]
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first)
    if (a.first <= b.first) at += 1
    else beside += 1
  }
  return undefined
}
