import { clsx } from 'clsx'
import { type Axis, placeOn } from '@/lib/view/incident/layout'
import type { EpochMs } from '@/lib/std/clock'
import { LETTER, lettersOf } from './letters'

const MARK_HEIGHT = 18
const MARK_ROWS = 3

export interface Mark {
  key: string
  at: EpochMs
  name: string
  title: string
}

interface MarkLabelsProps {
  marks: readonly Mark[]
  axis: Axis
  width: number
  /** Time of the playhead; later parts are paler. */
  at?: EpochMs
}

/**
 * Labels of moments, in separate rows so that they do not overlap; a label without a free row is only in the table.
 * Drawn left of the playhead, which would strike them through.
 */
export function MarkLabels({ marks, axis, width, at: shown = Infinity }: MarkLabelsProps) {
  const x = placeOn(axis, width)
  const ends: number[] = []
  const placed = marks.flatMap((mark) => {
    const size = lettersOf(mark.name) * LETTER + 10
    const line = x(mark.at)
    const left = line + 3 + size <= width ? line + 3 : line - 3 - lettersOf(mark.name) * LETTER
    const row = Array.from({ length: MARK_ROWS }, (_, index) => index).find((each) => (ends[each] ?? -1) < left)
    if (row === undefined || left < 0) return []
    ends[row] = left + size
    return [{ ...mark, left, row, line }]
  })
  const height = Math.max(1, ends.length) * MARK_HEIGHT
  return (
    <svg width={width} height={height} className="relative z-2 block">
      {placed.map(({ key, at, row, line }) => (
        <path
          key={key}
          d={`M${line} ${row * MARK_HEIGHT + 2}V${height}`}
          strokeDasharray="2 3"
          className={clsx('stroke-ink-2', at > shown && 'opacity-50')}
        />
      ))}
      {/* After all lines, which would strike them through. */}
      {placed.map(({ key, at, name, title, left, row }) => (
        <text
          key={key}
          x={left}
          y={row * MARK_HEIGHT + 13}
          className={clsx(
            'fill-ink stroke-paper text-micro [paint-order:stroke] [stroke-width:4px]',
            at > shown && 'opacity-50',
          )}
        >
          <title>{title}</title>
          {name}
        </text>
      ))}
    </svg>
  )
}
