'use client'
import { useEffect, useMemo, useRef } from 'react'
import { isoTime, type EpochMs, parseTime } from '@/lib/std/clock'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import { axisOf, endOf, isSettled, stopsOf } from '@/lib/view/incident/layout'
import { forecastOf, workloadsAt } from '@/lib/view/incident/outcome'
import type { Replay } from '@/lib/view/incident/replay'
import type { Collection } from '../hooks/use-collection'
import { useNow } from '../hooks/use-now'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Tabs } from '../ui/tabs'
import { IncidentTable } from './incident-table'
import { PhaseBar, Phases } from './phases'
import { Predictions } from './predictions'
import { PlayerControls, Scrubber } from './scrubber'
import { LaneLegend, Swimlanes } from './swimlanes'
import { usePlayer } from './use-player'
import { headlineOf, stateAt, summaryOf } from './words'

interface BodyProps {
  replay: Replay
  /** When the record was read, by the clock of this browser; absent for a complete record. */
  readAt?: number | undefined
  failovers: Collection<FailoverEntryView>
}

/** The incident at the playhead: sentence, picture or table, and the workloads by phase. */
export function IncidentBody({ replay, readAt, failovers }: BodyProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const scene = useScene(replay, readAt, failovers)
  const { axis, present, stops, forecast, secondsLeft, isRunning, deadlines } = scene
  const asked = get('at')
  const initial = asked === undefined ? undefined : Date.parse(asked)
  const { player, state, stage } = usePlayer({
    axis,
    present,
    stops,
    initial: initial === undefined || Number.isNaN(initial) ? undefined : initial,
  })
  const at = state.at ?? present
  useAddress(state.at, state.playing, tweak)
  const groups = useMemo(() => workloadsAt(replay, at), [replay, at])
  const counts = replay.counts.at(at)
  const milestones = replay.milestones.map((each) => each.at)
  const view = get('view') === 'table' ? 'table' : 'picture'
  const summary = useMemo(
    () => summaryOf(text, replay, Math.max(present, replay.now)).join(' '),
    [text, replay, present],
  )
  const headline = headlineOf(text, replay, { at: state.at, secondsLeft })
  const lanes = (
    <Swimlanes replay={replay} axis={axis} at={at} until={present} forecast={isRunning ? forecast : undefined} />
  )
  return (
    <div className="px-6 pb-6 max-wide:px-4">
      <div className="flex flex-wrap items-start gap-x-8 gap-y-2 py-3">
        <div className="min-w-0 grow basis-96">
          <output
            className="flex items-center gap-2 text-[24px] leading-8 font-semibold"
            data-testid="incident-headline"
          >
            <StateGlyph state={stateAt(counts)} size={20} />
            <span className="min-w-0 break-words">{headline}</span>
          </output>
          <p className="mt-1 max-w-4xl break-words text-ink-2" data-testid="incident-summary">
            {summary}
          </p>
        </div>
        {counts && <PhaseBar counts={counts} />}
      </div>
      <div ref={stage} data-testid="incident-stage" data-at={isoTime(at)} data-following={state.at === undefined}>
        <Tabs
          label={text('incident.view.label')}
          value={view}
          onChange={(next) => tweak({ view: next === 'table' ? next : undefined })}
          items={[
            {
              value: 'picture',
              label: text('incident.view.picture'),
              content: replay.lanes.size > 0 ? lanes : <p>{text('incident.lanes.nothing')}</p>,
            },
            {
              value: 'table',
              label: text('incident.view.table'),
              content: <IncidentTable replay={replay} groups={groups} at={at} />,
            },
          ]}
        />
        <div className="grid items-center bg-raised wide:grid-cols-[10.5rem_minmax(0,1fr)_11.5rem]">
          <span className="pl-2 font-medium max-wide:hidden" data-testid="incident-time">
            {text.format.timeOfDay(isoTime(at))}
          </span>
          <Scrubber player={player} state={state} axis={axis} at={at} stops={stops} milestones={milestones} />
          <span className="pl-3 text-label text-ink-2 max-wide:hidden">{text.format.moment(isoTime(at))}</span>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 bg-raised px-2 py-2">
          <PlayerControls player={player} state={state} isRunning={isRunning} />
          <LaneLegend predicted={isRunning && forecast !== undefined} />
        </div>
      </div>
      {view === 'picture' && <Phases replay={replay} groups={groups} at={at} deadlines={deadlines} />}
      <Predictions replay={replay} />
    </div>
  )
}

/** Returns the drawn data and its end: the server's present, independent of the browser's clock. */
function useScene(replay: Replay, readAt: number | undefined, failovers: Collection<FailoverEntryView>) {
  const { cluster = '', workload } = replay.record
  const tick = useNow()
  const isRunning = readAt !== undefined && replay.endedAt === undefined && !isSettled(replay)
  const end = endOf(replay)
  // The record is read again each second, so that a wrong or changed clock of the browser hardly counts.
  const present = isRunning && tick > 0 ? Math.max(end, replay.now + Math.max(0, tick - readAt)) : end
  const secondsLeft = failovers.byId.get(`cluster ${cluster}`)?.failovers[0]?.incident?.secondsLeft
  const forecast = useMemo(
    () => (isRunning ? forecastOf(replay, present, workload === undefined ? secondsLeft : undefined) : undefined),
    [replay, isRunning, present, workload, secondsLeft],
  )
  const axis = useMemo(
    () => axisOf(isRunning ? { ...replay, now: present } : replay, forecast?.latest),
    [replay, isRunning, present, forecast],
  )
  const stops = useMemo(() => stopsOf(replay), [replay])
  const deadlines = useMemo(() => deadlinesOf(failovers, cluster), [failovers, cluster])
  return { axis, present, stops, forecast, secondsLeft, isRunning, deadlines }
}

/** The announced time of the eviction from the cluster; later deadlines concern the remaining workloads. */
function deadlinesOf({ items }: Collection<FailoverEntryView>, cluster: string): Map<string, EpochMs> {
  return new Map(
    items.flatMap(({ id, failovers }) => {
      const tolerated = failovers.find((each) => each.cluster === cluster && each.stage === 'toleration')
      const deadline = tolerated?.workload === undefined ? undefined : tolerated.deadline
      return deadline ? [[id, parseTime(deadline.at)] as const] : []
    }),
  )
}

/** A moment that was chosen stands in the address; while it plays, the address rests. */
function useAddress(
  at: EpochMs | undefined,
  playing: boolean,
  tweak: (changes: Record<string, string | undefined>) => void,
): void {
  const started = useRef(false)
  useEffect(() => {
    if (started.current && !playing) tweak({ at: at === undefined ? undefined : isoTime(at) })
    started.current = true
  }, [at, playing, tweak])
}
