import type { Clock } from '@/lib/std/clock'

/** An answer did not arrive in time. The request may still take effect. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed'
}

/**
 * Settles as `work` does, or rejects with DeadlineMissed; a later failure of `work` is ignored.
 */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const { promise: missed, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(ms, () => reject(new DeadlineMissed(`no answer within ${ms} ms`)))
  try {
    return await Promise.race([work, missed])
  } finally {
    cancel()
  }
}
