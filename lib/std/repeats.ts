/** A question to be asked of each value of a list in turn: has the same one been asked about before? */
export function repeats(): (value: unknown) => boolean {
  const seen = new Set<unknown>()
  return (value) => seen.size === seen.add(value).size
}
