'use client'
import { useMemo } from 'react'
import { type Axis, mostIn, placeOn, ticksOf } from '@/lib/view/incident/layout'
import { type RehearsalLane, rehearsalLanes } from '@/lib/view/rehearsal/lanes'
import type { RehearsalResultView } from '@/lib/view/rehearsal-model'
import { useText } from '../messages/use-text'
import { AxisLabels } from '../picture/axis-labels'
import { Course, LaneRow, type Marks } from '../picture/lane'
import { MarkLabels } from '../picture/mark-labels'
import { useTextures } from '../picture/use-textures'
import { useWidth } from '../picture/use-width'
import { assertionName, workloadName } from './words'

/** More are in the table. */
const MAX_LANES = 24
const HEIGHT = 40
const BREACH_HEIGHT = 10

interface LanesProps {
  durationMs: number
  result: RehearsalResultView
}

/** The ready replicas of each cluster over simulated time, with the steps, and when assertions did not hold. */
export function Lanes({ durationMs, result: { course, steps, assertions } }: LanesProps) {
  const text = useText()
  const [measured, width] = useWidth<HTMLDivElement>()
  const lanes = useMemo(() => rehearsalLanes(course, durationMs), [course, durationMs])
  const axis = useMemo<Axis>(() => ({ from: 0, to: durationMs }), [durationMs])
  const shown = lanes.slice(0, MAX_LANES)
  const most = useMemo(() => mostIn(lanes.map((lane) => ({ ...lane, clusters: 1, before: lane.first }))), [lanes])
  const marks = useMemo<Marks>(
    () => ({
      gaps: [],
      lines: steps.map(({ atMs }) => atMs),
      ticks: ticksOf(axis, Math.max(2, Math.floor(width / 90))),
    }),
    [steps, axis, width],
  )
  const labels = steps.map(({ step, atMs, message }) => {
    const name = `${step + 1}. ${text.of(message)}`
    const title = text('rehearsals.picture.step', { number: step + 1, step: text.of(message), time: { ms: atMs } })
    return { key: String(step), at: atMs, name, title }
  })
  return (
    <section aria-label={text('rehearsals.picture.label')} data-testid="rehearsal-lanes" className="relative min-w-0">
      <LaneRow still label={<Label>{text('rehearsals.picture.steps')}</Label>} figure={null} testId="lane-steps">
        <div ref={measured} className="min-h-6 pt-1">
          {width > 0 && <MarkLabels marks={labels} axis={axis} width={width} />}
        </div>
      </LaneRow>
      {assertions.map((assertion, index) =>
        assertion.passed ? null : (
          // oxlint-disable-next-line react/no-array-index-key -- two assertions may have one name
          <Breaches key={index} assertion={assertion} axis={axis} width={width} />
        ),
      )}
      {shown.map((lane) => (
        <Lane key={lane.cluster} lane={lane} size={{ axis, width, until: durationMs, most, marks }} />
      ))}
      {width > 0 && (
        <AxisLabels
          axis={axis}
          width={width}
          ticks={marks.ticks}
          scale={text('rehearsals.picture.scale', { most })}
          nameOf={(at) => text.format.duration(at)}
        />
      )}
      {lanes.length > shown.length && (
        <p className="py-1 text-ink-2">{text('rehearsals.picture.rest', { n: lanes.length - shown.length })}</p>
      )}
      <Legend />
    </section>
  )
}

const Label = ({ children }: { children: string }) => (
  <span className="min-w-0 truncate font-medium" title={children}>
    {children}
  </span>
)

interface LaneProps {
  lane: RehearsalLane
  size: { axis: Axis; width: number; until: number; most: number; marks: Marks }
}

function Lane({ lane: { cluster, steps, first, lowest, last, awayMs }, size }: LaneProps) {
  const text = useText()
  return (
    <LaneRow
      still
      testId="lane-cluster"
      cluster={cluster}
      label={<Label>{cluster}</Label>}
      figure={
        <>
          <span className="font-medium" data-first={first} data-last={last}>
            {text('rehearsals.picture.figure', { first, last })}
          </span>
          {lowest.ready < Math.min(first, last) && (
            <span className="text-ink-2">{text('rehearsals.picture.low', { lowest: lowest.ready })}</span>
          )}
          {awayMs > 0 && (
            <span className="text-ink-2">{text('rehearsals.picture.away', { time: { ms: awayMs } })}</span>
          )}
        </>
      }
    >
      <p className="sr-only">{text('rehearsals.picture.lane', { cluster, first, lowest: lowest.ready, last })}</p>
      {size.width > 0 && <Course steps={steps} before={first} {...size} height={HEIGHT} isFailed={false} />}
    </LaneRow>
  )
}

interface BreachesProps {
  assertion: RehearsalResultView['assertions'][number]
  axis: Axis
  width: number
}

/** When an assertion did not hold, as far as evidence is kept. */
function Breaches({ assertion, axis, width }: BreachesProps) {
  const text = useText()
  const x = placeOn(axis, width)
  const { evidence } = assertion
  const shown = assertionName(text, assertion)
  return (
    <LaneRow
      still
      testId="lane-breaches"
      label={<span className="min-w-0 break-words text-ink-2">{shown}</span>}
      figure={<span className="text-ink-2">{text('rehearsals.assertions.fails')}</span>}
    >
      <p className="sr-only">{text('rehearsals.picture.breach', { assertion: shown })}</p>
      {width > 0 && (
        <svg width={width} height={BREACH_HEIGHT + 14} aria-hidden="true" className="block">
          {evidence.map(({ atMs, forMs, workload, cluster }, index) => (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- evidence has no other identity
              key={index}
              x={x(atMs)}
              y={7}
              width={Math.max(3, x(atMs + forMs) - x(atMs))}
              height={BREACH_HEIGHT}
              className="fill-chart-lost opacity-60"
            >
              <title>
                {text('rehearsals.picture.breachAt', {
                  subject: workload ? workloadName(workload) : (cluster ?? ''),
                  from: { ms: atMs },
                  time: { ms: forMs },
                })}
              </title>
            </rect>
          ))}
        </svg>
      )}
    </LaneRow>
  )
}

function Legend() {
  const text = useText()
  const textures = useTextures()
  const items = [
    { name: text('rehearsals.picture.ready'), fill: undefined },
    { name: text('rehearsals.picture.starting'), fill: textures.fill('starting') },
    { name: text('rehearsals.picture.lost'), fill: textures.fill('lost') },
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 py-1 text-micro text-ink-2">
      {items.map(({ name, fill }) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg width="16" height="10" aria-hidden="true">
            {textures.defs}
            <rect width="16" height="10" {...(fill ? { fill } : { className: 'fill-chart-recovered' })} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
