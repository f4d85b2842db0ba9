/** Runs a request for each of many items, a few at a time, and stops early when continuing is pointless. */

export interface AskAllOptions {
  /** Number of concurrent requests. */
  atOnce: number
  /** The run stops after more failures than this. Default: 0. */
  mostFailures?: number
  /** Checked before each request; true stops the run without a failure. */
  isOver?: () => boolean
}

/**
 * Resolves once every item was requested. Rejects with the first failure when too many requests failed or every request
 * failed, after the running requests have ended.
 */
export async function askAll<I>(
  items: readonly I[],
  { atOnce, mostFailures = 0, isOver = () => false }: AskAllOptions,
  ask: (item: I) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const failures: unknown[] = []
  let answers = 0
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (isOver() || failures.length > mostFailures) return
      try {
        await ask(item)
        answers += 1
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failures.length > mostFailures || (failures.length > 0 && answers === 0)) throw failures[0]
}
