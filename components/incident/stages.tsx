import { clsx } from 'clsx'
import type { Text } from '@/lib/messages'
import { isoTime } from '@/lib/std/clock'
import { type Axis, placeOn, type Stage, type StagePhase } from '@/lib/view/incident/layout'
import type { Milestone } from '@/lib/view/incident/replay'
import { useText } from '../messages/use-text'
import { lettersOf } from '../picture/letters'

const LOOKS: Record<StagePhase, string> = {
  healthy: 'border-ok bg-raised',
  detected: 'border-fail bg-chart-lost-fill',
  tainted: 'border-warn bg-raised',
  evicting: 'border-active bg-chart-starting-fill',
  rescheduling: 'border-active bg-chart-starting-fill',
  recovered: 'border-ok bg-raised',
}

/** A digit or a letter of a label is about this wide. */
const LETTER = 6.4
const STRIP_HEIGHT = 22
const MARK_HEIGHT = 18
const MARK_ROWS = 3

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

interface MarkLabelsProps {
  milestones: readonly Milestone[]
  axis: Axis
  width: number
}

/** Names of the moments, in rows of their own so that they cover nothing; one that finds no row is left to the table. */
export function MarkLabels({ milestones, axis, width }: MarkLabelsProps) {
  const text = useText()
  const x = placeOn(axis, width)
  const ends: number[] = []
  const placed = milestones.flatMap(({ kind, at }) => {
    const name = text(`incident.mark.${kind}`)
    const size = lettersOf(name) * LETTER + 10
    const left = Math.min(x(at) + 3, width - size)
    const row = Array.from({ length: MARK_ROWS }, (_, index) => index).find((each) => (ends[each] ?? -1) < left)
    if (row === undefined || left < 0) return []
    ends[row] = left + size
    return [{ kind, at, name, left, row, line: x(at) }]
  })
  const height = Math.max(1, ends.length) * MARK_HEIGHT
  return (
    <svg width={width} height={height} className="block">
      {placed.map(({ kind, at, name, left, row, line }) => (
        <g key={kind}>
          <path d={`M${line} ${row * MARK_HEIGHT + 2}V${height}`} strokeDasharray="2 3" className="stroke-ink-2" />
          <text x={left} y={row * MARK_HEIGHT + 13} className="fill-ink text-micro">
            <title>{text('incident.mark.at', { mark: name, time: { time: isoTime(at) } })}</title>
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}
