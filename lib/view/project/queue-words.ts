/** Reasons as one reader may see them. */
import type { WaitWhy } from '@/lib/domain/queue'

const SOMEBODY = 'a workload that you may not see'

/** The reason without the name of a workload in a namespace that is not seen. */
export function namespacedOnly(why: WaitWhy, sees: (namespace: string) => boolean): WaitWhy {
  if (why.code !== 'StrictHeadBlocked' && why.code !== 'YieldsToHead') return why
  return sees(why.head.slice(0, why.head.indexOf('/'))) ? why : { ...why, head: SOMEBODY }
}
