'use client'
import { useMemo } from 'react'
import { isoTime } from '@/lib/std/clock'
import { areaPath, linePath, placeOn, ticksOf } from '@/lib/view/incident/layout'
import { type Band, type BandWave, bandOf, durationsOf } from '@/lib/view/plan-flow/band'
import { type ReadyOver, readyOver } from '@/lib/view/plan-flow/ready'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { useCollection } from '../hooks/use-collection'
import { useIncidentRecord } from '../hooks/use-incident-record'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { useWidth } from '../picture/use-width'

/** The waves of a plan and the ready replicas of its workloads: measured, predicted with its band, and the budget. */
export function ReadyChart({ plan }: { plan: PlanRunView }) {
  if (plan.startedAt === undefined) return null
  return (
    <AreaTexts area="planPicture">
      <Chart plan={plan} />
    </AreaTexts>
  )
}

const HEIGHT = 130
const STRIP = 26
const AXIS = 18
const RIGHT = 96

function Chart({ plan }: { plan: PlanRunView }) {
  const text = useText()
  const [measured, width] = useWidth<HTMLDivElement>()
  const { replay } = useIncidentRecord({ plan: plan.name })
  const workloads = useCollection('workloads').byId
  const plans = useCollection('plans').items
  const ready = useMemo(
    () => replay && readyOver(replay.record, plan, (id) => workloads.get(id)?.ready),
    [replay, plan, workloads],
  )
  const band = useMemo(
    () => ready && bandOf({ ready, plan, durations: durationsOf(plans), now: ready.to }),
    [ready, plan, plans],
  )
  const predicted = Math.min(ready?.before ?? 0, ...(band?.waves ?? []).map((wave) => wave.predicted))
  return (
    <section aria-labelledby="ready-replicas">
      <h2 id="ready-replicas" className="mb-1 text-section">
        {text('planPicture.ready.title')}
        <span className="ml-3 text-label font-normal text-ink-2">{text('planPicture.ready.hint')}</span>
      </h2>
      <div ref={measured}>
        {replay && !ready && <p className="text-ink-2">{text('planPicture.ready.unmeasured')}</p>}
        {ready && (
          <p
            className="sr-only"
            data-testid="plan-ready"
            data-before={ready.before}
            data-lowest={ready.lowest}
            data-floor={ready.floor}
          >
            {text('planPicture.ready.sentence', { lowest: ready.lowest, predicted, floor: ready.floor })}
          </p>
        )}
        {ready && band && width > RIGHT + 100 && <Lines ready={ready} band={band} width={width} />}
      </div>
      {band && <BandMeaning band={band} schedule={plan.schedule} />}
    </section>
  )
}

/** What the band means and rests on, and why upcoming waves may have no times. */
function BandMeaning({ band, schedule }: { band: Band; schedule: PlanRunView['schedule'] }) {
  const text = useText()
  const { durations, untimed, waves } = band
  const upcoming = waves.filter(({ isUpcoming }) => isUpcoming).length
  return (
    <div className="mt-1 text-ink-2" data-testid="plan-band" data-upcoming={upcoming} data-untimed={untimed}>
      <p>{text(schedule.keepsOld ? 'planPicture.band.withOld' : 'planPicture.band.withoutOld')}</p>
      {upcoming > 0 && durations && (
        <p>
          {text('planPicture.band.times', {
            waves: upcoming,
            n: durations.measured,
            fast: { ms: durations.fast },
            slow: { ms: durations.slow },
            typical: { ms: durations.typical },
            pause: { ms: schedule.pauseMs },
          })}
        </p>
      )}
      {untimed && <p>{text(`planPicture.band.${untimed}`)}</p>}
    </div>
  )
}

interface LinesProps {
  ready: ReadyOver
  band: Band
  width: number
}

function Lines({ ready, band, width }: LinesProps) {
  const text = useText()
  const { measured, before, floor, from } = ready
  const to = Math.max(band.to, from + 5000)
  const axis = { from, to }
  const [bottom, top] = scaleOf(ready, band)
  const frame = { axis, width: width - RIGHT, height: HEIGHT, most: top - bottom, until: to }
  const x = placeOn(axis, frame.width)
  const y = (value: number): number => HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT
  const limits = {
    steps: band.limits,
    before: { least: before, most: before },
    lower: ({ least }: { least: number }) => least - bottom,
    upper: ({ most }: { most: number }) => most - bottom,
  }
  return (
    <svg width={width} height={STRIP + HEIGHT + AXIS} aria-hidden="true" className="block">
      {band.waves.map((wave) => (
        <WaveBox key={wave.number} wave={wave} x={x} />
      ))}
      <g transform={`translate(0 ${STRIP})`}>
        <path d={areaPath(limits, frame)} className="fill-chart-predicted-fill" />
        <TimeAxis axis={axis} width={frame.width} />
        <path d={`M0 ${y(before)}H${frame.width}`} strokeDasharray="2 3" className="stroke-ink-2" />
        <path d={`M0 ${y(floor)}H${frame.width}`} strokeWidth="1.5" className="stroke-fail" />
        <path
          d={band.waves.map((wave) => `M${x(wave.from.typical)} ${y(wave.predicted)}H${x(wave.to.typical)}`).join('')}
          strokeDasharray="5 4"
          strokeWidth="1.5"
          className="stroke-chart-predicted"
        />
        <path
          d={linePath({ steps: measured, before, upper: (value) => value - bottom }, { ...frame, until: ready.to })}
          fill="none"
          strokeWidth="2"
          className="stroke-ink"
        />
        {band.to > ready.to && <path d={`M${x(ready.to)} 0V${HEIGHT}`} className="stroke-ink" />}
        <g className="text-micro">
          <text x={frame.width + 8} y={y(before) + (floor === before ? -2 : 4)} className="fill-ink-2">
            {text('planPicture.ready.desired', { n: before })}
          </text>
          <text
            x={frame.width + 8}
            y={Math.min(HEIGHT, y(floor) + (before - floor < 2 ? 12 : 4))}
            className="fill-fail"
          >
            {text('planPicture.ready.budget', { n: floor })}
          </text>
        </g>
        {bottom > 0 && (
          <text x="4" y={HEIGHT - 4} className="fill-ink-2 text-micro">
            {text('planPicture.ready.cut', { n: bottom })}
          </text>
        )}
        <title>
          {text('planPicture.ready.now', { time: { time: isoTime(ready.to) }, n: measured.last() ?? before })}
        </title>
      </g>
    </svg>
  )
}

/** A wave from its begin to its end; dashed where that is predicted. */
function WaveBox({ wave, x }: { wave: BandWave; x: (at: number) => number }) {
  const text = useText()
  const { number, from, to, workloads, predicted } = wave
  const isOver = to.earliest === to.latest
  const [start, end] = [x(from.typical), x(to.typical)]
  return (
    <g>
      <title>{text('planPicture.ready.waveSpan', { n: number, workloads, lowest: predicted })}</title>
      <rect
        x={start}
        y="0.5"
        width={Math.max(2, end - start - 1)}
        height="19"
        strokeDasharray={isOver ? undefined : '4 3'}
        className={isOver ? 'fill-chart-ready' : 'fill-chart-predicted-fill stroke-chart-predicted'}
      />
      {end - start > 60 && (
        <text x={start + 6} y="14" className="fill-ink text-micro">
          {text('planPicture.ready.wave', { n: number })}
        </text>
      )}
    </g>
  )
}

function TimeAxis({ axis, width }: { axis: { from: number; to: number }; width: number }) {
  const text = useText()
  const x = placeOn(axis, width)
  return ticksOf(axis, Math.max(2, Math.floor(width / 90))).map((at) => (
    <g key={at}>
      <path d={`M${x(at)} 0V${HEIGHT}`} className="stroke-line" />
      <text
        x={Math.min(Math.max(x(at), 26), width - 26)}
        y={HEIGHT + 13}
        textAnchor="middle"
        className="fill-ink-2 text-micro"
      >
        {text.format.timeOfDay(isoTime(at))}
      </text>
    </g>
  ))
}

/** A cut axis makes small losses visible; where it starts is written at it. */
function scaleOf({ measured, before, floor, lowest }: ReadyOver, { limits }: Band): [bottom: number, top: number] {
  const least = limits.values.reduce((low, each) => Math.min(low, each.least), Math.min(before, floor, lowest))
  const most = limits.values.reduce(
    (high, each) => Math.max(high, each.most),
    measured.values.reduce((top, each) => Math.max(top, each), before),
  )
  const room = Math.max(1, Math.ceil((most - least) * 0.2))
  return [Math.max(0, least - room), most + room]
}
