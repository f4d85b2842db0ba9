/** Events about aggregating the statuses of Works. */
import type { ObjectReference } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'

/** Returns recorders of events with the component name for this kind of binding. */
export function aggregationEvents(events: EventRecorder, { metadata: { namespace, name } }: Binding) {
  const cluster = namespace === undefined
  const component = `${cluster ? 'cluster-' : ''}resource-binding-status-controller`
  const what = cluster ? `ClusterResourceBinding(${name})` : `ResourceBinding(${namespace}/${name})`
  const record = (regarding: ObjectReference, type: 'Normal' | 'Warning', text: string): void =>
    events.record({
      component,
      type,
      reason: type === 'Normal' ? 'AggregateStatusSucceed' : 'AggregateStatusFailed',
      message: text,
      regarding,
    })
  return {
    bindingUpdated: (regarding: ObjectReference) =>
      // upstream: Karmada binding-status-controller
      record(regarding, 'Normal', `Update ${what} with AggregatedStatus successfully.`),
    templateUpdated: (regarding: ObjectReference) =>
      record(regarding, 'Normal', 'Update Resource with AggregatedStatus successfully.'),
    failed: (regarding: ObjectReference, error: unknown) =>
      record(regarding, 'Warning', error instanceof Error ? error.message : String(error)),
  }
}
