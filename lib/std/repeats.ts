/** Returns a predicate that reports, for each value in turn, whether an equal value occurred before. */
export function repeats(): (value: unknown) => boolean {
  const seen = new Set<unknown>()
  return (value) => seen.size === seen.add(value).size
}
