'use client'
import { useState } from 'react'
import { isoTime, parseTime } from '@/lib/std/clock'
import type { JournalEntry } from '@/lib/view/journal'
import type { ClusterView } from '@/lib/view/model'
import { clusterTimeline, gapsIn } from '@/lib/view/project/state-timeline'
import { journalAddress } from '../hooks/actions'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Disclosure } from '../plan/manifest'
import { Switch } from '../pods/view-switch'
import { RangeLinks, RANGES } from '../timeline/recorded-timeline'
import { Moves, StateTimeline, useShownLanes } from '../timeline/state-timeline'
import { useJournal } from '../timeline/use-journal'
import { LoadChart, LoadTable, useAmount } from './load-chart'
import { forecastLoad, MIN_CHANGES, MIN_RECORDED_MS, type LoadForecast } from './load-forecast'
import { loadSeries, type Range, RESOURCES, type Resource, seriesSince } from './load-series'

const DAY_HOURS = 24
const HOUR_MS = 3_600_000
/** The part of the axis after the present, as a share of that before it, where there is a forecast to draw. */
const AHEAD = 0.25

interface Recorded extends Range {
  entries: readonly JournalEntry[]
}

/** The last day of a cluster on one time axis: what its pods request, its conditions and its taints. */
export function ClusterHistory({ cluster, hasMetrics }: { cluster: ClusterView; hasMetrics: boolean | undefined }) {
  const text = useText()
  const [resource, setResource] = useState<Resource>('cpu')
  const { get } = useUrlState()
  const { recorded, error } = useJournal({ cluster: cluster.name }, DAY_HOURS)
  const hours =
    RANGES.find((each) => String(each) === get('hours'))
    ?? (recorded === undefined ? DAY_HOURS : fittingRange(recorded))
  return (
    <section aria-label={text('clusterPage.load')} data-testid="load">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-section">{text('clusterPage.load')}</h2>
        <RangeLinks hours={hours} />
        <a href={journalAddress({ cluster: cluster.name }, true)} download className="link">
          {text('timeline.export')}
        </a>
        <span className="ml-auto">
          <Switch
            label={text('clusterPage.resource')}
            value={resource}
            options={RESOURCES.map((value) => ({ value, label: text(`clusterPage.resource.${value}`) }))}
            onChange={setResource}
          />
        </span>
      </div>
      <p className="mb-2 text-label font-normal text-ink-2">{text('clusterPage.loadKey')}</p>
      {error && <p role="alert">{error.message}</p>}
      {recorded ? (
        <History cluster={cluster} recorded={recorded} resource={resource} hours={hours} />
      ) : (
        <div className="flex h-[150px] items-center border-y border-line text-ink-2">{text('clusterPage.loading')}</div>
      )}
      {hasMetrics === false && <p className="mt-1 text-label text-ink-2">{text('clusterPage.noMetrics')}</p>}
    </section>
  )
}

interface HistoryProps {
  cluster: ClusterView
  recorded: Recorded
  resource: Resource
  hours: number
}

function History({ cluster, recorded, resource, hours }: HistoryProps) {
  const text = useText()
  const shown = useShownLanes()
  const { entries, to } = recorded
  const range = { from: to - hours * HOUR_MS, to }
  const all = loadSeries(entries, cluster, { resource, ...recorded })
  const forecast = forecastLoad(all, gapsIn(entries, recorded))
  const axis = { ...range, to: forecast.kind === 'growing' ? to + AHEAD * hours * HOUR_MS : to }
  const points = seriesSince(all, range.from)
  const view = clusterTimeline(cluster, entries, range, shown)
  return (
    <>
      <StateTimeline view={view} label={text('timeline.of', { name: cluster.name })} axis={axis}>
        <LoadChart points={points} resource={resource} axis={axis} gaps={gapsIn(entries, range)} forecast={forecast} />
      </StateTimeline>
      {points.length === 0 && <p className="text-ink-2">{text('clusterPage.noLoad')}</p>}
      {points.length > 0 && <ForecastSentence forecast={forecast} resource={resource} />}
      {points.length > 0 && (
        <Disclosure summary={text('clusterPage.asTable')}>
          <LoadTable points={points} resource={resource} />
        </Disclosure>
      )}
      {view.moves.length > 0 && (
        <Disclosure summary={text('timeline.moves')}>
          <Moves moves={view.moves} named />
        </Disclosure>
      )}
    </>
  )
}

/** The shortest range that shows all that was recorded. */
function fittingRange({ entries, to }: Recorded): number {
  const start = entries.find((entry) => entry.what === 'gap' && entry.why === 'unrecorded')
  const recorded = start ? to - parseTime(start.at) : Infinity
  return RANGES.find((hours) => hours * HOUR_MS >= recorded) ?? DAY_HOURS
}

/** Shows the forecast with its basis, or the reason why there is no forecast. */
function ForecastSentence({ forecast, resource }: { forecast: LoadForecast; resource: Resource }) {
  const text = useText()
  const amount = useAmount()
  const basis = { span: { ms: forecast.recordedMs }, changes: forecast.changes }
  const words =
    forecast.kind === 'growing'
      ? text('clusterPage.forecast.growing', {
          ...basis,
          time: { moment: isoTime(forecast.notBefore) },
          low: amount(resource, forecast.low * HOUR_MS),
          high: amount(resource, forecast.high * HOUR_MS),
        })
      : forecast.kind === 'none'
        ? text('clusterPage.forecast.none', basis)
        : text('clusterPage.forecast.short', { ...basis, least: { ms: MIN_RECORDED_MS }, leastChanges: MIN_CHANGES })
  return (
    <p className="mt-1 text-label text-ink-2" data-testid="forecast" data-forecast={forecast.kind}>
      {words}
    </p>
  )
}
