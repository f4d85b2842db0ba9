import type { Selection } from '../registry/selection'
import type { StoreEvent } from '../store/store'
import type { View } from '../views/form'

/**
 * What a watcher sees of a change: an object that begins to match is added, one that ceases to match is deleted,
 * in its last matching state with the revision of the change. Undefined when it never matched.
 */
export function eventLine(view: View, selection: Selection, event: StoreEvent): string | undefined {
  const { entry, previous, type } = event
  const before = previous !== undefined && selection.matches(previous)
  if (type === 'delete') return before ? view.event('DELETED', entry) : undefined
  if (selection.matches(entry)) return view.event(before ? 'MODIFIED' : 'ADDED', entry)
  return before ? view.gone(previous, entry.revision) : undefined
}
