'use client'
import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import type { FailoverSummaryView } from '@/lib/view/failover-model'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { Link } from '../ui/link'
import { StateGlyph } from '../status/state-glyph'
import { useAnnounce } from './announcer'
import { bannerText } from './banner-text'

/** Shows running failovers above each page that does not show them itself. */
export function FailoverBanner() {
  const text = useText()
  const summary = useCollection('failover-now').byId.get('now')
  const announce = useAnnounce()
  const pathname = usePathname()
  const isOnFailoverPage = pathname.startsWith('/failover') || pathname === '/overview'
  const isRunning = (summary?.running ?? 0) > 0
  useEffect(() => {
    if (isRunning) announce(text('failover.banner.running'))
  }, [announce, isRunning, text])
  if (summary === undefined || !isRunning || isOnFailoverPage) return null
  return <Banner summary={summary} />
}

function Banner({ summary }: { summary: FailoverSummaryView }) {
  const text = useText()
  const { clustersLost } = summary
  const only = clustersLost.length === 1 ? clustersLost[0] : undefined
  return (
    // No live region: its age changes every second. That a failover began is announced once.
    <aside
      aria-label={text('shell.section.incidents')}
      data-testid="failover-banner"
      data-chrome
      data-running={summary.running}
      className="flex min-h-8 shrink-0 items-center gap-2 border-b border-line bg-sunken px-6 py-1.5"
    >
      <StateGlyph state="active" />
      <p className="min-w-0 grow">
        <span className="font-medium">{text('failover.banner.running')}</span> {bannerText(text, summary)}
        {summary.since !== undefined && (
          <span className="text-ink-2">
            {' '}
            <Rich code="failover.banner.since" parts={{ time: <Ago time={summary.since} /> }} />
          </span>
        )}
      </p>
      <Link href={only === undefined ? href.failover() : href.incident({ cluster: only })} className="link">
        {text('failover.banner.link')}
      </Link>
    </aside>
  )
}
