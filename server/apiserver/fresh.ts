import type { Clock } from '@/lib/std/clock'
import { tooLarge } from './failures'
import type { Store } from './store/store'

/** How long a read waits for a resource version that is not reached yet. */
const TIMEOUT_MS = 3000

/** Resolves when all writes are durable and the store has reached `version`. Rejects with 504 after three seconds. */
export async function untilReached(store: Store, clock: Clock, version = 0): Promise<void> {
  await store.settled()
  if (version <= store.revision) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const unsubscribe = store.subscribe(() => {
    if (version <= store.revision) resolve()
  })
  const stop = clock.after(TIMEOUT_MS, () => reject(tooLarge(version, store.revision)))
  try {
    await promise
  } finally {
    unsubscribe()
    stop()
  }
}
