import { clsx } from 'clsx'
import type { Text } from '@/lib/messages'
import { type EpochMs, isoTime } from '@/lib/std/clock'
import { type Axis, placeOn, type Stage, type StagePhase } from '@/lib/view/incident/layout'
import type { Milestone } from '@/lib/view/incident/replay'
import { useText } from '../messages/use-text'
import { LETTER, lettersOf } from '../picture/letters'
import { MarkLabels } from '../picture/mark-labels'

const LOOKS: Record<StagePhase, string> = {
  healthy: 'border-ok bg-raised',
  detected: 'border-fail bg-chart-lost-fill',
  tainted: 'border-warn bg-raised',
  evicting: 'border-active bg-chart-starting-fill',
  rescheduling: 'border-active bg-chart-starting-fill',
  recovered: 'border-ok bg-raised',
}

const STRIP_HEIGHT = 22

/** The phases of the incident, as far as each of them has room for its name. */
export function StageStrip({ stages, axis, width }: { stages: readonly Stage[]; axis: Axis; width: number }) {
  const text = useText()
  const x = placeOn(axis, width)
  return (
    <>
      <ol className="sr-only">
        {stages.map(({ phase, ...span }) => (
          <li key={phase}>{spanOf(text, text(`incident.stage.${phase}`), span)}</li>
        ))}
      </ol>
      <svg width={width} height={STRIP_HEIGHT} className="block" aria-hidden="true">
        {stages.map(({ phase, from, to }) => {
          const name = text(`incident.stage.${phase}`)
          const [left, span] = [x(from), x(to) - x(from)]
          const isShown = span > lettersOf(name) * LETTER + 10
          return (
            <g key={phase} data-stage={phase}>
              <title>{spanOf(text, name, { from, to })}</title>
              <foreignObject x={left} y="0" width={Math.max(span, 2)} height={STRIP_HEIGHT}>
                <div
                  className={clsx(
                    'h-full overflow-hidden border-t-[3px] px-1.5 text-label leading-[19px] whitespace-nowrap',
                    LOOKS[phase],
                  )}
                >
                  {isShown && name}
                </div>
              </foreignObject>
            </g>
          )
        })}
      </svg>
    </>
  )
}

function spanOf(text: Text, stage: string, { from, to }: Axis): string {
  return text('incident.stage.span', { stage, from: { time: isoTime(from) }, to: { time: isoTime(to) } })
}

/** Names of the moments of an incident. */
export function Milestones({
  milestones,
  axis,
  width,
  at: shown,
}: {
  milestones: readonly Milestone[]
  axis: Axis
  width: number
  /** The time at the playhead. */
  at: EpochMs
}) {
  const text = useText()
  const marks = milestones.map(({ kind, at }) => {
    const name = text(`incident.mark.${kind}`)
    return { key: kind, at, name, title: text('incident.mark.at', { mark: name, time: { time: isoTime(at) } }) }
  })
  return <MarkLabels marks={marks} axis={axis} width={width} at={shown} />
}
