/** Paces writes of a bench. */

/**
 * Yields how many changes are due, tick by tick, until it is left. What could not be written in time is made up for a second
 * at most.
 */
export async function* steadily(changesPerSecond: number, tickMs: number): AsyncGenerator<number> {
  let [owed, last] = [0, performance.now()]
  for (;;) {
    await new Promise((resolve) => {
      setTimeout(resolve, tickMs)
    })
    const now = performance.now()
    owed = Math.min(changesPerSecond, owed + ((now - last) / 1000) * changesPerSecond)
    last = now
    const due = Math.floor(owed)
    owed -= due
    yield due
  }
}
