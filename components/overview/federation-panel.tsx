'use client'
import { clsx } from 'clsx'
import { useId } from 'react'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { FederationPicture } from './federation-picture'
import { densityOf } from './layout'
import { PictureLegend } from './picture-legend'
import type { OverviewData } from './use-overview'

const ClusterTable = laterPart(() => import('./cluster-table').then((code) => code.ClusterTable))

const VIEWS = ['picture', 'table'] as const

/** The federation as a picture, or the same as a table. */
export function FederationPanel({ data: { regions, flows, clusters } }: { data: OverviewData }) {
  const text = useText()
  const heading = useId()
  const { get, hrefWith } = useUrlState()
  const view = get('as') === 'table' ? 'table' : 'picture'
  if (clusters.refused !== undefined) return null
  const n = regions.reduce((sum, region) => sum + region.clusters.length, 0)
  return (
    <section aria-labelledby={heading} className="flex min-w-0 flex-col gap-1 px-6 py-3 max-wide:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={heading} className="text-section">
          {text('overview.federation.title')}
        </h2>
        <span className="text-ink-2">{text('overview.federation.clusters', { n, regions: regions.length })}</span>
        <span className="text-label font-normal text-ink-2">
          {text(`overview.federation.hint.${densityOf(regions)}`)}
        </span>
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
          <FederationPicture regions={regions} flows={flows} />
          <PictureLegend regions={regions} flows={flows} />
        </>
      )}
    </section>
  )
}
