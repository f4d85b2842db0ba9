/** Texts of replica counts. */
import type { Text } from '@/lib/messages'
import type { CellView, ReplicaCounts } from '../model'

/** Returns "3 of 8 ready, 4 current, 2 unknown, 2 old replicas (1 ready)". */
export function countsText(
  text: Text,
  { desired, current, ready, unknown = 0, old = 0, oldReady = 0, oldUnknown = 0 }: ReplicaCounts,
): string {
  return text('common.counts', {
    desired,
    current,
    ready,
    unknown,
    old,
    oldReady,
    oldUnknown,
    others: current === ready ? 'none' : 'some',
  })
}

/** Returns "2 unknown and 3 old"; empty if every replica is desired and its state is known. */
export function countNotes(text: Text, { unknown = 0, old = 0, oldUnknown = 0 }: ReplicaCounts): string {
  const notes = Object.entries({ unknown, old, oldUnknown }).filter(([, n]) => n > 0)
  return text.format.list(
    notes.map(([name, n]) => text(`common.countNote.${name as 'unknown' | 'old' | 'oldUnknown'}`, { n })),
  )
}

/** Returns the accessible name of a matrix cell: "web in eu-1: 2 of 4 ready, 3 current. Degraded". */
export function cellText(text: Text, workload: string, cell: CellView, hasReplicas = true): string {
  const {
    cluster,
    role,
    state: { state },
  } = cell
  const said = { workload, cluster, role, state: text(`common.state.${state}`) }
  return hasReplicas
    ? text('fleet.cell', { ...said, counts: countsText(text, cell) })
    : text('fleet.cellWithoutReplicas', said)
}
