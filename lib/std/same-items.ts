/** Whether two lists hold the same values and objects, in the same order. */
export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => Object.is(item, other[at]))
}
