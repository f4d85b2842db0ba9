'use client'
import { useText } from '../messages/use-text'
import { TimelineRow } from '../timeline/state-timeline'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import type { LoadForecast } from './load-forecast'
import { type LoadPaths, loadPaths, type LoadPoint, type Range, type Resource } from './load-series'

const WIDTH = 1000
const HEIGHT = 150
const MAX_ROWS = 100

/** An amount with its unit. */
export function useAmount() {
  const text = useText()
  return (resource: Resource, amount: number): string =>
    resource === 'cpu'
      ? text('clusterPage.amount.cpu', { amount: { cpu: amount } })
      : resource === 'memory'
        ? text('clusterPage.amount.memory', { amount: { bytes: amount } })
        : text('clusterPage.amount.pods', { n: Math.round(amount) })
}

interface ChartProps {
  points: readonly LoadPoint[]
  resource: Resource
  axis: Range
  /** Times without observations. */
  gaps: readonly Range[]
  forecast: LoadForecast
}

/** What is requested against what there is, as a row of the time axis. Lines stretch with the page; words do not. */
export function LoadChart({ points, resource, axis, gaps, forecast }: ChartProps) {
  const text = useText()
  const amount = useAmount()
  const paths = loadPaths(points, axis, { width: WIDTH, height: HEIGHT })
  const last = points.at(-1)
  if (!paths || !last) return null
  const share = text.format.percent(last.allocated, last.allocatable)
  return (
    <TimelineRow
      label={null}
      figure={
        <dl className="text-label max-wide:flex max-wide:flex-wrap max-wide:gap-x-2">
          <dt className="font-normal text-ink-2">{text('clusterPage.capacity')}</dt>
          <dd data-testid="capacity">{amount(resource, last.allocatable)}</dd>
          <dt className="font-normal text-ink-2 wide:mt-2">{text('clusterPage.requested')}</dt>
          <dd data-testid="requested">{amount(resource, last.allocated)}</dd>
          <dd className="text-ink-2">{share}</dd>
        </dl>
      }
    >
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
        role="img"
        aria-label={text('clusterPage.loadNow', {
          requested: amount(resource, last.allocated),
          capacity: amount(resource, last.allocatable),
          share,
        })}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-[150px] w-full border-b border-line-strong"
      >
        {[0.25, 0.5, 0.75].map((part) => (
          <line key={part} x1="0" x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} className="stroke-line" />
        ))}
        <path d={paths.area} className="fill-amount-2" />
        <Line d={paths.line} className="stroke-amount-6" strokeWidth="2" />
        <Line d={paths.capacity} className="stroke-chart-limit" strokeWidth="1.5" />
        {gaps.map(({ from, to }) => (
          <rect
            key={from}
            x={paths.x(from)}
            width={Math.max(1, paths.x(to) - paths.x(from))}
            height={HEIGHT}
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
            className="fill-sunken stroke-ink-2"
            data-testid="load-gap"
          />
        ))}
        {forecast.kind === 'growing' && <Forecast forecast={forecast} last={last} axis={axis} paths={paths} />}
      </svg>
      {gaps.map((gap) => (
        <GapWord key={gap.from} gap={gap} axis={axis} />
      ))}
    </TimelineRow>
  )
}

/** A gap that takes less of the axis has no room for a word. */
const MIN_FOR_WORD = 0.2

/** Words stretch with the lines of the picture, so they stand before it. */
function GapWord({ gap, axis }: { gap: Range; axis: Range }) {
  const text = useText()
  const [from, to] = [Math.max(gap.from, axis.from), Math.min(gap.to, axis.to)].map(
    (at) => (at - axis.from) / (axis.to - axis.from),
  ) as [number, number]
  if (to - from < MIN_FOR_WORD) return null
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 flex items-center justify-center text-label font-normal text-ink-2"
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    >
      {text('timeline.notObserved')}
    </span>
  )
}

const Line = (props: { d: string; className: string; strokeWidth: string; strokeDasharray?: string }) => (
  <path fill="none" vectorEffect="non-scaling-stroke" {...props} />
)

interface ForecastProps {
  forecast: Extract<LoadForecast, { kind: 'growing' }>
  last: LoadPoint
  axis: Range
  paths: LoadPaths
}

/** From the present on: the band between the slow and the fast rates, and the median as a dashed line, up to the capacity. */
function Forecast({ forecast: { low, rate, high }, last, axis, paths: { x, y } }: ForecastProps) {
  const ahead = axis.to - last.at
  const full = last.allocatable
  const [start, end] = [x(last.at), x(axis.to)]
  const reach = (speed: number): number => Math.min(ahead, Math.max(0, full - last.allocated) / speed)
  const at = (speed: number): string => {
    const time = reach(speed)
    return `${x(last.at + time)} ${y(Math.min(full, last.allocated + speed * time))}`
  }
  const level = (speed: number): string => `${end} ${y(Math.min(full, last.allocated + speed * ahead))}`
  return (
    <g data-testid="load-forecast">
      <path
        d={`M${start} ${y(last.allocated)}L${at(high)}L${level(high)}L${level(low)}L${at(low)}Z`}
        className="fill-chart-predicted-fill"
      />
      <Line
        d={`M${start} ${y(last.allocated)}L${at(rate)}L${level(rate)}`}
        strokeWidth="1.5"
        strokeDasharray="4 3"
        className="stroke-chart-predicted"
      />
      <Line d={`M${start} 0V${HEIGHT}`} strokeWidth="1" className="stroke-ink-2" />
    </g>
  )
}

/** The same as a table. */
export function LoadTable({ points, resource }: Pick<ChartProps, 'points' | 'resource'>) {
  const text = useText()
  const amount = useAmount()
  return (
    <InsetTable aria-label={text('clusterPage.load')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('clusterPage.since')}</Th>
          <Th figure>{text('clusterPage.requested')}</Th>
          <Th figure>{text('clusterPage.capacity')}</Th>
        </tr>
      </thead>
      <tbody>
        {points
          .slice(-MAX_ROWS, -1)
          .toReversed()
          .map((point) => (
            <tr key={point.at}>
              <Td className="pl-0">{text.format.timeOfDay(new Date(point.at).toISOString())}</Td>
              <Td figure>{amount(resource, point.allocated)}</Td>
              <Td figure>{amount(resource, point.allocatable)}</Td>
            </tr>
          ))}
      </tbody>
    </InsetTable>
  )
}
