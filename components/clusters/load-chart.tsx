'use client'
import { useState } from 'react'
import type { ClusterView } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { Disclosure } from '../plan/manifest'
import { Switch } from '../pods/view-switch'
import { useJournal } from '../timeline/use-journal'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { type LoadPoint, loadPaths, loadSeries, RESOURCES, type Resource } from './load-series'

const HOURS = 24
const HEIGHT = 150
const MOST_ROWS = 100

/** What the pods of the cluster request against what it has, from the record of the last day. */
export function LoadChart({ cluster, hasMetrics }: { cluster: ClusterView; hasMetrics: boolean | undefined }) {
  const text = useText()
  const [resource, setResource] = useState<Resource>('cpu')
  const { recorded, error } = useJournal({ cluster: cluster.name }, HOURS)
  const points = recorded ? loadSeries(recorded.entries, cluster, { resource, ...recorded }) : []
  return (
    <section aria-label={text('clusterPage.load')} data-testid="load">
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h2 className="text-section">{text('clusterPage.load')}</h2>
        <span className="text-ink-2">{text('clusterPage.loadKey')}</span>
        <span className="ml-auto">
          <Switch
            label={text('clusterPage.resource')}
            value={resource}
            options={RESOURCES.map((value) => ({ value, label: text(`clusterPage.resource.${value}`) }))}
            onChange={setResource}
          />
        </span>
      </div>
      {error && <p role="alert">{error.message}</p>}
      {points.length === 0 ? (
        <div className="flex h-[150px] items-center border-y border-line text-ink-2">
          {text(recorded ? 'clusterPage.noLoad' : 'clusterPage.loading')}
        </div>
      ) : (
        <Chart points={points} resource={resource} />
      )}
      {hasMetrics === false && <p className="mt-1 text-label text-ink-2">{text('clusterPage.noMetrics')}</p>}
      {points.length > 0 && <AsTable points={points} resource={resource} />}
    </section>
  )
}

function useAmount() {
  const text = useText()
  return (resource: Resource, amount: number): string =>
    resource === 'cpu'
      ? text('clusterPage.amount.cpu', { amount: { cpu: amount } })
      : resource === 'memory'
        ? text('clusterPage.amount.memory', { amount: { bytes: amount } })
        : text('clusterPage.amount.pods', { n: amount })
}

interface ChartProps {
  points: readonly LoadPoint[]
  resource: Resource
}

/** Lines and areas stretch with the page; words stay as large as they are. */
function Chart({ points, resource }: ChartProps) {
  const text = useText()
  const amount = useAmount()
  const paths = loadPaths(points, 1000, HEIGHT)
  const [first, last] = [points[0], points.at(-1)]
  if (!paths || !first || !last) return null
  const share = text.format.percent(last.allocated, last.allocatable)
  return (
    <div>
      <div className="flex gap-3">
        <svg
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
          role="img"
          aria-label={text('clusterPage.loadNow', {
            requested: amount(resource, last.allocated),
            capacity: amount(resource, last.allocatable),
            share,
          })}
          viewBox={`0 0 1000 ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-[150px] min-w-0 grow border-b border-line-strong"
        >
          {[0.25, 0.5, 0.75].map((part) => (
            <line key={part} x1="0" x2="1000" y1={HEIGHT * part} y2={HEIGHT * part} className="stroke-line" />
          ))}
          <path d={paths.area} className="fill-amount-2" />
          <path
            d={paths.line}
            fill="none"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
            className="stroke-amount-6"
          />
          <path
            d={paths.capacity}
            fill="none"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
            className="stroke-chart-limit"
          />
        </svg>
        <dl className="w-28 shrink-0 text-label">
          <dt className="font-normal text-ink-2">{text('clusterPage.capacity')}</dt>
          <dd data-testid="capacity">{amount(resource, last.allocatable)}</dd>
          <dt className="mt-2 font-normal text-ink-2">{text('clusterPage.requested')}</dt>
          <dd data-testid="requested">{amount(resource, last.allocated)}</dd>
          <dd className="text-ink-2">{share}</dd>
        </dl>
      </div>
      <p className="mr-31 flex justify-between text-label text-ink-2">
        <span>{text.format.timeOfDay(new Date(first.at).toISOString())}</span>
        <span>{text('clusterPage.now')}</span>
      </p>
    </div>
  )
}

function AsTable({ points, resource }: ChartProps) {
  const text = useText()
  const amount = useAmount()
  return (
    <Disclosure summary={text('clusterPage.asTable')}>
      <InsetTable aria-label={text('clusterPage.load')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('clusterPage.since')}</Th>
            <Th figure>{text('clusterPage.requested')}</Th>
            <Th figure>{text('clusterPage.capacity')}</Th>
          </tr>
        </thead>
        <tbody>
          {points
            .slice(-MOST_ROWS, -1)
            .toReversed()
            .map((point) => (
              <tr key={point.at}>
                <Td className="pl-0">{text.format.timeOfDay(new Date(point.at).toISOString())}</Td>
                <Td figure>{amount(resource, point.allocated)}</Td>
                <Td figure>{amount(resource, point.allocatable)}</Td>
              </tr>
            ))}
        </tbody>
      </InsetTable>
    </Disclosure>
  )
}
