'use client'
import { useMemo } from 'react'
import { isoTime, type EpochMs } from '@/lib/std/clock'
import { type Axis, gained, type LaneRow as Row, laneRows, mostIn, stagesOf, ticksOf } from '@/lib/view/incident/layout'
import { type Forecast, lossOf } from '@/lib/view/incident/outcome'
import type { IncidentCounts, Replay } from '@/lib/view/incident/replay'
import type { LaneCounts, WorkloadStatus } from '@/lib/view/incident/state'
import { Steps } from '@/lib/view/incident/steps'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { AxisLabels } from '../picture/axis-labels'
import { useRoving } from '../picture/use-roving'
import { useTextures } from '../picture/use-textures'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'
import { Course, LaneRow, type Marks, Playhead } from '../picture/lane'
import { Milestones, StageStrip } from './stages'
import { useWidth } from '../picture/use-width'
import { gainWords, isObservedAt } from './words'

interface SwimlanesProps {
  replay: Replay
  axis: Axis
  /** The time at the playhead. */
  at: EpochMs
  /** Up to when something is recorded. */
  until: EpochMs
  forecast: Forecast | undefined
}

const MAX_LANES = 8
const TALL = 56
const LOW = 34
const TOTAL = 48
const NONE: LaneCounts = { ready: 0, starting: 0, lost: 0 }

/** The replicas of the affected workloads in each cluster concerned, on one time axis. */
export function Swimlanes({ replay, axis, at, until, forecast }: SwimlanesProps) {
  const text = useText()
  const [measured, width] = useWidth<HTMLDivElement>()
  const { failed, targets } = useMemo(() => laneRows(replay, MAX_LANES), [replay])
  const marks = useMemo<Marks>(
    () => ({
      gaps: replay.gaps,
      lines: replay.milestones.map(({ at }) => at),
      ticks: ticksOf(axis, Math.max(2, Math.floor(width / 90))),
    }),
    [replay, axis, width],
  )
  const size = { axis, width, until }
  const rest = targets.find(({ cluster }) => cluster === undefined)
  const drawn = useMemo(() => targets.map(gained), [targets])
  const roving = useRoving(targets.filter(({ cluster }) => cluster !== undefined).length + (failed ? 1 : 0))
  const shared = useMemo(() => mostIn(drawn.filter(({ cluster }) => cluster !== undefined)), [drawn])
  return (
    <section aria-label={text('incident.lanes.label')} data-testid="swimlanes" className="relative">
      <div className="pointer-events-none absolute top-0 right-[11.5rem] bottom-[18px] left-[10.5rem] z-1 overflow-hidden max-wide:hidden">
        <Playhead />
      </div>
      <LaneRow label={<Label>{text('incident.stage.label')}</Label>} figure={null} testId="lane-stages">
        <div ref={measured} className="min-h-6 pt-1">
          {width > 0 && (
            <>
              <StageStrip stages={stagesOf(replay, axis)} axis={axis} width={width} />
              <Milestones milestones={replay.milestones} axis={axis} width={width} at={at} />
            </>
          )}
        </div>
      </LaneRow>
      <TotalLane replay={replay} at={at} marks={marks} size={size} forecast={forecast} />
      {failed && (
        <ClusterLane
          row={failed}
          drawn={failed}
          failedGlyph={isAwayAt(replay, at) ? 'fail' : 'ok'}
          focus={roving.propsOf(0)}
          at={at}
          marks={marks}
          size={size}
          most={mostIn([failed])}
          forecast={forecast}
          observed={isObservedAt(replay, at)}
        />
      )}
      {targets.map((row, index) => (
        <ClusterLane
          key={row.cluster ?? ''}
          row={row}
          drawn={drawn[index]!}
          focus={roving.propsOf(index + (failed ? 1 : 0))}
          at={at}
          marks={marks}
          size={size}
          most={row === rest ? mostIn([drawn[index]!]) : shared}
          forecast={forecast}
          observed={isObservedAt(replay, at)}
        />
      ))}
      {width > 0 && (
        <AxisLabels
          axis={axis}
          width={width}
          ticks={marks.ticks}
          scale={text('incident.lanes.sharedScale', { most: shared })}
          nameOf={(at) => text.format.timeOfDay(isoTime(at))}
        />
      )}
    </section>
  )
}

/** The cluster does not answer at that time; of a failover of a workload, its cluster always does. */
function isAwayAt({ record, milestones, since }: Replay, at: EpochMs): boolean {
  const back = milestones.find(({ kind }) => kind === 'readyAgain')?.at ?? Infinity
  return record.workload === undefined && at >= since && at < back
}

const Label = ({ children }: { children: string }) => <span className="font-medium">{children}</span>

interface TotalProps {
  replay: Replay
  at: EpochMs
  marks: Marks
  size: { axis: Axis; width: number; until: EpochMs }
}

/** All replicas that are ready, of those desired. */
function TotalLane({ replay, at, marks, size, forecast }: TotalProps & { forecast: Forecast | undefined }) {
  const text = useText()
  const total = useMemo(() => totalOf(replay), [replay])
  const counts = replay.counts.at(at)
  const { lowest } = useMemo(() => lossOf(replay), [replay])
  return (
    <LaneRow
      testId="lane-total"
      label={
        <>
          <Label>{text('incident.lanes.all')}</Label>
          {lowest.desired > 0 && (
            <span className="text-micro text-ink-2">
              {text('incident.lanes.lowest', { ready: lowest.ready, time: { time: isoTime(lowest.at) } })}
            </span>
          )}
        </>
      }
      figure={counts && <ReadyOf counts={counts} observed={isObservedAt(replay, at)} />}
    >
      {size.width > 0 && (
        <Course
          steps={total.steps}
          before={total.before}
          {...size}
          height={TOTAL}
          most={total.most}
          marks={marks}
          forecast={forecast}
          goal={total.goal}
          isFailed={false}
        />
      )}
    </LaneRow>
  )
}

function ReadyOf({ counts: { ready, desired }, observed }: { counts: IncidentCounts; observed: boolean }) {
  const text = useText()
  return (
    <span className="font-medium" data-ready={ready} data-desired={desired}>
      {observed ? text('incident.lanes.ready', { ready, desired }) : text('incident.lanes.unknown')}
    </span>
  )
}

/** The sum over all clusters: what is not ready is lost, wherever it will be. */
function totalOf({ counts, before, workloads }: Replay) {
  const steps = new Steps<LaneCounts>()
  for (const [index, at] of counts.times.entries()) {
    const { ready, desired, affected } = counts.values[index]!
    if (affected > 0) steps.push(at, { ready, starting: 0, lost: Math.max(0, desired - ready) })
  }
  const most = steps.values.reduce((top, { ready, lost }) => Math.max(top, ready + lost), 1)
  // Replicas without a place stay lost.
  const goal = [...workloads.values()].reduce((sum, each) => sum + hopeOf(each.last()), 0)
  return { steps, most, goal, before: [...before.values()].reduce((sum, each) => sum + each, 0) }
}

/** Replicas of a workload that are ready when all recoverable ones have recovered. */
const hopeOf = (status: WorkloadStatus | undefined): number =>
  status === undefined
    ? 0
    : status.phase === 'unplaced' || status.phase === 'kept'
      ? status.ready
      : Math.max(status.ready, status.desired)

interface ClusterLaneProps extends Omit<TotalProps, 'replay'> {
  row: Row
  /** What of it is drawn. */
  drawn: Row
  most: number
  /** Of the cluster that failed. */
  failedGlyph?: 'fail' | 'ok'
  forecast: Forecast | undefined
  observed: boolean
  /** Of its link; one lane is in the order of the Tab key. */
  focus: ReturnType<ReturnType<typeof useRoving>['propsOf']>
}

function ClusterLane({ row, drawn, most, failedGlyph, focus, at, marks, size, forecast, observed }: ClusterLaneProps) {
  const text = useText()
  const { cluster, clusters, steps, before } = row
  const counts = steps.at(at) ?? { ...NONE, ready: before }
  const name = cluster ?? text('incident.lanes.rest', { n: clusters })
  const sentence = text('incident.lanes.sentence', { cluster: name, ...counts, before, known: observed ? 'yes' : 'no' })
  const isFailed = failedGlyph !== undefined
  return (
    <LaneRow
      testId={isFailed ? 'lane-failed' : 'lane-cluster'}
      cluster={cluster}
      label={
        <>
          <span className="flex min-w-0 items-center gap-1.5">
            {failedGlyph && <StateGlyph state={failedGlyph} />}
            {cluster === undefined ? (
              <span className="min-w-0 truncate font-medium">{name}</span>
            ) : (
              <Link
                href={href.cluster(cluster)}
                aria-label={sentence}
                title={name}
                className="min-w-0 truncate font-medium"
                {...focus}
              >
                {cluster}
              </Link>
            )}
          </span>
          {(isFailed || cluster === undefined) && (
            <span className="text-micro text-ink-2">{text('incident.lanes.ownScale', { most })}</span>
          )}
        </>
      }
      figure={
        observed ? (
          <LaneFigure counts={counts} before={before} isFailed={isFailed} />
        ) : (
          <span className="text-ink-2">{text('incident.lanes.unknown')}</span>
        )
      }
    >
      {size.width > 0 && (
        <>
          {cluster === undefined && <p className="sr-only">{sentence}</p>}
          <Course
            steps={drawn.steps}
            before={drawn.before}
            {...size}
            height={isFailed ? TALL : LOW}
            most={most}
            marks={marks}
            forecast={forecast}
            isFailed={isFailed}
          />
        </>
      )}
    </LaneRow>
  )
}

function LaneFigure({ counts, before, isFailed }: { counts: LaneCounts; before: number; isFailed: boolean }) {
  const text = useText()
  const { ready, starting, lost } = counts
  if (isFailed && ready === 0) {
    return (
      <>
        <span className="font-medium" data-lost={lost}>
          {text('incident.lanes.notEvicted', { n: lost + starting })}
        </span>
        <span className="text-ink-2">{text('incident.lanes.leftWas', { n: before })}</span>
      </>
    )
  }
  return (
    <>
      <span className="font-medium" data-ready={ready}>
        {gainWords(text, ready - before)}
      </span>
      {starting > 0 && <span className="text-ink-2">{text('incident.lanes.starting', { n: starting })}</span>}
      {lost > 0 && <span className="text-ink-2">{text('incident.lanes.lost', { n: lost })}</span>}
    </>
  )
}

/** What the textures mean. */
export function LaneLegend({ predicted }: { predicted: boolean }) {
  const text = useText()
  const textures = useTextures()
  const items = [
    { name: text('incident.legend.ready'), mark: <rect width="16" height="10" className="fill-chart-recovered" /> },
    { name: text('incident.legend.starting'), mark: <rect width="16" height="10" fill={textures.fill('starting')} /> },
    { name: text('incident.legend.lost'), mark: <rect width="16" height="10" fill={textures.fill('lost')} /> },
    {
      name: text('incident.legend.gap'),
      mark: <rect x="0.5" y="0.5" width="15" height="9" strokeDasharray="3 2" className="fill-sunken stroke-ink-2" />,
    },
    ...(predicted
      ? [
          {
            name: text('incident.legend.predicted'),
            mark: <path d="M0 8L16 2" strokeDasharray="4 3" strokeWidth="1.5" className="stroke-chart-predicted" />,
          },
        ]
      : []),
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-micro text-ink-2">
      {items.map(({ name, mark }) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg width="16" height="10" aria-hidden="true">
            {textures.defs}
            {mark}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
