import { clsx } from 'clsx'
import { memo, type ReactNode } from 'react'
import { type Area, areaPath, type Axis, type Frame, linePath, placeBeyond, placeOn } from '@/lib/view/incident/layout'
import type { Forecast } from '@/lib/view/incident/outcome'
import type { LaneCounts } from '@/lib/view/incident/state'
import type { Steps } from '@/lib/view/incident/steps'
import { useTextures } from './use-textures'

interface LaneProps {
  label: ReactNode
  figure: ReactNode
  testId: string
  /** Names the row for tests. */
  cluster?: string | undefined
  /** Nothing plays in this picture. */
  still?: boolean
  children: ReactNode
}

const ROW = 'grid grid-cols-[minmax(0,1fr)_auto] border-b border-line wide:grid-cols-[10.5rem_minmax(0,1fr)_11.5rem]'

/**
 * Renders one row of the picture: its name, its course, and its value at the playhead. In narrow layouts, the text is
 * above.
 */
export function LaneRow({ label, figure, testId, cluster, still = false, children }: LaneProps) {
  return (
    <div className={ROW} data-testid={testId} data-cluster={cluster}>
      <div className="flex min-w-0 flex-col justify-center py-0.5 pr-3 max-wide:flex-row max-wide:flex-wrap max-wide:items-baseline max-wide:justify-start max-wide:gap-x-2">
        {label}
      </div>
      <div className="relative overflow-hidden max-wide:order-last max-wide:col-span-full">
        {children}
        {!still && (
          <div className="wide:hidden">
            <Playhead />
          </div>
        )}
      </div>
      <div
        className="flex min-w-0 flex-wrap items-center gap-x-3 py-0.5 max-wide:items-baseline max-wide:justify-end wide:pl-3"
        data-testid="lane-figure"
      >
        {figure}
      </div>
    </div>
  )
}

/** Moved by the player. What is right of it is paler: it had not happened by then, or is predicted. */
export function Playhead() {
  return (
    <div
      aria-hidden="true"
      data-playhead
      className="pointer-events-none absolute inset-0 border-l-2 border-ink bg-paper/60 will-change-transform in-data-[following=true]:bg-raised/20"
    />
  )
}

export interface Marks {
  gaps: readonly { from: number; to: number }[]
  lines: readonly number[]
  ticks: readonly number[]
}

interface CourseProps {
  steps: Steps<LaneCounts>
  before: number
  axis: Axis
  width: number
  height: number
  /** The value at the upper edge. */
  most: number
  until: number
  marks: Marks
  forecast?: Forecast | undefined
  /** Predicted final state; default: all placed replicas are ready, and none remain in the failed cluster. */
  goal?: number | undefined
  /** Starting and ready replicas of the failed cluster mean nothing to the incident while it is away. */
  isFailed: boolean
}

const NO_COUNTS: LaneCounts = { ready: 0, starting: 0, lost: 0 }

/**
 * The replicas of one row over time: solid is ready, hatched is starting or lost, dashed is predicted. Drawn again only when
 * something was recorded: the figures beside it change twice a second.
 */
export const Course = memo(function Course({ steps, before, marks, forecast, goal, isFailed, ...size }: CourseProps) {
  const frame: Frame = size
  const textures = useTextures()
  const area = (lower: (value: LaneCounts) => number, upper: (value: LaneCounts) => number): Area<LaneCounts> => ({
    steps,
    before: { ...NO_COUNTS, ready: before },
    lower,
    upper,
  })
  const none = (): number => 0
  const ready = (value: LaneCounts): number => value.ready
  const live = (value: LaneCounts): number => value.ready + value.starting
  const all = (value: LaneCounts): number => value.ready + value.starting + value.lost
  return (
    <svg width={frame.width} height={frame.height} aria-hidden="true" className="block">
      {textures.defs}
      <Ticks marks={marks} frame={frame} />
      <path d={areaPath(area(none, ready), frame)} className={isFailed ? 'fill-chart-ready' : 'fill-chart-recovered'} />
      <path d={areaPath(area(ready, live), frame)} fill={textures.fill('starting')} />
      <path d={areaPath(area(live, all), frame)} fill={textures.fill('lost')} />
      <path
        d={linePath(area(none, all), frame)}
        fill="none"
        strokeWidth="1.5"
        className={isFailed ? 'stroke-chart-lost' : 'stroke-chart-starting'}
      />
      {forecast && <Predicted steps={steps} frame={frame} forecast={forecast} goal={goal} isFailed={isFailed} />}
      <Gaps marks={marks} frame={frame} />
    </svg>
  )
})

interface PredictedProps {
  steps: Steps<LaneCounts>
  frame: Frame
  forecast: Forecast
  goal: number | undefined
  isFailed: boolean
}

/** Draws the prediction from the measured to the placed replicas; the band covers the earliest to the latest end. */
function Predicted({ steps, frame, forecast: { end, earliest, latest }, goal, isFailed }: PredictedProps) {
  const last = steps.last() ?? NO_COUNTS
  const [from, to] = isFailed ? [last.lost, 0] : [last.ready, goal ?? last.ready + last.starting]
  if (from === to && !isFailed && to === 0) return null
  const x = placeBeyond(frame.axis, frame.width)
  const y = (value: number): number => frame.height - (value / frame.most) * frame.height
  const [start, right] = [x(frame.until), Math.max(frame.width, x(latest))]
  return (
    <g data-testid="predicted">
      <path
        d={`M${start} ${y(from)}L${x(earliest)} ${y(to)}H${right}V${frame.height}H${start}Z`}
        className={clsx('opacity-60', isFailed ? 'fill-chart-lost-fill' : 'fill-chart-predicted-fill')}
      />
      <path
        d={`M${start} ${y(from)}L${x(earliest)} ${y(to)}H${x(latest)}Z`}
        className={clsx('opacity-40', isFailed ? 'fill-chart-lost' : 'fill-chart-ready')}
      />
      <path
        d={`M${start} ${y(from)}L${x(end)} ${y(to)}H${right}`}
        fill="none"
        strokeDasharray="4 3"
        strokeWidth="1.5"
        className={isFailed ? 'stroke-chart-lost' : 'stroke-chart-predicted'}
      />
    </g>
  )
}

/** Round times, and the moments at which a phase began. */
function Ticks({ marks: { ticks, lines }, frame }: { marks: Marks; frame: Frame }) {
  const x = placeOn(frame.axis, frame.width)
  return (
    <>
      {ticks.map((at) => (
        <path key={at} d={`M${x(at)} 0V${frame.height}`} className="stroke-line" />
      ))}
      {[...new Set(lines)].map((at) => (
        <path key={at} d={`M${x(at)} 0V${frame.height}`} strokeDasharray="2 3" className="stroke-ink-2" />
      ))}
    </>
  )
}

/** Covers times without observations. */
function Gaps({ marks: { gaps }, frame }: { marks: Marks; frame: Frame }) {
  const x = placeOn(frame.axis, frame.width)
  return gaps.map(({ from, to }) => (
    <rect
      key={from}
      x={x(from)}
      width={Math.max(2, x(to) - x(from))}
      height={frame.height}
      strokeDasharray="3 3"
      className="fill-sunken stroke-ink-2"
      data-testid="incident-gap"
    />
  ))
}
