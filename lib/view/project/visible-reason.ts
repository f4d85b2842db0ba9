/** Restricts reasons to what the reader may view. */
import type { WaitReason } from '@/lib/domain/queue'
import { message } from '@/lib/messages/message'

/** Replaces the name of a workload in a namespace that the reader may not view. */
export function visibleReason(reason: WaitReason, sees: (namespace: string) => boolean): WaitReason {
  if ((reason.code !== 'BlockedByHead' && reason.code !== 'YieldsToHead') || typeof reason.head !== 'string')
    return reason
  const namespace = reason.head.slice(0, reason.head.indexOf('/'))
  return sees(namespace) ? reason : { ...reason, head: message('queues.reason.hiddenWorkload') }
}
