import type { ReactNode, RefObject } from 'react'
import type { GroupRow, MatrixRow } from '../matrix-model'
import type { useFleet } from '../use-fleet'

/** What the table and the picture have in common. */
export interface HeatPanelProps {
  fleet: ReturnType<typeof useFleet>
  rows: readonly MatrixRow[]
  gone: ReadonlySet<string>
  selection: {
    selected: ReadonlySet<string>
    toggle: (id: string, event: { shiftKey: boolean }) => void
    toggleGroup: (group: GroupRow) => void
    toggleAll: () => void
  }
  /** Folds or opens a group. */
  toggle: (group: string) => void
  /** Names the namespace of every workload: its group does not. */
  withNamespace: boolean
  /** The same as a table, where there is no canvas. */
  table: ReactNode
}

/** What scrolls. */
export type Scroller = RefObject<HTMLDivElement | null>
