import type { Selection } from '../registry/selection'
import type { StoreEvent } from '../store/store'
import type { View } from '../views/form'

const shared = new WeakMap<readonly StoreEvent[], Map<string, Uint8Array>>()

/**
 * The lines of a batch for a watcher of the keys under `prefix`. Watchers that see the same get the same bytes, which
 * are made once for all of them.
 */
export function batchLines(
  view: View, selection: Selection, prefix: string, events: readonly StoreEvent[],
): string | Uint8Array {
  if (!view.plain || !selection.everything) return joinLines(view, selection, prefix, events)
  const known = shared.get(events) ?? new Map<string, Uint8Array>()
  shared.set(events, known)
  const present = known.get(prefix)
  if (present) return present
  const made = Buffer.from(joinLines(view, selection, prefix, events))
  known.set(prefix, made)
  return made
}

/** The same for bytes of one's own. */
export function joinLines(view: View, selection: Selection, prefix: string, events: readonly StoreEvent[]): string {
  let text = ''
  for (const event of events) {
    if (event.entry.location.key.startsWith(prefix)) text += eventLine(view, selection, event) ?? ''
  }
  return text
}

/**
 * What a watcher sees of a change: an object that begins to match is added, one that ceases to match is deleted, in its
 * last matching state with the revision of the change. Undefined when it never matched.
 */
function eventLine(view: View, selection: Selection, event: StoreEvent): string | undefined {
  const { entry, previous, type } = event
  const before = previous !== undefined && selection.matches(previous)
  if (type === 'delete') return before ? view.event('DELETED', entry) : undefined
  if (selection.matches(entry)) return view.event(before ? 'MODIFIED' : 'ADDED', entry)
  return before ? view.gone(previous, entry.revision) : undefined
}
