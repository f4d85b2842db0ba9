/** What a cell of workload and cluster prints. */
import type { CellView } from '@/lib/view/model'

/** Figure of a cell. `absent`: desired, but without a report. `moving`: only old replicas. */
export interface CellFigure {
  kind: 'even' | 'short' | 'moving' | 'absent' | 'presence'
  /** Before the separator, or all there is: ready replicas; old ones where the workload is leaving. */
  figure: string
  /** After the separator: desired replicas. */
  of?: string
  /** Old replicas besides: `+2`. */
  note?: string
}

/** Even cells print one number; others print ready of desired, and what is unknown or old. */
export function cellFigure(cell: CellView, hasReplicas: boolean): CellFigure {
  const { desired, ready, unknown = 0, old = 0, role } = cell
  if (!hasReplicas) return { kind: unknown > 0 ? 'absent' : 'presence', figure: '' }
  if (role !== 'placed') return { kind: 'moving', figure: isOldUnknown(cell) ? '?' : String(old), of: '0' }
  const note = old > 0 ? { note: `+${old}` } : {}
  if (unknown > 0) {
    const figure = ready === 0 ? '?' : `${ready}+?`
    return { kind: 'absent', figure, of: String(desired), ...note }
  }
  if (ready === desired) return { kind: 'even', figure: String(desired), ...note }
  return { kind: 'short', figure: String(ready), of: String(desired), ...note }
}

/** A cell in one word: `4`, `2/4`, `?/4`, `4+2`, `2→0`. */
export function figureText({ kind, figure, of, note = '' }: CellFigure): string {
  return `${figure}${of === undefined ? '' : `${kind === 'moving' ? '→' : '/'}${of}`}${note}`
}

/** Reports whether old replicas may run where the member does not tell. */
export const isOldUnknown = ({ role, oldUnknown = 0, state }: CellView): boolean =>
  role !== 'placed' && (oldUnknown > 0 || state.state === 'unknown')
