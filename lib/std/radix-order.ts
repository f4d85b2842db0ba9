/** Orders thousands of small numbers without comparing them. */

const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS

/**
 * Returns the indexes of the keys in ascending order of the keys; equal keys stay in the order of the list. It orders
 * by the last digit first. For thousands of objects this is many times faster than a comparison function.
 */
export function radixOrder(keys: Uint32Array): Uint32Array {
  let order: Uint32Array = new Uint32Array(keys.length)
  for (let index = 0; index < order.length; index += 1) order[index] = index
  const max = keys.reduce((most, key) => Math.max(most, key), 0)
  for (let shift = 0; shift < 32 && max >>> shift > 0; shift += DIGIT_BITS) order = byDigit(keys, order, shift)
  return order
}

function byDigit(keys: Uint32Array, order: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(DIGITS + 1)
  for (const key of keys) starts[((key >>> shift) & (DIGITS - 1)) + 1]! += 1
  for (let digit = 0; digit < DIGITS; digit += 1) starts[digit + 1]! += starts[digit]!
  const next = new Uint32Array(order.length)
  for (const index of order) {
    const digit = (keys[index]! >>> shift) & (DIGITS - 1)
    const at = starts[digit]!
    next[at] = index
    starts[digit]! += 1
  }
  return next
}
