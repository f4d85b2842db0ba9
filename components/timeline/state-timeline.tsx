'use client'
import { clsx } from 'clsx'
import { message, type Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { StateTimelineView, TimelineLane, TimelineMove, TimelineSpan } from '@/lib/view/project/state-timeline'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Places } from '../plan/places'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'

/** Height tells the state besides the colour: quiet states are thin. */
const BARS: Record<State, string> = {
  ok: 'h-1 bg-ok',
  active: 'h-2 bg-active',
  warn: 'h-2.5 bg-warn',
  fail: 'h-3.5 bg-fail',
  held: 'h-2 bg-held',
  unknown: 'h-2 border border-dashed border-ink-2',
}
const TICKS = 4
/** Steps shorter than this are told apart by seconds only. */
const FINE_STEP_MS = 180_000
/** Moves that are listed; the export has all. */
const MOST_MOVES = 50

/** Lanes of coloured spans with the present state in words; the same as a table for those who do not see them. */
export function StateTimeline({ view, label, named }: { view: StateTimelineView; label: string; named?: boolean }) {
  const text = useText()
  return (
    <div data-testid="state-timeline">
      <div
        className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)_minmax(7rem,auto)] items-center gap-x-3"
        aria-hidden="true"
      >
        {view.lanes.map((lane) => (
          <Lane key={text.of(lane.name)} lane={lane} view={view} />
        ))}
        <Axis view={view} />
      </div>
      <SpanTable view={view} label={label} />
      <Moves moves={view.moves} named={named === true} />
    </div>
  )
}

function Lane({ lane, view }: { lane: TimelineLane; view: StateTimelineView }) {
  const text = useText()
  const last = lane.spans.at(-1)
  const now = last && last.to >= view.to ? last : undefined
  return (
    <>
      <span className="max-w-[min(20rem,30vw)] truncate" title={text.of(lane.name)}>
        {text.of(lane.name)}
      </span>
      <span className="relative block h-6 border-b border-line">
        {view.gaps.map((gap) => (
          <span key={gap.from} className="absolute inset-y-0 bg-sunken" style={placed(gap, view)} />
        ))}
        {lane.spans.map((span) => (
          <Bar key={span.from} span={span} view={view} />
        ))}
      </span>
      {now ? (
        <StateMark state={now.state} word={text.of(now.detail)} />
      ) : (
        <span className="text-ink-2">{text('timeline.absent')}</span>
      )}
    </>
  )
}

function Bar({ span, view }: { span: TimelineSpan; view: StateTimelineView }) {
  const text = useText()
  return (
    <span
      className="absolute inset-y-0 flex items-center"
      style={placed(span, view)}
      title={barTitle(text, span)}
      data-span={span.state}
    >
      <span className={clsx('w-full min-w-0.5', BARS[span.state])} />
    </span>
  )
}

function placed({ from, to }: { from: number; to: number }, view: StateTimelineView) {
  const whole = view.to - view.from
  return { left: `${(100 * (from - view.from)) / whole}%`, width: `${(100 * (to - from)) / whole}%` }
}

function Axis({ view }: { view: StateTimelineView }) {
  const text = useText()
  const step = (view.to - view.from) / TICKS
  return (
    <>
      <span />
      <span className="flex justify-between text-micro text-ink-2 max-wide:[&>:nth-child(even)]:hidden">
        {Array.from({ length: TICKS }, (_, index) => (
          <span key={index}>
            {text.format.timeOfDay(timeOf(view.from + index * step)).slice(0, step < FINE_STEP_MS ? 8 : 5)}
          </span>
        ))}
        <span>{text('timeline.now')}</span>
      </span>
      <span />
    </>
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
          {view.gaps.map((gap) => (
            <SpanRow
              key={gap.from}
              name={text('timeline.notObserved')}
              span={{ ...gap, state: 'unknown', detail: message('timeline.notObserved') }}
              view={view}
            />
          ))}
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

/** The distribution before and after, change by change, the latest first. */
function Moves({ moves, named }: { moves: readonly TimelineMove[]; named: boolean }) {
  const text = useText()
  if (moves.length === 0) return null
  return (
    <ol aria-label={text('timeline.moves')} className="mt-3 flex flex-col gap-1">
      {moves.slice(0, MOST_MOVES).map((move) => (
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
      {moves.length > MOST_MOVES && (
        <li className="text-ink-2">{text('timeline.earlierMoves', { n: moves.length - MOST_MOVES })}</li>
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
