/** Reasons as one reader may see them. */
import type { WaitReason } from '@/lib/domain/queue'

const UNKNOWN_USER = 'a workload that you may not see'

/** The reason without the name of a workload in a namespace that is not seen. */
export function namespacedOnly(why: WaitReason, sees: (namespace: string) => boolean): WaitReason {
  if (why.code !== 'StrictHeadBlocked' && why.code !== 'YieldsToHead') return why
  return sees(why.head.slice(0, why.head.indexOf('/'))) ? why : { ...why, head: UNKNOWN_USER }
}
