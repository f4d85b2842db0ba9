'use client'
import { clsx } from 'clsx'
import { useId } from 'react'
import type { EpochMs } from '@/lib/std/clock'
import type { WorkloadAt } from '@/lib/view/incident/outcome'
import type { IncidentCounts, Replay } from '@/lib/view/incident/replay'
import type { WorkloadPhase } from '@/lib/view/incident/state'
import type { State } from '@/lib/view/model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { StateGlyph } from '../status/state-glyph'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'
import { useWidth } from '../picture/use-width'

/** Needs action first: on a phone the columns stand below each other. */
const ORDER: readonly WorkloadPhase[] = ['unplaced', 'waiting', 'starting', 'recovered', 'kept']
export const STATE_OF_PHASE: Record<WorkloadPhase, State> = {
  unplaced: 'fail',
  waiting: 'warn',
  starting: 'active',
  recovered: 'ok',
  kept: 'held',
}
const MAX_LISTED = 5
const CELL = 11

interface PhasesProps {
  replay: Replay
  groups: ReadonlyMap<WorkloadPhase, readonly WorkloadAt[]>
  at: EpochMs
  /** By workload: when it is evicted, as announced. */
  deadlines: ReadonlyMap<string, EpochMs>
}

/** The workloads by phase: a square for each, and those that change next by name with the time that is left. */
export function Phases({ replay, groups, at, deadlines }: PhasesProps) {
  const shown = ORDER.filter((phase) => phase !== 'kept' || groups.has(phase))
  return (
    <div className="grid border-t border-line wide:auto-cols-fr wide:grid-flow-col">
      {shown.map((phase) => (
        <PhaseColumn
          key={phase}
          phase={phase}
          workloads={groups.get(phase) ?? []}
          replay={replay}
          at={at}
          deadlines={deadlines}
        />
      ))}
    </div>
  )
}

interface ColumnProps extends Omit<PhasesProps, 'groups'> {
  phase: WorkloadPhase
  workloads: readonly WorkloadAt[]
}

function PhaseColumn({ phase, workloads, replay, at, deadlines }: ColumnProps) {
  const text = useText()
  const title = useId()
  return (
    <section
      aria-labelledby={title}
      data-testid="incident-phase"
      data-phase={phase}
      data-count={workloads.length}
      className="min-w-0 border-line px-3 py-3 first:pl-0 last:pr-0 not-first:wide:border-l max-wide:border-b max-wide:px-0"
    >
      <h2 id={title} className="flex items-baseline gap-2 text-section">
        <span className="self-center">
          <StateGlyph state={STATE_OF_PHASE[phase]} />
        </span>
        {text(`incident.phase.${phase}`)} <span>{text.format.count(workloads.length)}</span>
        <span className="ml-auto truncate text-label font-normal text-ink-2">
          {text(`incident.phase.${phase}Hint`)}
        </span>
      </h2>
      <Squares phase={phase} count={workloads.length} />
      <ul className="mt-1">
        {workloads.slice(0, MAX_LISTED).map((workload) => (
          <PhaseRow
            key={workload.id}
            workload={workload}
            replay={replay}
            at={at}
            deadline={deadlines.get(workload.id)}
          />
        ))}
      </ul>
      {workloads.length > MAX_LISTED && (
        <p className="pt-1 text-ink-2">{text('incident.phase.more', { n: workloads.length - MAX_LISTED })}</p>
      )}
    </section>
  )
}

interface RowProps {
  workload: WorkloadAt
  replay: Replay
  at: EpochMs
  deadline: EpochMs | undefined
}

function PhaseRow({ workload, replay, at, deadline }: RowProps) {
  const text = useText()
  const { id, status, until, since } = workload
  const ref = parseWorkloadId(id)
  const next = until ?? (status.phase === 'waiting' ? deadline : undefined)
  const refusal = status.phase === 'unplaced' ? replay.refusals.get(id) : undefined
  const spent = status.phase === 'recovered' ? since - replay.since : undefined
  return (
    <li className="border-b border-line py-1" data-workload={id}>
      <div className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 grow">{ref ? <WorkloadName id={id} workload={ref} /> : id}</span>
        <span className="shrink-0 text-ink-2" data-testid="phase-ready">
          {text('incident.table.ofDesired', { ready: status.ready, desired: status.desired })}
        </span>
        <span className="w-14 shrink-0 text-right font-medium" data-testid="phase-countdown">
          {spent !== undefined && text.format.duration(spent)}
          {spent === undefined
            && next !== undefined
            && (next > at ? text.format.duration(next - at) : text('failover.due'))}
        </span>
      </div>
      {refusal !== undefined && (
        <p className="line-clamp-2 text-label font-normal text-ink-2" title={refusal}>
          <Link href={href.workload(id)} className="link">
            {refusal}
          </Link>
        </p>
      )}
    </li>
  )
}

/** One square for each workload, as a tiled rectangle: 1,000 of them cost as much as one. */
function Squares({ phase, count }: { phase: WorkloadPhase; count: number }) {
  const [measured, width] = useWidth<HTMLDivElement>()
  const textures = useTextures()
  const id = useId()
  const columns = Math.max(1, Math.floor(width / CELL))
  const rows = Math.floor(count / columns)
  const rest = count - rows * columns
  return (
    <div ref={measured} className="mt-2 min-h-3">
      {width > 0 && count > 0 && (
        <svg width={columns * CELL} height={(rows + (rest > 0 ? 1 : 0)) * CELL} aria-hidden="true" className="block">
          {textures.defs}
          <defs>
            <pattern id={id} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
              <Square phase={phase} hatch={textures.fill} />
            </pattern>
          </defs>
          <rect width={columns * CELL} height={rows * CELL} fill={`url(#${id})`} />
          <rect y={rows * CELL} width={rest * CELL} height={CELL} fill={`url(#${id})`} />
        </svg>
      )}
    </div>
  )
}

function Square({ phase, hatch }: { phase: WorkloadPhase; hatch: ReturnType<typeof useTextures>['fill'] }) {
  const size = { x: 1, y: 1, width: CELL - 3, height: CELL - 3, rx: 1.5 }
  switch (phase) {
    case 'recovered':
      return <rect {...size} className="fill-chart-recovered" />
    case 'starting':
      return <rect {...size} fill={hatch('starting')} className="stroke-chart-starting" />
    case 'kept':
      return <rect {...size} fill={hatch('held')} className="stroke-chart-held" />
    case 'waiting':
      return <rect {...size} fill="none" strokeWidth="1.5" className="stroke-warn" />
    case 'unplaced':
      return <rect {...size} fill={hatch('lost')} strokeDasharray="2 1.5" className="stroke-chart-lost" />
  }
}

const BAR_LOOK: Record<WorkloadPhase, string> = {
  recovered: 'bg-chart-recovered',
  starting: 'hatch-starting',
  waiting: 'bg-warn',
  unplaced: 'bg-fail',
  kept: 'hatch-held',
}
const BAR_ORDER: readonly WorkloadPhase[] = ['recovered', 'starting', 'waiting', 'kept', 'unplaced']

/** How the workloads divide among the phases, as one bar with its numbers. */
export function PhaseBar({ counts }: { counts: IncidentCounts }) {
  const text = useText()
  const present = BAR_ORDER.filter((phase) => counts[phase] > 0)
  const words = present.map((phase) =>
    text('incident.phase.count', { n: counts[phase], phase: text(`incident.phase.${phase}`).toLocaleLowerCase() }),
  )
  if (counts.affected === 0) return null
  return (
    <div className="w-full max-w-md wide:w-96" data-testid="phase-bar">
      <svg width="100%" height="14" aria-hidden="true" className="block rounded-control">
        {present.map((phase, index) => {
          const start = present.slice(0, index).reduce((sum, each) => sum + counts[each], 0)
          return (
            <foreignObject
              key={phase}
              x={`${(start / counts.affected) * 100}%`}
              width={`${(counts[phase] / counts.affected) * 100}%`}
              height="14"
            >
              <div className={clsx('h-full', index > 0 && 'border-l-2 border-paper', BAR_LOOK[phase])} />
            </foreignObject>
          )
        })}
      </svg>
      <p className="sr-only">{text('incident.phase.bar', { phases: words })}</p>
      <p className="mt-1 flex flex-wrap gap-x-3" aria-hidden="true">
        {words.map((word) => (
          <span key={word}>{word}</span>
        ))}
      </p>
    </div>
  )
}
