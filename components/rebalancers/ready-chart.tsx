'use client'
import { useMemo } from 'react'
import { isoTime } from '@/lib/std/clock'
import { areaPath, linePath, placeOn, ticksOf } from '@/lib/view/incident/layout'
import { type Band, type BandWave, bandOf, durationsOf } from '@/lib/view/plan-flow/band'
import { readyAhead, type ReadyOver, readyOver } from '@/lib/view/plan-flow/ready'
import type { IncidentRecord } from '@/lib/view/failover-model'
import type { PlanRowView, PlanRunView } from '@/lib/view/rebalance-model'
import { useCollection } from '../hooks/use-collection'
import { useIncidentRecord } from '../hooks/use-incident-record'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { useWidth } from '../picture/use-width'

/** The waves of a plan and the ready replicas of its workloads: measured, predicted with its band, and the budget. */
export function ReadyChart({ plan }: { plan: PlanRunView }) {
  const isAhead = plan.startedAt === undefined
  const isMoving = plan.targets.some(({ stage }) => stage !== 'Skipped')
  if (isAhead && (plan.phase !== 'AwaitingApproval' || !isMoving)) return null
  return <AreaTexts area="planPicture">{isAhead ? <AheadChart plan={plan} /> : <RunChart plan={plan} />}</AreaTexts>
}

const HEIGHT = 130
const STRIP = 26
const AXIS = 18
const RIGHT = 96

/** While it runs, and afterwards. */
function RunChart({ plan }: { plan: PlanRunView }) {
  const text = useText()
  const { replay } = useIncidentRecord({ plan: plan.name })
  const workloads = useCollection('workloads').byId
  const ready = useMemo(
    () => replay && readyOver(replay.record, plan, (id) => workloads.get(id)?.ready),
    [replay, plan, workloads],
  )
  const plans = usePlans()
  return <Chart plan={plan} plans={plans} ready={ready} unknown={replay && text('planPicture.ready.unmeasured')} />
}

/** All plans; undefined until they are loaded, because waves would seem not to be measured without them. */
function usePlans(): readonly Pick<PlanRowView, 'waves'>[] | undefined {
  const { items, loaded } = useCollection('plans')
  return loaded ? items : undefined
}

/** The same for a plan whose whole record is known. */
export function RecordedReadyChart({ plan, record }: { plan: PlanRunView; record: IncidentRecord }) {
  return (
    <AreaTexts area="planPicture">
      <RecordedChart plan={plan} record={record} />
    </AreaTexts>
  )
}

function RecordedChart({ plan, record }: { plan: PlanRunView; record: IncidentRecord }) {
  const text = useText()
  const plans = useMemo(() => [plan], [plan])
  const ready = useMemo(() => readyOver(record, plan, () => undefined), [record, plan])
  return <Chart plan={plan} plans={plans} ready={ready} unknown={text('planPicture.ready.unmeasured')} />
}

/** Before its approval: what is predicted if it is approved now. */
function AheadChart({ plan }: { plan: PlanRunView }) {
  const text = useText()
  const { byId, loaded } = useCollection('workloads')
  const ready = useMemo(() => readyAhead(plan, (id) => byId.get(id)?.ready), [plan, byId])
  const plans = usePlans()
  return <Chart plan={plan} plans={plans} ready={ready} unknown={loaded && text('planPicture.ready.unknown')} isAhead />
}

interface ChartProps {
  plan: PlanRunView
  /** Finished waves of these plans tell how long waves take. */
  plans: readonly Pick<PlanRunView, 'waves'>[] | undefined
  ready: ReadyOver | undefined
  /** Text if no chart can be drawn; false until that is known. */
  unknown: string | false | undefined
  isAhead?: boolean
}

function Chart({ plan, plans, ready, unknown, isAhead = false }: ChartProps) {
  const text = useText()
  const [measured, width] = useWidth<HTMLDivElement>()
  const band = useMemo(
    () => ready && plans && bandOf({ ready, plan, durations: durationsOf(plans), now: ready.to }),
    [ready, plan, plans],
  )
  return (
    <section aria-labelledby="ready-replicas">
      <h2 id="ready-replicas" className="mb-1 text-section">
        {text('planPicture.ready.title')}
        <span className="ml-3 text-label font-normal text-ink-2">
          {text(isAhead ? 'planPicture.ready.hintAhead' : 'planPicture.ready.hint')}
        </span>
      </h2>
      <div ref={measured}>
        {!ready && unknown && <p className="text-ink-2">{unknown}</p>}
        {ready && band && <Sentence ready={ready} band={band} isAhead={isAhead} />}
        {ready && band && width > RIGHT + 100 && <Lines ready={ready} band={band} width={width} isAhead={isAhead} />}
      </div>
      {band && <BandMeaning band={band} schedule={plan.schedule} />}
    </section>
  )
}

/** Describes the chart for assistive technology. */
function Sentence({ ready, band, isAhead }: { ready: ReadyOver; band: Band; isAhead: boolean }) {
  const text = useText()
  const { before, lowest, floor } = ready
  const predicted = Math.min(before, ...band.waves.map((wave) => wave.predicted))
  return (
    <p
      className="sr-only"
      data-testid="plan-ready"
      data-before={before}
      data-lowest={isAhead ? undefined : lowest}
      data-predicted={predicted}
      data-floor={floor}
    >
      {isAhead
        ? text('planPicture.ready.sentenceAhead', { before, predicted, floor })
        : text('planPicture.ready.sentence', { lowest, predicted, floor })}
    </p>
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
  /** Times count from the approval. */
  isAhead: boolean
}

function Lines({ ready, band, width, isAhead }: LinesProps) {
  const text = useText()
  const { measured, before, floor, from } = ready
  const to = Math.max(band.to, from + (isAhead ? 1 : 5000))
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
        {band.untimed !== 'inOrder' && <TimeAxis axis={axis} width={frame.width} isAhead={isAhead} />}
        <path d={`M0 ${y(before)}H${frame.width}`} strokeDasharray="2 3" className="stroke-ink-2" />
        <path d={`M0 ${y(floor)}H${frame.width}`} strokeWidth="1.5" className="stroke-fail" />
        <path
          d={band.waves.map((wave) => `M${x(wave.from.typical)} ${y(wave.predicted)}H${x(wave.to.typical)}`).join('')}
          strokeDasharray="5 4"
          strokeWidth="1.5"
          className="stroke-chart-predicted"
        />
        {!isAhead && (
          <path
            d={linePath({ steps: measured, before, upper: (value) => value - bottom }, { ...frame, until: ready.to })}
            fill="none"
            strokeWidth="2"
            className="stroke-ink"
          />
        )}
        {!isAhead && band.to > ready.to && <path d={`M${x(ready.to)} 0V${HEIGHT}`} className="stroke-ink" />}
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
        {!isAhead && (
          <title>
            {text('planPicture.ready.now', { time: { time: isoTime(ready.to) }, n: measured.last() ?? before })}
          </title>
        )}
      </g>
    </svg>
  )
}

/** A wave from its begin to its end; dashed where that is predicted. */
function WaveBox({ wave, x }: { wave: BandWave; x: (at: number) => number }) {
  const text = useText()
  const { number, from, to, workloads, predicted } = wave
  const isOver = !wave.isUpcoming && to.earliest === to.latest
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

interface TimeAxisProps {
  axis: { from: number; to: number }
  width: number
  /** Spans from the approval instead of times. */
  isAhead: boolean
}

function TimeAxis({ axis, width, isAhead }: TimeAxisProps) {
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
        {isAhead ? text.format.duration(at) : text.format.timeOfDay(isoTime(at))}
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
