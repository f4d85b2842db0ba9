import type { Selection } from '../registry/selection'
import type { StoreEvent } from '../store/store'
import type { Lines, View } from '../views/form'
import type { FramedLines } from '../views/protobuf-lines'

type Batches = WeakMap<readonly StoreEvent[], Map<string, Uint8Array>>

const texts: Batches = new WeakMap()
const frames: Batches = new WeakMap()

/**
 * The lines of a batch for a watcher of the keys under `prefix`. Watchers that see the same get the same bytes, which
 * are made once for all of them.
 */
export function batchLines(
  view: View,
  selection: Selection,
  prefix: string,
  events: readonly StoreEvent[],
): string | Uint8Array {
  if (!view.plain || !selection.everything) return joinLines(view, selection, prefix, events)
  return sharedBatch({ batches: texts, prefix, events }, () => Buffer.from(joinLines(view, selection, prefix, events)))
}

/** The same in frames. Watchers of one kind in different forms or versions do not share: only whole objects are kept. */
export function batchBytes(
  lines: FramedLines,
  selection: Selection,
  prefix: string,
  events: readonly StoreEvent[],
): Uint8Array {
  const make = (): Buffer => Buffer.concat(linesOf(lines, selection, prefix, events))
  return lines.shared && selection.everything ? sharedBatch({ batches: frames, prefix, events }, make) : make()
}

interface Batch {
  batches: Batches
  prefix: string
  events: readonly StoreEvent[]
}

function sharedBatch({ batches, prefix, events }: Batch, make: () => Buffer): Uint8Array {
  const known = batches.get(events) ?? new Map<string, Uint8Array>()
  batches.set(events, known)
  const made = known.get(prefix) ?? make()
  known.set(prefix, made)
  return made
}

/** The same for bytes of one's own. */
export function joinLines(view: View, selection: Selection, prefix: string, events: readonly StoreEvent[]): string {
  return linesOf(view, selection, prefix, events).join('')
}

/** The lines for a watcher of the keys under `prefix`, for a batch. */
export function linesOf<Line>(
  ...[lines, selection, prefix, events]: [Lines<Line>, Selection, string, readonly StoreEvent[]]
): Line[] {
  const told: Line[] = []
  for (const event of events) {
    if (!event.entry.location.key.startsWith(prefix)) continue
    const line = eventLine(lines, selection, event)
    if (line !== undefined) told.push(line)
  }
  return told
}

/**
 * The event of a change for a watcher: an object that begins to match is added, one that no longer matches is deleted,
 * in its last matching state with the revision of the change. Undefined when it never matched.
 */
function eventLine<Line>(lines: Lines<Line>, selection: Selection, event: StoreEvent): Line | undefined {
  const { entry, previous, type } = event
  const before = previous !== undefined && selection.matches(previous)
  if (type === 'delete') return before ? lines.event('DELETED', entry) : undefined
  if (selection.matches(entry)) return lines.event(before ? 'MODIFIED' : 'ADDED', entry)
  return before ? lines.gone(previous, entry.revision) : undefined
}
