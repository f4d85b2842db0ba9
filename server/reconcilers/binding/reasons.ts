/** Events about propagating a binding to its clusters. */
import type { ObjectReference } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/runtime/controller'
import { type Binding, eventTargets } from '../shared/binding-kinds'

/** Records an event on the binding and on its template. */
function emitBoth(
  events: EventRecorder,
  binding: Binding,
  event: { type: 'Normal' | 'Warning'; reason: string; message: string },
): void {
  for (const regarding of eventTargets(binding)) events.record({ component: componentOf(binding), regarding, ...event })
}

function componentOf({ metadata }: Binding): string {
  return metadata.namespace === undefined ? 'cluster-resource-binding-controller' : 'binding-controller'
}

export function emitSynced(events: EventRecorder, binding: Binding): void {
  const { namespace, name } = binding.metadata
  const what = namespace === undefined ? `ClusterResourceBinding(${name})` : `ResourceBinding(${namespace}/${name})`
  // upstream: Karmada binding-controller
  emitBoth(events, binding, { type: 'Normal', reason: 'SyncWorkSucceed', message: `Sync work of ${what} successful.` })
}

export function emitSyncFailed(events: EventRecorder, binding: Binding, error: unknown): void {
  emitBoth(events, binding, { type: 'Warning', reason: 'SyncWorkFailed', message: textOf(error) })
}

export function emitCleanupFailed(events: EventRecorder, binding: Binding, error: unknown): void {
  const [regarding] = eventTargets(binding) as [ObjectReference]
  events.record({
    component: componentOf(binding),
    regarding,
    type: 'Warning',
    reason: 'CleanupWorkFailed',
    message: textOf(error),
  })
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
