'use client'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Text } from '@/lib/messages'
import { ticksOf } from '@/lib/view/incident/layout'
import type { State } from '@/lib/view/model'
import type { StateTimelineView, TimelineLane, TimelineMove, TimelineSpan } from '@/lib/view/project/state-timeline'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Places } from '../plan/places'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'

/** Height and texture tell the state besides the colour: quiet states are thin. */
const BARS: Record<State, string> = {
  ok: 'h-1 bg-ok',
  active: 'h-2.5 border border-active hatch-starting',
  warn: 'h-3.5 bg-warn',
  fail: 'h-3.5 border border-fail hatch-lost',
  held: 'h-3.5 border border-held hatch-held',
  unknown: 'h-3.5 border border-dashed border-ink-2 bg-sunken',
}
/** Times on the axis: on a narrow screen every other one is left out. */
const MAX_TICKS = 6
/** Steps shorter than this are told apart by seconds only. */
const FINE_STEP_MS = 60_000
/** Moves that are listed; the export has all. */
const MAX_MOVES = 50

export interface TimelineAxis {
  from: number
  to: number
}

interface StateTimelineProps {
  view: StateTimelineView
  label: string
  /** What is drawn; by default the times of the view. */
  axis?: TimelineAxis
  /** Rows of the same grid, above the lanes. */
  children?: ReactNode
}

/** Lanes of coloured spans with the present state in words; the same as a table for those who do not see them. */
export function StateTimeline({ view, label, axis = view, children }: StateTimelineProps) {
  const text = useText()
  return (
    <div data-testid="state-timeline">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 wide:grid-cols-[minmax(4rem,auto)_minmax(0,1fr)_minmax(7rem,auto)]">
        {children}
        {view.lanes.map((lane) => (
          <TimelineRow
            key={text.of(lane.name)}
            hidden
            label={<LaneName name={text.of(lane.name)} />}
            figure={<Now lane={lane} view={view} />}
            testId="timeline-lane"
          >
            <span className="relative block h-6 overflow-hidden border-b border-line">
              {lane.spans.map((span) => (
                <Bar key={span.from} span={span} axis={axis} />
              ))}
              {lane.spans.map((span, at) => (
                <Word key={span.from} span={span} until={roomAfter(lane, at, axis)} axis={axis} />
              ))}
            </span>
          </TimelineRow>
        ))}
        <Axis axis={axis} now={view.to} />
      </div>
      <HiddenLanes hidden={view.hidden} />
      <SpanTable view={view} label={label} />
    </div>
  )
}

/** Reports whether the URL selects all lanes. */
export const useShownLanes = (): 'all' | 'few' => (useUrlState().get('lanes') === 'all' ? 'all' : 'few')

/** How many lanes are left out, and how to see them. */
function HiddenLanes({ hidden }: { hidden: number }) {
  const text = useText()
  const { tweak } = useUrlState()
  const isAll = useShownLanes() === 'all'
  if (hidden === 0 && !isAll) return null
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-ink-2" data-testid="hidden-lanes" data-hidden={hidden}>
      {hidden > 0 && text(isAll ? 'timeline.hiddenInExport' : 'timeline.hidden', { n: hidden })}
      <Button small onClick={() => tweak({ lanes: isAll ? undefined : 'all' })}>
        {text(isAll ? 'timeline.showFewer' : 'timeline.showAll')}
      </Button>
    </p>
  )
}

interface TimelineRowProps {
  label: ReactNode
  figure: ReactNode
  testId?: string
  /** The same is in a table. */
  hidden?: boolean
  children: ReactNode
}

/** Renders a row on the axis: its name, its course, and its current state. In narrow layouts, the text is above. */
export function TimelineRow({ label, figure, testId, hidden = false, children }: TimelineRowProps) {
  return (
    <div className="col-span-full grid grid-cols-subgrid items-center" data-testid={testId} aria-hidden={hidden}>
      <div className="min-w-0 max-wide:empty:hidden wide:max-w-60">{label}</div>
      <div className="relative min-w-0 max-wide:order-last max-wide:col-span-full">{children}</div>
      <div className={clsx('min-w-0', label === null && 'max-wide:col-span-full')}>{figure}</div>
    </div>
  )
}

/** Cut at its beginning: a long group before the key of a taint would leave no room for the key. */
const LaneName = ({ name }: { name: string }) => (
  <span className="block truncate text-left [direction:rtl]" title={name}>
    <bdi>{name}</bdi>
  </span>
)

function Now({ lane, view }: { lane: TimelineLane; view: StateTimelineView }) {
  const text = useText()
  const last = lane.spans.at(-1)
  if (!last || last.to < view.to) return <span className="text-ink-2">{text('timeline.absent')}</span>
  return <StateMark state={last.state} word={text.of(last.detail)} />
}

function Bar({ span, axis }: { span: TimelineSpan; axis: TimelineAxis }) {
  const text = useText()
  return (
    <span
      className="absolute inset-y-0 flex items-center"
      style={placed(span, axis)}
      title={barTitle(text, span)}
      data-span={span.state}
    >
      <span className={clsx('w-full min-w-0.5', BARS[span.state])} />
    </span>
  )
}

/** How far a label may extend beyond its span: it may cover healthy spans only. */
function roomAfter({ spans }: TimelineLane, at: number, axis: TimelineAxis): number {
  return spans.slice(at + 1).find(({ state }) => state !== 'ok')?.from ?? axis.to
}

/**
 * The label of a span, inside or after it, whichever has more space; omitted if there is none. A gap never covers an
 * earlier label.
 */
function Word({ span, until, axis }: { span: TimelineSpan; until: number; axis: TimelineAxis }) {
  const text = useText()
  if (span.state === 'ok') return null
  const fitsBehind = span.state !== 'unknown' && until - span.to > span.to - span.from
  const box = fitsBehind ? { from: span.to, to: until } : span
  return (
    // A word that is too long wraps to the next line, and that is cut off.
    <span
      className="pointer-events-none absolute inset-y-0 flex flex-wrap overflow-hidden pl-1 text-micro leading-6"
      style={placed(box, axis)}
    >
      <span className="h-6 w-px" />
      <span className="flex h-6 items-center">
        <span className="bg-paper px-1 leading-4 whitespace-nowrap">{text.of(span.detail)}</span>
      </span>
    </span>
  )
}

function placed({ from, to }: TimelineAxis, axis: TimelineAxis) {
  const whole = axis.to - axis.from
  const start = Math.max(from, axis.from)
  return { left: `${(100 * (start - axis.from)) / whole}%`, width: `${(100 * Math.max(0, to - start)) / whole}%` }
}

/** Round times, and the present. A time that stands too near to the present, or to an edge, is left out. */
function Axis({ axis, now }: { axis: TimelineAxis; now: number }) {
  const text = useText()
  const whole = axis.to - axis.from
  const ticks = ticksOf(axis, MAX_TICKS)
  const step = (ticks[1] ?? axis.to) - (ticks[0] ?? axis.from)
  const isFree = (at: number) => Math.abs(at - now) > whole / 12 && at - axis.from > whole / 16
  const labels = [
    ...ticks
      .filter(isFree)
      .map((at) => [at, text.format.timeOfDay(timeOf(at)).slice(0, step < FINE_STEP_MS ? 8 : 5)] as const),
    [now, text('timeline.now')] as const,
  ]
  return (
    <TimelineRow hidden label={null} figure={null}>
      <span className="relative block h-5 text-micro text-ink-2">
        {labels.map(([at, label]) => (
          <span
            key={at}
            className={clsx('absolute top-0', at >= axis.to ? '-translate-x-full' : '-translate-x-1/2')}
            style={{ left: `${(100 * (at - axis.from)) / whole}%` }}
          >
            {label}
          </span>
        ))}
      </span>
    </TimelineRow>
  )
}

function SpanTable({ view, label }: { view: StateTimelineView; label: string }) {
  const text = useText()
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer py-0.5 text-label text-ink-2">{text('timeline.asTable')}</summary>
      <Table aria-label={label}>
        <thead>
          <tr>
            <Th className="pl-0">{text('timeline.subject')}</Th>
            <Th>{text('timeline.state')}</Th>
            <Th>{text('timeline.from')}</Th>
            <Th>{text('timeline.until')}</Th>
            <Th figure>{text('timeline.duration')}</Th>
          </tr>
        </thead>
        <tbody>
          {view.lanes.flatMap((lane) =>
            lane.spans.map((span) => (
              <SpanRow key={`${text.of(lane.name)} ${span.from}`} name={text.of(lane.name)} span={span} view={view} />
            )),
          )}
        </tbody>
      </Table>
    </details>
  )
}

function SpanRow({ name, span, view }: { name: string; span: TimelineSpan; view: StateTimelineView }) {
  const text = useText()
  return (
    <tr data-testid="timeline-span" data-state={span.state}>
      <Td className="pl-0">{name}</Td>
      <Td>{text('timeline.span', { state: text(`common.state.${span.state}`), detail: span.detail })}</Td>
      <Td>{span.from <= view.from ? text('timeline.before') : text.format.moment(timeOf(span.from))}</Td>
      <Td>{span.to >= view.to ? text('timeline.now') : text.format.moment(timeOf(span.to))}</Td>
      <Td figure>{text.format.duration(span.to - span.from)}</Td>
    </tr>
  )
}

/** The distribution before and after, change by change, the latest first; `named`: of several workloads. */
export function Moves({ moves, named = false }: { moves: readonly TimelineMove[]; named?: boolean }) {
  const text = useText()
  if (moves.length === 0) return null
  return (
    <ol aria-label={text('timeline.moves')} className="mt-3 flex flex-col gap-1">
      {moves.slice(0, MAX_MOVES).map((move) => (
        <li
          key={move.id}
          className="grid gap-x-3 wide:grid-cols-[12rem_1fr]"
          data-testid="timeline-move"
          data-trigger={move.trigger}
        >
          <span className="text-ink-2">
            <time dateTime={timeOf(move.at)} title={text.format.moment(timeOf(move.at))}>
              {text.format.timeOfDay(timeOf(move.at))}
            </time>{' '}
            {text.of(move.cause)}
            {move.late && ' ◌'}
          </span>
          <span>
            {named && <Moved id={move.workload} />} <Places before={move.before} after={move.after} />
          </span>
        </li>
      ))}
      {moves.length > MAX_MOVES && (
        <li className="text-ink-2">{text('timeline.earlierMoves', { n: moves.length - MAX_MOVES })}</li>
      )}
    </ol>
  )
}

function Moved({ id }: { id: string }) {
  const ref = parseWorkloadId(id)
  return (
    <Link href={href.workload(id)} className="font-medium hover:underline">
      {ref ? nameOf(ref) : id}
    </Link>
  )
}

const timeOf = (at: number): string => new Date(at).toISOString()

/** What it was, when and for how long, in UTC. */
function barTitle(text: Text, { from, to, detail }: TimelineSpan): string {
  return text('timeline.barTitle', {
    detail,
    from: { time: timeOf(from) },
    to: { time: timeOf(to) },
    span: { ms: to - from },
  })
}
