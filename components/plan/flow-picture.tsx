'use client'
import { clsx } from 'clsx'
import { useMemo, useState } from 'react'
import { type FlowMove, MAX_PLACES, type PlanFlow } from '@/lib/view/plan-flow/flow'
import { type FlowBar, type FlowRibbon, layoutFlow } from '@/lib/view/plan-flow/layout'
import { afterMove, type LoadChange } from '@/lib/view/plan-flow/load'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { lettersOf } from '../picture/letters'
import { useRoving } from '../picture/use-roving'
import { useWidth } from '../picture/use-width'
import { LeaveOutMenu } from './leave-out'
import { LoadBar } from './load-bar'

interface FlowPictureProps {
  flow: PlanFlow
  /** CPU of a cluster, or of a region. */
  loads: ReadonlyMap<string, LoadChange>
  byRegion: boolean
  /** The plan has begun, so that a ribbon has a part that is done. */
  started: boolean
  /** Opens the table that says the same. */
  onTable: () => void
  /** Computes the plan again without a workload; absent once the plan exists. */
  onLeaveOut?: ((workload: string) => void) | undefined
}

const HEAD = 24
const MAX_LISTED = 8
/** A letter of a name is about this wide. */
const LETTER = 7

/** Clusters before at the left, after at the right, and ribbons as wide as what moves. */
export function FlowPicture({ flow, loads, byRegion, started, onTable, onLeaveOut }: FlowPictureProps) {
  const text = useText()
  const [measured, width] = useWidth<HTMLDivElement>()
  const [active, setActive] = useState<FlowMove>()
  const [openedKey, setOpened] = useState<string>()
  // The plan is computed again under an open menu; it stays open while its ribbon is there.
  const opened = onLeaveOut && flow.moves.find((move) => keyOf(move) === openedKey)
  const isNarrow = width < 620
  const [left, right] = isNarrow ? [96, 104] : [170, 290]
  const between = Math.max(60, width - left - right)
  const layout = useMemo(() => layoutFlow(flow, { width: between }), [flow, between])
  const roving = useRoving(layout.ribbons.length)
  const nameOfPlace = (name: string | undefined): string => name ?? text('planPicture.flow.nowhere')
  const sentenceOf = ({ from, to, replicas, done, workloads }: FlowMove): string => {
    const args = { replicas, n: workloads.length, from: nameOfPlace(from), to: nameOfPlace(to) }
    return started ? text('planPicture.flow.moveDone', { ...args, done }) : text('planPicture.flow.move', args)
  }
  return (
    <div ref={measured} data-testid="plan-flow" data-moved={flow.moved} data-done={flow.done}>
      {width > 0 && (
        <svg width={width} height={layout.height + HEAD} className="block">
          <Heads left={left} between={between} isNarrow={isNarrow} />
          <g transform={`translate(0 ${HEAD})`}>
            <g transform={`translate(${left} 0)`}>
              {layout.stays.map(({ place, path }) => (
                <path key={place.name} d={path} className="fill-sunken" />
              ))}
              {layout.ribbons.map((ribbon, index) => (
                <Ribbon
                  key={keyOf(ribbon.move)}
                  ribbon={ribbon}
                  sentence={sentenceOf(ribbon.move)}
                  faded={active !== undefined && active !== ribbon.move}
                  onActive={setActive}
                  focus={roving.propsOf(index, () => setActive(ribbon.move))}
                  {...(onLeaveOut
                    ? { isOpen: opened === ribbon.move, onOpen: () => setOpened(keyOf(ribbon.move)) }
                    : { onOpen: onTable })}
                />
              ))}
              {layout.ribbons.map(({ move, label, width: size }) => (
                <RibbonLabel key={`${move.from} ${move.to}`} move={move} label={label} size={size} started={started} />
              ))}
            </g>
            {layout.bars.map((bar) => (
              <Bar
                key={bar.place.name}
                bar={bar}
                load={loads.get(bar.place.name)}
                columns={{ left, between, isNarrow, letters: Math.floor((isNarrow ? left - 8 : left - 50) / LETTER) }}
              />
            ))}
          </g>
        </svg>
      )}
      {opened && onLeaveOut && (
        <LeaveOutMenu
          key={openedKey}
          move={opened}
          sentence={sentenceOf(opened)}
          onLeaveOut={onLeaveOut}
          onClose={() => setOpened(undefined)}
        />
      )}
      <p className="min-h-10 pt-1 text-ink-2" aria-live="polite">
        {active ? (
          <MoveDetails move={active} sentence={sentenceOf(active)} />
        ) : (
          text(onLeaveOut ? 'planPicture.flow.hoverOrOpen' : 'planPicture.flow.hover')
        )}
        {byRegion && !active && ` ${text('planPicture.flow.byRegion', { most: MAX_PLACES })}`}
      </p>
    </div>
  )
}

function Heads({ left, between, isNarrow }: { left: number; between: number; isNarrow: boolean }) {
  const text = useText()
  return (
    <g aria-hidden="true" className="fill-ink-2 text-label">
      <text x="0" y="13">
        {text('planPicture.flow.before')}
      </text>
      <text x={left + between + 14} y="13">
        {text('planPicture.flow.after')}
      </text>
      {!isNarrow && (
        <text x={left + between + 180} y="13">
          {text('planPicture.load.cpuAfter')}
        </text>
      )}
    </g>
  )
}

interface RibbonProps {
  ribbon: FlowRibbon
  sentence: string
  faded: boolean
  onActive: (move: FlowMove | undefined) => void
  focus: ReturnType<ReturnType<typeof useRoving>['propsOf']>
  /** Whether the menu of it is open; absent where a ribbon leads to the table. */
  isOpen?: boolean
  onOpen: () => void
}

const keyOf = ({ from, to }: FlowMove): string => `${from} ${to}`

/** Draws arrived replicas dark, and the others pale with a dashed edge. */
function Ribbon({ ribbon: { move, path, donePath }, sentence, faded, onActive, focus, isOpen, onOpen }: RibbonProps) {
  return (
    <a
      href="?flow=table"
      {...(isOpen !== undefined && { role: 'button', 'aria-expanded': isOpen })}
      aria-label={sentence}
      data-testid="flow-ribbon"
      data-from={move.from}
      data-to={move.to}
      data-replicas={move.replicas}
      data-done={move.done}
      onClick={(event) => {
        event.preventDefault()
        onOpen()
      }}
      {...focus}
      onBlur={() => onActive(undefined)}
      onMouseEnter={() => onActive(move)}
      onMouseLeave={() => onActive(undefined)}
      className={clsx(faded && 'opacity-40')}
    >
      <path
        d={path}
        strokeDasharray={move.done < move.replicas ? '4 3' : undefined}
        className="fill-chart-ready stroke-chart-predicted"
      />
      {donePath !== undefined && <path d={donePath} className="fill-chart-recovered" />}
    </a>
  )
}

function RibbonLabel({
  move,
  label,
  size,
  started,
}: Pick<FlowRibbon, 'move' | 'label'> & { size: number; started: boolean }) {
  const text = useText()
  if (size < 8) return null
  const words = started
    ? text('planPicture.flow.progress', { done: move.done, replicas: move.replicas })
    : text.format.count(move.replicas)
  const width = lettersOf(words) * LETTER + 12
  return (
    <g aria-hidden="true" className="pointer-events-none">
      <rect x={label.x} y={label.y - 9} width={width} height="18" rx="9" className="fill-paper" />
      <text x={label.x + width / 2} y={label.y + 4} textAnchor="middle" className="fill-ink text-label">
        {words}
      </text>
    </g>
  )
}

interface BarProps {
  bar: FlowBar
  load: LoadChange | undefined
  columns: { left: number; between: number; isNarrow: boolean; letters: number }
}

const cut = (name: string, letters: number): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name)

function Bar({ bar: { place, left, right }, load, columns }: BarProps) {
  const text = useText()
  const edge = columns.left + columns.between
  const delta = place.after - place.before
  return (
    <g data-testid="flow-place" data-place={place.name} data-before={place.before} data-after={place.after}>
      <title>{place.name}</title>
      <BarShape x={columns.left - 8} {...left} />
      <BarShape x={edge} {...right} />
      <g aria-hidden="true">
        <text x="0" y={left.y + 12} className="fill-ink text-body">
          {cut(place.name, columns.letters)}
        </text>
        <text x="0" y={left.y + 26} className="fill-ink-2 text-micro">
          {text('planPicture.flow.stay', { n: place.stay })}
        </text>
        {!columns.isNarrow && (
          <text x={columns.left - 14} y={left.y + 12} textAnchor="end" className="fill-ink text-body">
            {text.format.count(place.before)}
          </text>
        )}
        <text x={edge + 14} y={right.y + 12} className="fill-ink text-body">
          {cut(place.name, columns.letters)}
        </text>
        <text x={edge + 14} y={right.y + 26} className="fill-ink-2 text-micro">
          {text.format.count(place.after)} ({text.format.delta(delta)})
        </text>
        {load && !columns.isNarrow && <PlaceLoad x={edge + 180} y={right.y + 4} load={load} />}
      </g>
    </g>
  )
}

function BarShape({ x, y, height }: { x: number; y: number; height: number }) {
  return height > 0 ? (
    <rect x={x} y={y} width="8" height={Math.max(1, height)} className="fill-amount-7" />
  ) : (
    <rect x={x + 0.5} y={y} width="7" height="20" fill="none" strokeDasharray="2 2" className="stroke-ink-2" />
  )
}

const LOAD_WIDTH = 72

/** CPU requested now and after, and the share that is requested after. */
function PlaceLoad({ x, y, load }: { x: number; y: number; load: LoadChange }) {
  const text = useText()
  const after = afterMove(load)
  return (
    <g transform={`translate(${x} ${y})`}>
      <LoadBar change={load} width={LOAD_WIDTH} />
      <text x={LOAD_WIDTH + 6} y="9" className="fill-ink text-label">
        {after === undefined || !load.capacity ? '◌' : text.format.percent(after, load.capacity.allocatable)}
      </text>
    </g>
  )
}

function MoveDetails({ move: { workloads }, sentence }: { move: FlowMove; sentence: string }) {
  const text = useText()
  const listed = workloads.slice(0, MAX_LISTED).map(({ id, replicas }) => {
    const ref = parseWorkloadId(id)
    return text('planPicture.flow.workload', { workload: ref ? nameOf(ref) : id, n: replicas })
  })
  const rest = workloads.length - listed.length
  return (
    <>
      <span className="font-medium text-ink">{sentence}</span> · {listed.join(', ')}
      {rest > 0 && `, ${text('planPicture.flow.more', { n: rest })}`}
    </>
  )
}
