/**
 * How many of the indexes from 0 to `count` - 1 the predicate holds for, found by halving. The predicate must hold for a
 * beginning of them and for none after it. It is also the first index for which it does not hold.
 */
export function countWhile(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
