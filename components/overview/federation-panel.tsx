'use client'
import { clsx } from 'clsx'
import { useId, useMemo } from 'react'
import type { MessageCode } from '@/lib/messages'
import { useKeyDown } from '../hooks/use-key-down'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { FederationPicture } from './federation-picture'
import type { Flow } from './flows'
import { layoutFederation } from './layout'
import { PictureLegend } from './picture-legend'
import type { OverviewData } from './use-overview'

const ClusterTable = laterPart(() => import('./cluster-table').then((code) => code.ClusterTable))

const VIEWS = ['picture', 'table'] as const

/** The federation as a picture, or the same as a table; all of it, or one region. */
export function FederationPanel({ data }: { data: OverviewData }) {
  const text = useText()
  const heading = useId()
  const { get, hrefWith } = useUrlState()
  const { regions, zoomed, flows, clusters, workloads } = data
  const view = get('as') === 'table' ? 'table' : 'picture'
  const { within, across } = useMemo(() => flowsIn(data), [data])
  useLeaveZoom(zoomed !== undefined)
  if (clusters.refused !== undefined) return null
  const named = regions.filter(({ name }) => name !== '').length
  const n = regions.reduce((sum, region) => sum + region.clusters.length, 0)
  return (
    <section
      aria-labelledby={heading}
      className="flex min-w-0 flex-col gap-1 border-line px-6 py-3 max-wide:px-4 max-wide:not-first:border-t"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={heading} className="text-section">
          {text('overview.federation.title')}
        </h2>
        {zoomed === undefined ? (
          <span className="text-ink-2">{text('overview.federation.clusters', { n, regions: named })}</span>
        ) : (
          <>
            <span data-testid="zoomed">{text('overview.federation.zoomed', { region: zoomed, n })}</span>
            <Link href={hrefWith({ region: undefined })} className="link" data-chrome>
              {text('overview.federation.allRegions')}
            </Link>
          </>
        )}
        <span className="text-label font-normal text-ink-2">{text(hintOf(regions))}</span>
        <nav aria-label={text('overview.federation.view')} className="ml-auto flex gap-1 text-label" data-chrome>
          {VIEWS.map((each) => (
            <Link
              key={each}
              href={hrefWith({ as: each === 'table' ? 'table' : undefined })}
              aria-current={each === view ? 'true' : undefined}
              className={clsx('rounded-control px-2 py-1', each === view ? 'bg-sunken' : 'text-ink-2 hover:bg-raised')}
            >
              {text(`overview.federation.${each}`)}
            </Link>
          ))}
        </nav>
      </div>
      {view === 'table' ? (
        <ClusterTable regions={regions} />
      ) : (
        <>
          <FederationPicture
            regions={regions}
            flows={within}
            workloads={workloads.byId}
            zoom={zoomed === undefined && regions.length > 1 ? (region) => hrefWith({ region }) : undefined}
          />
          {across > 0 && <p className="text-label">{text('overview.federation.across', { n: across })}</p>}
          <PictureLegend regions={regions} flows={zoomed === undefined ? flows : within} />
        </>
      )}
    </section>
  )
}

/** Arcs between clusters that are shown, and how many replicas move between one of them and another. */
function flowsIn({ regions, flows }: Pick<OverviewData, 'regions' | 'flows'>): { within: Flow[]; across: number } {
  const shown = new Set(regions.flatMap((region) => region.clusters.map(({ cluster }) => cluster.name)))
  const ends = ({ from, to }: Flow): number => Number(shown.has(from)) + Number(shown.has(to))
  return {
    within: flows.filter((flow) => ends(flow) === 2),
    across: flows.filter((flow) => ends(flow) === 1).reduce((sum, { replicas }) => sum + replicas, 0),
  }
}

/** What heights and sizes stand for; whether nodes are drawn does not depend on the width. */
function hintOf(regions: OverviewData['regions']): Extract<MessageCode, `overview.federation.hint.${string}`> {
  const { density, nodeScale } = layoutFederation(regions, 880)
  return nodeScale === undefined ? `overview.federation.hint.${density}` : `overview.federation.hint.nodes.${nodeScale}`
}

/** Escape leads back to all regions, unless something that is open takes it. */
function useLeaveZoom(isZoomed: boolean): void {
  const { navigate } = useUrlState()
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role=dialog]')) return
    navigate({ region: undefined })
  }
  useKeyDown(leave, isZoomed)
}
