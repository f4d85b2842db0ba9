import { applicationFailoverProducer } from '@/lib/domain/failover'
import { english } from '@/lib/messages/english'
import type { Message } from '@/lib/messages/message'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, eventTargets } from '../shared/binding-kinds'

/** Reports that the eviction could not be written. */
export function reportFailedEvictions(context: ReconcilerContext, binding: Binding, clusters: readonly string[]): void {
  for (const cluster of clusters)
    warn(context, binding, {
      reason: 'EvictWorkloadFromClusterFailed',
      // upstream: pkg/util/helper, EmitClusterEvictionEventForResourceBinding
      message: `Evict from cluster ${cluster} failed.`,
    })
}

/** Reports that a task could not be built, so that nothing is evicted. */
export function emitNotEvicted(context: ReconcilerContext, binding: Binding, why: Message | string): void {
  warn(context, binding, { reason: 'ApplicationFailoverFailed', message: english('failover.event.blocked', { why }) })
}

/** Reports that the eviction continues without a part of the state to preserve. */
export function reportUnpreserved(context: ReconcilerContext, binding: Binding, why: string): void {
  warn(context, binding, {
    reason: 'StatePreservationSkipped',
    message: english('failover.event.stateNotPreserved', { why }),
  })
}

function warn(
  { events }: ReconcilerContext,
  binding: Binding,
  { reason, message }: { reason: string; message: string },
): void {
  const component = applicationFailoverProducer(binding)
  for (const regarding of eventTargets(binding))
    events.record({ component, type: 'Warning', reason, message, regarding })
}
