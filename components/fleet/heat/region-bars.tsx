'use client'
import { useMemo } from 'react'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../../hooks/url-state'
import { useText } from '../../messages/use-text'
import { StateGlyph } from '../../status/state-glyph'
import { isException } from '../../status/states'
import { Link } from '../../ui/link'
import type { WorkloadRow } from '../matrix-model'
import { type Amounts, type Fate, sizeOf } from './amounts'
import type { HeatPanelProps } from './props'
import { workloadsOf } from './minimap-model'
import { type RegionBar, regionBars } from './region-model'
import { useHeat } from './use-heat'

/** More exceptions than this are not listed; the table has them all. */
const MAX_LISTED = 50

/** Regions as bars on one scale, then what is not as it should be. */
export function RegionBars(props: HeatPanelProps) {
  const text = useText()
  const { rows, fleet } = props
  const heat = useHeat(props)
  const workloads = useMemo(() => workloadsOf(rows), [rows])
  const bars = useMemo(() => regionBars(fleet.columns, workloads, heat.rows), [fleet.columns, workloads, heat.rows])
  const most = Math.max(1, ...bars.map(({ amounts }) => sizeOf(amounts)))
  const exceptions = workloads.filter(({ workload }) => isException(workload.state.state))
  return (
    <div className="min-h-0 grow overflow-auto" data-testid="region-bars">
      <ul>
        {bars.map((bar) => (
          <Region key={bar.region} bar={bar} most={most} />
        ))}
      </ul>
      {exceptions.length > 0 && (
        <section aria-label={text('fleetHeat.exceptions')} className="border-t-4 border-sunken">
          <h2 className="px-4 pt-3 text-section">{text('fleetHeat.exceptions')}</h2>
          <ul>
            {exceptions.slice(0, MAX_LISTED).map((row) => (
              <Exception key={row.id} row={row} />
            ))}
          </ul>
          {exceptions.length > MAX_LISTED && (
            <p className="px-4 py-3 text-ink-2">{text('common.more', { n: exceptions.length - MAX_LISTED })}</p>
          )}
        </section>
      )}
    </div>
  )
}

function Region({ bar, most }: { bar: RegionBar; most: number }) {
  const text = useText()
  const { region, state, amounts, clusters } = bar
  const down = clusters.filter(({ column }) => column.cluster !== undefined && column.cluster.ready !== 'True')
  return (
    <li className="border-b border-line">
      <details data-region={region} data-ready={amounts.ready} data-desired={amounts.desired}>
        <summary className="flex min-h-11 cursor-pointer list-none flex-col gap-1.5 px-4 py-2.5">
          <span className="flex items-center gap-2">
            <StateGlyph state={state} />
            <span className="min-w-0 truncate font-medium">{region || text('fleetHeat.noRegion')}</span>
            <span className="text-ink-2">{text('common.counted.cluster', { n: clusters.length })}</span>
            <span className="ml-auto">
              {text('fleetHeat.card.readyOf', { ready: amounts.ready, desired: amounts.desired })}
            </span>
          </span>
          <Bar amounts={amounts} most={most} />
          {down.length > 0 && (
            <span className="text-ink-2">
              {text('fleetHeat.regionDown', { clusters: down.map(({ column }) => column.name) })}
            </span>
          )}
        </summary>
        <ul className="pb-2">
          {clusters.map(({ column, amounts: own }) => (
            <li key={column.name}>
              <Link
                href={href.cluster(column.name)}
                className="flex min-h-11 flex-col justify-center gap-1 py-1 pr-4 pl-9"
              >
                <span className="flex gap-2">
                  <span className="min-w-0 truncate">{column.name}</span>
                  <span className="ml-auto shrink-0">
                    {text('fleetHeat.card.readyOf', { ready: own.ready, desired: own.desired })}
                  </span>
                </span>
                <Bar amounts={own} most={most} />
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

const PARTS: readonly (readonly [Fate, string])[] = [
  ['ready', 'fill-amount-5'],
  ['starting', 'fill-chart-starting'],
  ['held', 'fill-held'],
  ['leaving', 'fill-sunken stroke-line-strong'],
  ['unknown', 'fill-paper stroke-ink-2 [stroke-dasharray:3_2]'],
  ['short', 'fill-warn'],
  ['failed', 'fill-fail'],
  ['lost', 'fill-fail'],
]

/** Its length is the replicas, on the scale of all bars. */
function Bar({ amounts, most }: { amounts: Amounts; most: number }) {
  const widths = PARTS.map(([fate]) => (amounts[fate] / most) * 1000)
  const startOf = (index: number): number => widths.slice(0, index).reduce((sum, width) => sum + width, 0)
  return (
    <svg aria-hidden="true" viewBox="0 0 1000 8" preserveAspectRatio="none" className="block h-2.5 w-full bg-raised">
      {PARTS.map(
        ([fate, className], index) =>
          amounts[fate] > 0 && (
            <rect
              key={fate}
              x={startOf(index)}
              width={Math.max(2, widths[index]! - 2)}
              height={8}
              className={className}
            />
          ),
      )}
    </svg>
  )
}

function Exception({ row: { workload } }: { row: WorkloadRow }) {
  const text = useText()
  return (
    <li className="border-b border-line">
      <Link href={href.workload(workload.id)} className="flex min-h-11 items-center gap-2 px-4 py-1.5">
        <StateGlyph state={workload.state.state} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{nameOf(workload.ref)}</span>
          <span className="line-clamp-2 break-words text-ink-2">{text.of(workload.state.reason)}</span>
        </span>
        <span className="ml-auto shrink-0">
          {text('fleetHeat.card.readyOf', { ready: workload.ready, desired: workload.desired })}
        </span>
      </Link>
    </li>
  )
}
