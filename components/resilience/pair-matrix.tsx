'use client'
import { clsx } from 'clsx'
import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { useWidth } from '../picture/use-width'
import { LossCard } from './loss-card'
import { MatrixKey } from './matrix-key'
import { type CellPlace, cellAt, layoutMatrix, type MatrixLayout, pathsOf, stepInTriangle } from './matrix-layout'
import { BottomLabels, LEFT, Outline, SideLabels } from './matrix-marks'
import { losingAt } from './summary'
import type { Chosen } from './use-chosen'
import { sentenceOfCell } from './words'

const BOTTOM = 88
/** The card stands beside the matrix, or in the empty half of its square. */
const CARD = 288
/** The triangle must leave room for the card above its diagonal. */
const ROOM_IN_TRIANGLE = 480
const TALLEST = 560
const SMALL_PITCH = 6

interface MatrixProps {
  losses: LossesView
  chosen: Chosen | undefined
}

/** Pairs of clusters as a triangle; its diagonal are the clusters alone. */
export function PairMatrix({ losses, chosen }: MatrixProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const layout = useMemo(() => layoutMatrix(losses.clusters, roomFor(losses, width)), [losses, width])
  const [pointed, setPointed] = useState<CellPlace>()
  const isBeside = width - LEFT - layout.size >= CARD + 24
  const isInside = !isBeside && layout.size >= ROOM_IN_TRIANGLE
  return (
    <div ref={frame} className="flex flex-col gap-3">
      {/* A matrix is too fine for a narrow screen: the worst cases, which follow, stand for it. */}
      <div className="flex flex-col gap-3 max-wide:hidden">
        <MatrixKey hasUnknown={losses.pairs === undefined} />
        <CellSentence losses={losses} at={pointed} />
      </div>
      <div className="relative flex flex-wrap items-start gap-6">
        {width > 0 && losses.clusters.length > 0 && (
          <div className="max-w-full max-wide:hidden">
            <Triangle losses={losses} layout={layout} chosen={chosen} onPoint={setPointed} />
          </div>
        )}
        {chosen && (
          <div
            className={clsx('w-72 max-w-full max-wide:static max-wide:w-full', isInside && 'absolute top-0 right-0')}
          >
            <LossCard chosen={chosen} />
          </div>
        )}
      </div>
    </div>
  )
}

/** As wide as its frame, but no higher than a screen while cells are large enough. */
const roomFor = ({ clusters }: LossesView, width: number): number =>
  Math.min(width - LEFT - 8, Math.max(TALLEST, clusters.length * SMALL_PITCH))

/** What is under the pointer, in a line that is always there. */
function CellSentence({ losses, at }: { losses: LossesView; at: CellPlace | undefined }) {
  const text = useText()
  return (
    <p aria-hidden="true" className="min-h-5 truncate text-ink-2">
      {at && sentenceOfCell(text, namesAt(losses, at), losingAt(losses, at.row, at.column))}
    </p>
  )
}

function namesAt({ clusters }: LossesView, { row, column }: CellPlace): string[] {
  const names = [...new Set([row, column])].map((index) => clusters[index]?.name ?? '')
  return names.filter((name) => name !== '')
}

interface TriangleProps extends MatrixProps {
  layout: MatrixLayout
  onPoint: (at: CellPlace | undefined) => void
}

function Triangle({ losses, layout, chosen, onPoint }: TriangleProps) {
  const text = useText()
  const { tweak } = useUrlState()
  const paths = useMemo(() => pathsOf(layout, (row, column) => losingAt(losses, row, column)), [layout, losses])
  const choose = (at: CellPlace | undefined) => tweak({ by: undefined, loss: at && namesAt(losses, at).join(',') })
  const marked = placeOf(losses, chosen)
  const placeOfEvent = ({ clientX, clientY, currentTarget }: MouseEvent<SVGElement>): CellPlace | undefined => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return cellAt(layout, clientX - left - LEFT, clientY - top)
  }
  return (
    <fieldset aria-label={text('resilience.matrix.label')} className="relative max-w-full min-w-0 overflow-x-auto p-1">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the button over the cell has the keys */}
      <svg
        width={LEFT + layout.size + 4}
        height={layout.size + BOTTOM}
        aria-hidden="true"
        data-testid="pair-matrix"
        onMouseMove={(event) => onPoint(placeOfEvent(event))}
        onMouseLeave={() => onPoint(undefined)}
        onClick={(event) => {
          const at = placeOfEvent(event)
          if (at) choose(at)
        }}
      >
        <SideLabels layout={layout} marked={marked} />
        <g transform={`translate(${LEFT} 0)`}>
          <path d={paths.pair} className="fill-amount-1" />
          <path d={paths.single} className="fill-amount-3" />
          <path d={paths.unknown} className="fill-none stroke-line" />
          <path d={paths.depths[0]} className="fill-loss-1" />
          <path d={paths.depths[1]} className="fill-loss-2" />
          <path d={paths.depths[2]} className="fill-loss-3" />
          <path d={paths.dots} className="fill-paper" />
          {marked && <Outline layout={layout} at={marked} />}
          <BottomLabels layout={layout} marked={marked} />
        </g>
      </svg>
      <Cursor losses={losses} layout={layout} onChoose={choose} start={marked} />
    </fieldset>
  )
}

function placeOf({ clusters }: LossesView, chosen: Chosen | undefined): CellPlace | undefined {
  const indexes = (chosen?.names ?? []).map((name) => clusters.findIndex((cluster) => cluster.name === name))
  if (indexes.length === 0 || indexes.includes(-1)) return undefined
  return { row: Math.max(...indexes), column: Math.min(...indexes) }
}

interface CursorProps {
  losses: LossesView
  layout: MatrixLayout
  start: CellPlace | undefined
  /** Undefined: none any more. */
  onChoose: (at: CellPlace | undefined) => void
}

/** The one cell that takes the focus. Arrow keys lead to another one, which is another button: screen readers say its name. */
function Cursor({ losses, layout: { starts, cell }, start, onChoose }: CursorProps) {
  const text = useText()
  const [at, setAt] = useState<CellPlace>()
  const button = useRef<HTMLButtonElement>(null)
  const moved = useRef(false)
  const count = losses.clusters.length
  const place = at ?? start ?? { row: 0, column: 0 }
  const row = Math.min(place.row, count - 1)
  const column = Math.min(place.column, row)
  useLayoutEffect(() => {
    if (moved.current) button.current?.focus()
    moved.current = false
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onChoose(undefined)
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    const next = stepInTriangle({ row, column }, event.key, count)
    moved.current = next.row !== row || next.column !== column
    setAt(next)
  }
  const side = Math.max(cell, 6)
  return (
    <button
      key={`${row}:${column}`}
      ref={button}
      type="button"
      data-testid="pair-cell"
      data-losing={losingAt(losses, row, column)}
      aria-label={sentenceOfCell(text, namesAt(losses, { row, column }), losingAt(losses, row, column))}
      onKeyDown={onKeyDown}
      onClick={() => onChoose({ row, column })}
      className="pointer-events-none absolute"
      style={{ left: LEFT + starts[column]! + 4, top: starts[row]! + 4, width: side, height: side }}
    />
  )
}
