/** Many things at once, but not too many. */

/** Maps in the given order with at most `limit` calls under way. The first rejection is passed on. */
export async function mapBounded<I, O>(items: readonly I[], limit: number, map: (item: I) => Promise<O>): Promise<O[]> {
  const results: O[] = Array.from({ length: items.length })
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
