/** Asks about many things, a few at a time, and no further once it makes no sense. */

export interface AskAllOptions {
  /** Answers under way at once. */
  atOnce: number
  /** After more failures than these nothing more is asked. Default: none may fail. */
  mostFailures?: number
  /** Looked at before each; true ends the asking without a failure. */
  isOver?: () => boolean
}

/**
 * Resolves once everything was asked. Rejects with the first failure when there were too many of them, or no answer at
 * all, after what was under way has ended.
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
