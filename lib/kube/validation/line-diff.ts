/**
 * The difference of two texts as the real server shows it: a unified diff that keeps the longest run of equal lines, then the
 * longest before it and after it, and so on. Lines that repeat often in a long text begin no run.
 */

interface Block {
  old: number
  next: number
  size: number
}

interface Range {
  oldFrom: number
  oldTo: number
  nextFrom: number
  nextTo: number
}

/** How long a text is at least in which lines may be too frequent. */
const LONG = 200

/** Where each line of a text is. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const known = places.get(line)
    if (known) known.push(at)
    else places.set(line, [at])
  }
  const most = lines.length < LONG ? Infinity : Math.floor(lines.length / 100) + 1
  for (const [line, known] of places) if (known.length > most) places.delete(line)
  return places
}

/** The longest run of equal lines in a range; of several the first. */
function longestRun(
  old: readonly string[],
  next: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { oldFrom, oldTo, nextFrom, nextTo }: Range,
): Block {
  let best: Block = { old: oldFrom, next: nextFrom, size: 0 }
  let runs = new Map<number, number>()
  for (let i = oldFrom; i < oldTo; i++) {
    const longer = new Map<number, number>()
    for (const j of places.get(old[i]!) ?? []) {
      if (j < nextFrom || j >= nextTo) continue
      const size = (runs.get(j - 1) ?? 0) + 1
      longer.set(j, size)
      if (size > best.size) best = { old: i - size + 1, next: j - size + 1, size }
    }
    runs = longer
  }
  // Frequent lines may go on with a run.
  while (best.old > oldFrom && best.next > nextFrom && old[best.old - 1] === next[best.next - 1])
    best = { old: best.old - 1, next: best.next - 1, size: best.size + 1 }
  while (
    best.old + best.size < oldTo
    && best.next + best.size < nextTo
    && old[best.old + best.size] === next[best.next + best.size]
  )
    best = { ...best, size: best.size + 1 }
  return best
}

/** Comparing may cost the product of the lines: beyond this only what both have at the beginning is kept. */
const MAX_COMPARED = 25_000_000

function runsOf(old: readonly string[], next: readonly string[]): Block[] {
  if (old.length * next.length > MAX_COMPARED) {
    const size = old.findIndex((line, at) => line !== next[at])
    return [{ old: 0, next: 0, size: size < 0 ? old.length : size }]
  }
  const places = placesOf(next)
  const open: Range[] = [{ oldFrom: 0, oldTo: old.length, nextFrom: 0, nextTo: next.length }]
  const found: Block[] = []
  for (let range = open.pop(); range; range = open.pop()) {
    const run = longestRun(old, next, places, range)
    if (run.size === 0) continue
    found.push(run)
    open.push(
      { ...range, oldTo: run.old, nextTo: run.next },
      { ...range, oldFrom: run.old + run.size, nextFrom: run.next + run.size },
    )
  }
  return found.sort((a, b) => a.old - b.old)
}

interface Change {
  sign: ' ' | '-' | '+'
  text: string
}

function changesOf(old: readonly string[], next: readonly string[]): Change[] {
  const changes: Change[] = []
  let [i, j] = [0, 0]
  const end: Block = { old: old.length, next: next.length, size: 0 }
  for (const run of [...runsOf(old, next), end]) {
    for (; i < run.old; i++) changes.push({ sign: '-', text: old[i]! })
    for (; j < run.next; j++) changes.push({ sign: '+', text: next[j]! })
    for (let at = 0; at < run.size; at++, i++, j++) changes.push({ sign: ' ', text: old[i]! })
  }
  return changes
}

const AROUND = 3

/** The lines that differ, each with three lines around, as a unified diff without its head. */
export function unifiedDiff(old: readonly string[], next: readonly string[]): string {
  const changes = changesOf(old, next)
  const near = changes.map((_, at) =>
    changes.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  let [text, oldLine, newLine] = ['', 1, 1]
  for (let at = 0; at < changes.length;) {
    if (!near[at]) {
      at += 1
      oldLine += 1
      newLine += 1
      continue
    }
    const end = near.indexOf(false, at)
    const hunk = changes.slice(at, end < 0 ? undefined : end)
    const [before, after] = [
      hunk.filter(({ sign }) => sign !== '+').length,
      hunk.filter(({ sign }) => sign !== '-').length,
    ]
    text += `@@ -${oldLine},${before} +${newLine},${after} @@\n`
    text += hunk.map(({ sign, text: line }) => `${sign}${line}\n`).join('')
    at += hunk.length
    oldLine += before
    newLine += after
  }
  return text
}
