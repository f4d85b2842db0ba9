import { lettersOf } from '../picture/letters'
import { useText } from '../messages/use-text'
import type { CellPlace, MatrixLayout } from './matrix-layout'

/** Room for the labels at the left. */
export const LEFT = 128
const MAX_LETTERS = 17
/** Rows between labels, lest they run into each other. */
const MIN_APART = 13

interface MarksProps {
  layout: MatrixLayout
  marked: CellPlace | undefined
}

interface Label {
  name: string
  at: number
  isMarked: boolean
}

/** The labels that have room, with those of the chosen clusters set off. */
function useLabels({ layout: { labels }, marked }: MarksProps, index: (at: CellPlace) => number): Label[] {
  const text = useText()
  const shown: Label[] = []
  for (const { name, at, from, to } of labels) {
    const chosen = marked && index(marked)
    const last = shown.at(-1)
    if (last && at - last.at < MIN_APART) continue
    const isMarked = chosen !== undefined && from <= chosen && chosen <= to
    shown.push({ name: name === '' ? text('resilience.noRegion') : name, at, isMarked })
  }
  return shown
}

function cut(name: string): string {
  if (lettersOf(name) <= MAX_LETTERS) return name
  const letters = [...name]
  let kept = ''
  for (const letter of letters) {
    if (lettersOf(kept + letter) > MAX_LETTERS - 1) break
    kept += letter
  }
  return `${kept}…`
}

export function SideLabels(props: MarksProps) {
  return useLabels(props, ({ row }) => row).map(({ name, at, isMarked }) => (
    <text
      key={`${name} ${at}`}
      x={LEFT - 8}
      y={at}
      textAnchor="end"
      dominantBaseline="central"
      className={isMarked ? 'fill-ink text-label font-semibold' : 'fill-ink text-label font-normal'}
    >
      <title>{name}</title>
      {cut(name)}
    </text>
  ))
}

export function BottomLabels(props: MarksProps) {
  const y = props.layout.size + 12
  return useLabels(props, ({ column }) => column).map(({ name, at, isMarked }) => (
    <text
      key={`${name} ${at}`}
      textAnchor="end"
      transform={`translate(${at + 4} ${y}) rotate(-35)`}
      className={isMarked ? 'fill-ink text-label font-semibold' : 'fill-ink text-label font-normal'}
    >
      <title>{name}</title>
      {cut(name)}
    </text>
  ))
}

/** Frames around the row and the column of the chosen cell. */
export function Outline({ layout: { starts, cell, size }, at }: { layout: MatrixLayout; at: CellPlace }) {
  const [x, y] = [starts[at.column]!, starts[at.row]!]
  return (
    <g className="fill-none stroke-ink" strokeWidth={1.5}>
      <rect x={-1.5} y={y - 1.5} width={starts[at.row]! + cell + 3} height={cell + 3} rx={2} />
      <rect x={x - 1.5} y={x - 1.5} width={cell + 3} height={size - x + 3} rx={2} />
    </g>
  )
}
