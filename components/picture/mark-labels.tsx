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
}

/** Names of moments, in rows of their own so that they cover nothing; one that finds no row is left to the table. */
export function MarkLabels({ marks, axis, width }: MarkLabelsProps) {
  const x = placeOn(axis, width)
  const ends: number[] = []
  const placed = marks.flatMap((mark) => {
    const size = lettersOf(mark.name) * LETTER + 10
    const left = Math.min(x(mark.at) + 3, width - size)
    const row = Array.from({ length: MARK_ROWS }, (_, index) => index).find((each) => (ends[each] ?? -1) < left)
    if (row === undefined || left < 0) return []
    ends[row] = left + size
    return [{ ...mark, left, row, line: x(mark.at) }]
  })
  const height = Math.max(1, ends.length) * MARK_HEIGHT
  return (
    <svg width={width} height={height} className="block">
      {placed.map(({ key, name, title, left, row, line }) => (
        <g key={key}>
          <path d={`M${line} ${row * MARK_HEIGHT + 2}V${height}`} strokeDasharray="2 3" className="stroke-ink-2" />
          <text x={left} y={row * MARK_HEIGHT + 13} className="fill-ink text-micro">
            <title>{title}</title>
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}
