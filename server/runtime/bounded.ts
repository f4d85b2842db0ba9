/** Runs asynchronous work with bounded concurrency. */

/**
 * Maps items in order with at most `limit` concurrent calls. Rejects with the first error after all started calls have
 * ended, so that a retry does not overlap with earlier calls.
 */
export async function mapBounded<I, O>(items: readonly I[], limit: number, map: (item: I) => Promise<O>): Promise<O[]> {
  const results: O[] = Array.from({ length: items.length })
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker))
  const failed = workers.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return results
}
