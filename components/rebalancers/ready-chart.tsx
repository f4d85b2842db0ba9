'use client'
import { useMemo } from 'react'
import { isoTime } from '@/lib/std/clock'
import { linePath, placeOn, ticksOf } from '@/lib/view/incident/layout'
import { type ReadyOver, readyOver } from '@/lib/view/plan-flow/ready'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { useCollection } from '../hooks/use-collection'
import { useIncidentRecord } from '../hooks/use-incident-record'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { useWidth } from '../picture/use-width'

/** The waves of a plan and the ready replicas of its workloads: measured, predicted, and the budget. */
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
  const ready = useMemo(
    () => replay && readyOver(replay.record, plan, (id) => workloads.get(id)?.ready),
    [replay, plan, workloads],
  )
  const predicted = Math.min(ready?.before ?? 0, ...(ready?.waves ?? []).map((wave) => wave.predicted))
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
        {ready && width > RIGHT + 100 && <Lines ready={ready} width={width} predicted={predicted} />}
      </div>
    </section>
  )
}

function Lines({ ready, width, predicted }: { ready: ReadyOver; width: number; predicted: number }) {
  const text = useText()
  const { measured, before, floor, waves, from } = ready
  const to = Math.max(ready.to, from + 5000)
  const axis = { from, to }
  const [bottom, top] = scaleOf(ready, predicted)
  const frame = { axis, width: width - RIGHT, height: HEIGHT, most: top - bottom, until: to }
  const x = placeOn(axis, frame.width)
  const y = (value: number): number => HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT
  const last = measured.last() ?? before
  return (
    <svg width={width} height={STRIP + HEIGHT + AXIS} aria-hidden="true" className="block">
      {waves.map(({ number, from: start, to: end, isOver, predicted: least, workloads }) => (
        <g key={number}>
          <title>{text('planPicture.ready.waveSpan', { n: number, workloads, lowest: least })}</title>
          <rect
            x={x(start)}
            width={Math.max(2, x(end) - x(start))}
            height="20"
            strokeDasharray={isOver ? undefined : '4 3'}
            className={isOver ? 'fill-chart-ready' : 'fill-chart-predicted-fill stroke-chart-predicted'}
          />
          {x(end) - x(start) > 60 && (
            <text x={x(start) + 6} y="14" className="fill-ink text-micro">
              {text('planPicture.ready.wave', { n: number })}
            </text>
          )}
        </g>
      ))}
      <g transform={`translate(0 ${STRIP})`}>
        {ticksOf(axis, Math.max(2, Math.floor(frame.width / 90))).map((at) => (
          <g key={at}>
            <path d={`M${x(at)} 0V${HEIGHT}`} className="stroke-line" />
            <text
              x={Math.min(Math.max(x(at), 26), frame.width - 26)}
              y={HEIGHT + 13}
              textAnchor="middle"
              className="fill-ink-2 text-micro"
            >
              {text.format.timeOfDay(isoTime(at))}
            </text>
          </g>
        ))}
        <path d={`M0 ${y(before)}H${frame.width}`} strokeDasharray="2 3" className="stroke-ink-2" />
        <path d={`M0 ${y(floor)}H${frame.width}`} strokeWidth="1.5" className="stroke-fail" />
        <path
          d={waves.map((wave) => `M${x(wave.from)} ${y(wave.predicted)}H${x(wave.to)}`).join('')}
          strokeDasharray="5 4"
          strokeWidth="1.5"
          className="stroke-chart-predicted"
        />
        <path
          d={linePath({ steps: measured, before, upper: (value) => value - bottom }, frame)}
          fill="none"
          strokeWidth="2"
          className="stroke-ink"
        />
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
        <title>{text('planPicture.ready.now', { time: { time: isoTime(ready.to) }, n: last })}</title>
      </g>
    </svg>
  )
}

/** A cut axis makes small losses visible; where it starts is written at it. */
function scaleOf({ measured, before, floor, lowest }: ReadyOver, predicted: number): [bottom: number, top: number] {
  const least = Math.min(before, floor, lowest, predicted)
  const most = measured.values.reduce((top, each) => Math.max(top, each), before)
  const room = Math.max(1, Math.ceil((most - least) * 0.2))
  return [Math.max(0, least - room), most + room]
}
