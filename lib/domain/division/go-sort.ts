/**
 * Sorts as Go's `sort.Sort` does, including the order of equal elements.
 *
 * Aggregated division cuts a list of clusters sorted by capacity, so the order of two equally large clusters decides
 * which of them gets replicas. Go's sort is stable up to 12 elements. Above, it is a pattern-defeating quicksort, which
 * is not stable but deterministic. This is the same algorithm with the same pivots and swaps.
 */

interface Sortable {
  length: number
  /** Reports whether the element at `i` must come before the one at `j`. */
  less(i: number, j: number): boolean
  swap(i: number, j: number): void
}

/** Half-open range of positions. */
interface Range {
  from: number
  to: number
}

const insertionLimit = 12
const nintherLimit = 50
const partialSteps = 5
const partialShiftLimit = 50

/** Sorts in place by `weightOf` descending; equal elements end in the order in which Go leaves them. */
export function sortDescendingLikeGo<T>(items: T[], weightOf: (item: T) => number): void {
  const weights = items.map(weightOf)
  const sortable: Sortable = {
    length: items.length,
    less: (i, j) => weights[i]! > weights[j]!,
    swap: (i, j) => {
      const [item, weight] = [items[i]!, weights[i]!]
      items[i] = items[j]!
      items[j] = item
      weights[i] = weights[j]!
      weights[j] = weight
    },
  }
  quicksort(sortable, { from: 0, to: items.length }, bitLength(items.length))
}

function quicksort(data: Sortable, whole: Range, depth: number): void {
  const range = { ...whole }
  let [balanced, partitioned, limit] = [true, true, depth]
  for (;;) {
    const length = range.to - range.from
    if (length <= insertionLimit) return insertionSort(data, range)
    if (limit === 0) return heapSort(data, range)
    if (!balanced) {
      breakPatterns(data, range)
      limit -= 1
    }
    const pivot = preparePivot(data, range)
    if (balanced && partitioned && pivot.increasing && almostSorted(data, range)) return
    if (range.from > 0 && !data.less(range.from - 1, pivot.at)) {
      range.from = partitionEqual(data, range, pivot.at)
      continue
    }
    const middle = partition(data, range, pivot.at)
    partitioned = middle.untouched
    balanced = descend(data, range, { middle: middle.at, limit })
  }
}

/** Sorts the smaller side and leaves the larger one in `range`. Returns false if the sides were very unequal. */
function descend(data: Sortable, range: Range, { middle, limit }: { middle: number; limit: number }): boolean {
  const threshold = Math.floor((range.to - range.from) / 8)
  const [left, right] = [middle - range.from, range.to - middle]
  if (left < right) {
    quicksort(data, { from: range.from, to: middle }, limit)
    range.from = middle + 1
    return left >= threshold
  }
  quicksort(data, { from: middle + 1, to: range.to }, limit)
  range.to = middle
  return right >= threshold
}

function insertionSort(data: Sortable, { from, to }: Range): void {
  for (let i = from + 1; i < to; i += 1) {
    for (let j = i; j > from && data.less(j, j - 1); j -= 1) data.swap(j, j - 1)
  }
}

function heapSort(data: Sortable, { from, to }: Range): void {
  const length = to - from
  for (let i = Math.floor((length - 1) / 2); i >= 0; i -= 1) siftDown(data, i, { from, to: length })
  for (let i = length - 1; i >= 0; i -= 1) {
    data.swap(from, from + i)
    siftDown(data, 0, { from, to: i })
  }
}

/** `heap.from` is the position of the root, `heap.to` the size of the heap. */
function siftDown(data: Sortable, start: number, { from, to: size }: Range): void {
  let root = start
  for (;;) {
    let child = 2 * root + 1
    if (child >= size) return
    if (child + 1 < size && data.less(from + child, from + child + 1)) child += 1
    if (!data.less(from + root, from + child)) return
    data.swap(from + root, from + child)
    root = child
  }
}

/** Swaps three elements with positions that depend on the length alone, to break adversarial patterns. */
function breakPatterns(data: Sortable, { from, to }: Range): void {
  const length = to - from
  if (length < 8) return
  const next = xorshift(BigInt(length))
  const mask = (1 << bitLength(length)) - 1
  const target = from + Math.floor(length / 4) * 2 - 1
  for (let i = 0; i < 3; i += 1) {
    const drawn = Number(next() & BigInt(mask))
    data.swap(target + i, from + (drawn >= length ? drawn - length : drawn))
  }
}

function xorshift(seed: bigint): () => bigint {
  let state = seed
  return () => {
    state = BigInt.asUintN(64, state ^ (state << 13n))
    state ^= state >> 7n
    state = BigInt.asUintN(64, state ^ (state << 17n))
    return state
  }
}

/** Chooses the pivot; a range that looks descending is reversed first. */
function preparePivot(data: Sortable, range: Range): { at: number; increasing: boolean } {
  const { at, swaps } = choosePivot(data, range)
  if (swaps < nintherSwaps) return { at, increasing: swaps === 0 }
  for (let i = range.from, j = range.to - 1; i < j; i += 1, j -= 1) data.swap(i, j)
  return { at: range.to - 1 - (at - range.from), increasing: true }
}

/** Number of swaps that the median of three medians counts if every comparison is out of order. */
const nintherSwaps = 12

function choosePivot(data: Sortable, { from, to }: Range): { at: number; swaps: number } {
  const quarter = Math.floor((to - from) / 4)
  const count = { swaps: 0 }
  let points = [from + quarter, from + quarter * 2, from + quarter * 3] as [number, number, number]
  if (to - from >= nintherLimit) {
    points = points.map((at) => median(data, [at - 1, at, at + 1], count)) as [number, number, number]
  }
  return { at: median(data, points, count), swaps: count.swaps }
}

function median(data: Sortable, [a, b, c]: [number, number, number], count: { swaps: number }): number {
  let [low, middle] = ordered(data, [a, b], count)
  ;[middle] = ordered(data, [middle, c], count)
  ;[low, middle] = ordered(data, [low, middle], count)
  return middle
}

function ordered(data: Sortable, [a, b]: [number, number], count: { swaps: number }): [number, number] {
  if (!data.less(b, a)) return [a, b]
  count.swaps += 1
  return [b, a]
}

/** Tries to finish a nearly sorted range with a few shifts; returns whether it is sorted. */
function almostSorted(data: Sortable, range: Range): boolean {
  let i = range.from + 1
  for (let step = 0; step < partialSteps; step += 1) {
    while (i < range.to && !data.less(i, i - 1)) i += 1
    if (i === range.to) return true
    if (range.to - range.from < partialShiftLimit) return false
    data.swap(i, i - 1)
    shiftNeighbours(data, range, i)
  }
  return false
}

function shiftNeighbours(data: Sortable, { from, to }: Range, at: number): void {
  if (at - from >= 2) {
    for (let j = at - 1; j >= 1 && data.less(j, j - 1); j -= 1) data.swap(j, j - 1)
  }
  if (to - at >= 2) {
    for (let j = at + 1; j < to && data.less(j, j - 1); j += 1) data.swap(j, j - 1)
  }
}

/** Moves smaller elements to the left of the pivot and others to the right. `untouched`: they already were there. */
function partition(data: Sortable, { from, to }: Range, pivot: number): { at: number; untouched: boolean } {
  data.swap(from, pivot)
  let [i, j] = [from + 1, to - 1]
  let untouched = true
  for (;;) {
    while (i <= j && data.less(i, from)) i += 1
    while (i <= j && !data.less(j, from)) j -= 1
    if (i > j) break
    untouched = false
    data.swap(i, j)
    i += 1
    j -= 1
  }
  data.swap(j, from)
  return { at: j, untouched }
}

/**
 * Moves elements equal to the pivot to the left and greater ones to the right; returns the first position of the
 * latter.
 */
function partitionEqual(data: Sortable, { from, to }: Range, pivot: number): number {
  data.swap(from, pivot)
  let [i, j] = [from + 1, to - 1]
  for (;;) {
    while (i <= j && !data.less(from, i)) i += 1
    while (i <= j && data.less(from, j)) j -= 1
    if (i > j) return i
    data.swap(i, j)
    i += 1
    j -= 1
  }
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value)
}
