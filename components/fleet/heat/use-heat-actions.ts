'use client'
import { useRouter } from 'next/navigation'
import { href } from '../../hooks/url-state'
import type { GridPosition } from '../grid-keys'
import type { HeatPanelProps } from './props'
import type { ColumnTrack } from './layout'
import type { Heat } from './use-heat'

/** What Enter and a click open, and what Space selects. Row 0 has the column heads, column 0 the row heads. */
export function useHeatActions(
  { rows, selection, toggle, fleet, heat }: HeatPanelProps & { heat: Heat },
  tracks: readonly ColumnTrack[],
) {
  const router = useRouter()
  const openHead = (track: ColumnTrack | undefined): void => {
    if (track === undefined) fleet.head('name').toggle()
    else if (track.kind === 'region') fleet.url.tweak(heat.regions.toggled(track.region))
    else router.push(href.cluster(track.column.name))
  }
  return {
    open: ({ row, column }: GridPosition): void => {
      const entry = rows[row - 1]
      const track = tracks[column - 1]
      if (entry === undefined) openHead(track)
      else if (entry.kind === 'group') toggle(entry.name)
      else router.push(href.workload(entry.id, track?.kind === 'cluster' ? track.column.name : undefined))
    },
    select: ({ row }: GridPosition, event: { shiftKey: boolean }): void => {
      const entry = rows[row - 1]
      if (entry === undefined) selection.toggleAll()
      else if (entry.kind === 'group') selection.toggleGroup(entry)
      else selection.toggle(entry.id, event)
    },
  }
}
