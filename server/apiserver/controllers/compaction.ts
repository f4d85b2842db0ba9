import type { Clock } from '@/lib/std/clock'
import type { Store } from '../store/store'

/** History is kept for one to two of these, unless there is too much of it. */
const INTERVAL_MS = 5 * 60_000

/** Forgets history that is older than five minutes, every five minutes. Answers how to stop. */
export function compactByAge(store: Store, clock: Clock): () => void {
  let mark = store.revision
  let stop = clock.after(INTERVAL_MS, tick)
  function tick(): void {
    store.compact(mark)
    mark = store.revision
    stop = clock.after(INTERVAL_MS, tick)
  }
  return () => stop()
}
