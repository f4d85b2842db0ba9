'use client'
import { clsx } from 'clsx'
import type { ReadyHistoryView } from '@/lib/view/failover-model'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { type DayEvent, type DayScale, dayScale, dayTicks, placeSpans, type ReadyLine, readyLine } from './day-layout'
import type { Totals } from './totals'

const STRIP = 62
const LANE = 20
const TOP = 20
/** Words of the lanes stand left of them; on narrow screens above. */
const NAMES = 110
const VALUES = 86
/** Width of a character in them, at most. */
const SIGN = 7
const VALUES_GAP = 6

interface DayChartProps {
  history: ReadyHistoryView
  totals: Totals
  incidents: readonly DayEvent[]
  rebalances: readonly DayEvent[]
  width: number
  now: number
}

/** The strip of ready replicas over two lanes of events. The list beside it says the same in words. */
export function DayChart({ history, totals, incidents, rebalances, width, now }: DayChartProps) {
  const text = useText()
  const textures = useTextures()
  const isNarrow = width < 640
  const words = [
    text('overview.day.desired', { n: totals.desired }),
    text('overview.day.readyNow', { n: totals.ready }),
  ]
  const values = Math.max(VALUES, VALUES_GAP + SIGN * Math.max(...words.map(({ length }) => length)))
  const [left, right] = isNarrow ? [0, 0] : [NAMES, values]
  const scale = dayScale(width - left - right, now)
  const ready = readyLine({ history, ready: totals.ready, desired: totals.desired, height: STRIP }, scale)
  const lanes = TOP + STRIP + 6
  const bottom = lanes + 2 * LANE + (isNarrow ? LANE : 0)
  return (
    <svg
      aria-label={text('overview.day.sentence', { ready: totals.ready, desired: totals.desired, lowest: ready.lowest })}
      data-testid="day-chart"
      data-lowest={ready.lowest}
      data-ready={totals.ready}
      width={width}
      height={bottom + 24}
      className="block"
    >
      {textures.defs}
      <g transform={`translate(${left} 0)`}>
        <rect
          x={scale.split}
          y={TOP - 6}
          width={scale.width - scale.split}
          height={bottom - TOP + 6}
          className="fill-raised"
        />
        <Axis scale={scale} bottom={bottom} />
        <g transform={`translate(0 ${TOP})`}>
          <Strip line={ready} scale={scale} desired={totals.desired} />
        </g>
        <Lane events={incidents} scale={scale} y={lanes} kind="incident" hatch={textures.fill('lost')} />
        <Lane events={rebalances} scale={scale} y={lanes + LANE} kind="rebalance" hatch={textures.fill('starting')} />
      </g>
      {!isNarrow && <Names line={ready} lanes={lanes} />}
      <Values line={ready} totals={totals} x={isNarrow ? width : left + scale.width + VALUES_GAP} narrow={isNarrow} />
    </svg>
  )
}

function Axis({ scale, bottom }: { scale: DayScale; bottom: number }) {
  const text = useText()
  return (
    <g className="text-[11px]">
      {dayTicks(scale).map(({ at, x }) => (
        <g key={at}>
          <line x1={x} x2={x} y1={TOP} y2={bottom} className="stroke-line" />
          <text x={x} y={bottom + 15} textAnchor="middle" className="fill-ink-2">
            {text.format.timeOfDay(new Date(at).toISOString()).slice(0, 5)}
          </text>
        </g>
      ))}
      <line x1={scale.split} x2={scale.split} y1={TOP - 12} y2={bottom + 4} className="stroke-line-strong" />
      <text x={scale.split + 5} y={TOP - 9} className="fill-ink font-medium">
        {text('overview.day.recent')}
      </text>
      <text x={scale.width} y={bottom + 15} textAnchor="end" className="fill-ink-2">
        {text('overview.day.now')}
      </text>
    </g>
  )
}

/** Shows ready replicas; the dotted line is the desired number; hatched grey areas were not observed. */
function Strip({ line, scale, desired }: { line: ReadyLine; scale: DayScale; desired: number }) {
  const text = useText()
  return (
    <>
      <path d={line.area} className="fill-chart-predicted-fill" />
      <path data-ready-line d={line.line} fill="none" strokeWidth="1.75" className="stroke-chart-recovered" />
      <path
        d={`M0 ${line.y(desired)}H${scale.width}`}
        strokeWidth="1.25"
        className="stroke-chart-limit [stroke-dasharray:1.5_3]"
      />
      {line.gaps.map(({ x, width }) => (
        <g key={x}>
          <rect
            data-gap
            x={x}
            width={width}
            height={STRIP}
            className="fill-sunken stroke-ink-2 [stroke-dasharray:2_3]"
          />
          {width > 100 && (
            <text x={x + width / 2} y={STRIP / 2 + 4} textAnchor="middle" className="fill-ink-2 text-[11px]">
              {text('overview.day.unobserved')}
            </text>
          )}
        </g>
      ))}
      {line.base > 0 ? (
        <path d={zigzag(scale.width)} fill="none" className="stroke-ink-2" data-cut={line.base} />
      ) : (
        <path d={`M0 ${STRIP}H${scale.width}`} className="stroke-line-strong" />
      )}
    </>
  )
}

/** A torn edge: the scale does not begin at zero. */
const zigzag = (width: number): string =>
  `M0 ${STRIP}${Array.from({ length: Math.floor(width / 6) }, (_, i) => `L${(i + 1) * 6} ${STRIP + (i % 2 === 0 ? 3 : 0)}`).join('')}`

interface LaneProps {
  events: readonly DayEvent[]
  scale: DayScale
  y: number
  kind: 'incident' | 'rebalance'
  hatch: string
}

function Lane({ events, scale, y, kind, hatch }: LaneProps) {
  const words = new Map(events.map((event) => [event.id, event]))
  const placed = placeSpans(
    events.map((event) => ({ ...event, words: event.words.length * 6 })),
    scale,
  )
  return (
    <g transform={`translate(0 ${y})`}>
      <line x2={scale.width} y1={LANE} y2={LANE} className="stroke-line" />
      {placed.map(({ id, x, width, label }) => {
        const event = words.get(id)
        return (
          <g key={id}>
            <rect
              x={x}
              y="5"
              width={width}
              height="10"
              rx="2"
              fill={event?.running || kind === 'incident' ? hatch : undefined}
              className={clsx(
                kind === 'incident' ? 'stroke-chart-lost' : event?.running ? 'stroke-chart-starting' : 'fill-amount-4',
              )}
            />
            {label !== undefined && (
              <text x={label.x} y="14" textAnchor={label.anchor} className="fill-ink-2 text-[11px]">
                {event?.words}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Names({ line, lanes }: { line: ReadyLine; lanes: number }) {
  const text = useText()
  return (
    <g className="text-[12px]">
      <text y={TOP + 12} className="fill-ink font-medium">
        {text('overview.day.ready')}
      </text>
      <text y={TOP + 28} className="fill-ink-2">
        {text('overview.day.lowest', { n: line.lowest })}
      </text>
      {line.base > 0 && (
        <text y={TOP + STRIP} className="fill-ink-2 text-[11px]">
          {text('overview.day.cut', { n: line.base })}
        </text>
      )}
      <text y={lanes + 14} className="fill-ink font-medium">
        {text('overview.day.incidents')}
      </text>
      <text y={lanes + LANE + 14} className="fill-ink font-medium">
        {text('overview.day.rebalances')}
      </text>
    </g>
  )
}

function Values({ line, totals, x, narrow }: { line: ReadyLine; totals: Totals; x: number; narrow: boolean }) {
  const text = useText()
  const { ready, desired } = totals
  if (narrow)
    return (
      <text x="0" y="11" className="fill-ink-2 text-[11px]">
        {text('overview.day.narrow', { ready, desired, lowest: line.lowest })}
      </text>
    )
  const [high, low] = [TOP + line.y(desired) + 4, TOP + line.y(ready) + 4]
  return (
    <g className="text-[12px]">
      <text x={x} y={high} className="fill-ink">
        {text('overview.day.desired', { n: desired })}
      </text>
      {ready !== desired && (
        <text x={x} y={Math.max(low, high + 15)} className="fill-link font-medium">
          {text('overview.day.readyNow', { n: ready })}
        </text>
      )}
    </g>
  )
}
