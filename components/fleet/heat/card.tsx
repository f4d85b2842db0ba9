'use client'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { ReplicaCounts } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import { countsText } from '@/lib/view/text/replica-counts'
import { useText } from '../../messages/use-text'
import { StateGlyph } from '../../status/state-glyph'
import type { MatrixRow } from '../matrix-model'
import { spreadOf } from './amounts'
import type { Scroller } from './props'
import { boxOf, type Place } from './hit'
import type { ColumnTrack, Geometry } from './layout'
import { columnSentence, countsIn, countsInRegion, rowSentence, titleOf } from './sentences'

interface CardProps {
  at: Place | undefined
  rows: readonly MatrixRow[]
  geometry: Geometry
  scroller: Scroller
}

/** Shows the values at the crosshair as text. The grid gives the same text to assistive technology. */
export function HeatCard({ at, rows, geometry, scroller }: CardProps) {
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (card.current && scroller.current && at) place(card.current, scroller.current, { geometry, at })
  })
  const row = at?.row === undefined ? undefined : rows[at.row]
  const track = at?.column === undefined ? undefined : geometry.columns.tracks[at.column]
  if (row === undefined && track === undefined) return null
  return (
    <div
      ref={card}
      aria-hidden="true"
      data-testid="heat-card"
      className="pointer-events-none absolute z-30 w-72 rounded-panel border border-line bg-paper p-3 shadow-overlay"
    >
      <Content row={row} track={track} />
    </div>
  )
}

const AWAY = 12

/** Beside the mark, on the side where there is room, and inside of what shows. */
function place(card: HTMLElement, scroller: HTMLElement, { geometry, at }: { geometry: Geometry; at: Place }): void {
  const { clientWidth: width, clientHeight: height, scrollLeft: left, scrollTop: top } = scroller
  const box = boxOf({ ...geometry, view: { left, top, width, height } }, at)
  const fitsRight = box.x + box.width + AWAY + card.offsetWidth < width
  const x = fitsRight ? box.x + box.width + AWAY : Math.max(4, box.x - AWAY - card.offsetWidth)
  const y = Math.max(4, Math.min(box.y + box.height + AWAY, height - card.offsetHeight - 4))
  card.style.left = `${left + x}px`
  card.style.top = `${top + y}px`
}

function Content({ row, track }: { row: MatrixRow | undefined; track: ColumnTrack | undefined }) {
  const text = useText()
  if (row === undefined) return track && <Words>{columnSentence(text, track)}</Words>
  if (track === undefined) return <Words>{rowSentence(text, row)}</Words>
  return <CellContent row={row} track={track} />
}

function Words({ children }: { children: ReactNode }) {
  return <p className="line-clamp-6 break-words">{children}</p>
}

function CellContent({ row, track }: { row: MatrixRow; track: ColumnTrack }) {
  const text = useText()
  const isRegion = track.kind === 'region'
  const parts = isRegion ? countsInRegion(row, track.clusters) : []
  const counts = isRegion ? (parts.length > 0 ? sumCounts(parts) : undefined) : countsIn(row, track.column.name)
  const where = isRegion ? track.region || text('fleetHeat.noRegion') : track.column.name
  const cell =
    row.kind === 'workload' && !isRegion
      ? row.workload.cells.find(({ cluster }) => cluster === track.column.name)
      : undefined
  const whole = row.kind === 'group' ? row.sum : row.workload
  return (
    <>
      <p className="line-clamp-3 font-semibold break-words">
        {text('fleetHeat.card.title', { name: titleOf(text, row), where })}
      </p>
      {counts === undefined ? (
        <p className="mt-1 text-ink-2">{text('fleetHeat.card.none')}</p>
      ) : (
        <Figures counts={counts} />
      )}
      {cell !== undefined && (
        <p className="mt-1.5 flex gap-1.5">
          <span className="flex h-5 items-center">
            <StateGlyph state={cell.state.state} />
          </span>
          <span className="line-clamp-3 break-words">{text.of(cell.state.reason)}</span>
        </p>
      )}
      <dl className="mt-1.5 flex flex-col gap-0.5">
        {isRegion && parts.length > 0 && (
          <Fact name={text('fleetHeat.card.spread')} value={text('fleetHeat.card.spreadOf', { ...spreadOf(parts) })} />
        )}
        <Fact
          name={text('fleetHeat.card.allClusters')}
          value={text('fleetHeat.card.readyOf', { ready: whole.ready, desired: whole.desired })}
        />
      </dl>
      <p className="mt-2 border-t border-line pt-2 text-micro text-ink-2">{text(`fleetHeat.card.keys.${row.kind}`)}</p>
    </>
  )
}

function Figures({ counts }: { counts: ReplicaCounts }) {
  const text = useText()
  return (
    <p className="mt-1">
      <span className="text-title">
        {text('fleetHeat.card.readyOf', { ready: counts.ready, desired: counts.desired })}
      </span>
      <span className="block text-ink-2">{countsText(text, counts)}</span>
    </p>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-2">{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
