'use client'
import { useEffect } from 'react'
import type { LossesView } from '@/lib/view/rebalance-model'
import { ClustersEmpty } from '../fleet-summary/clusters-empty'
import { isOutdated } from '../hooks/freshness'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { Fixes } from './fixes'
import { LossPicture } from './loss-picture'
import { PredictionAccuracy } from './prediction-accuracy'
import { ResilienceHead } from './resilience-head'
import { ResilienceOutline } from './resilience-outline'
import { headlineOf } from './summary'
import { useLosses } from './use-losses'
import { Verdicts } from './verdicts'
import { WorstCases } from './worst-cases'

/** Which failures of clusters, regions and pairs of clusters the fleet survives, by simulation. */
export function ResiliencePage() {
  const text = useText()
  const clusters = useCollection('clusters')
  const { data, error } = useLosses()
  const first = clusters.items[0]?.name
  const sentence = data ? text.of(headlineOf(data).sentence) : ''
  const announce = useAnnounce()
  const isComputed = data?.tookMs !== undefined
  useEffect(() => {
    if (isComputed) announce(sentence)
  }, [announce, sentence, isComputed])
  return (
    <PageFrame
      title={text('shell.section.resilience')}
      {...(isComputed && { documentTitle: sentence })}
      freshness={clusters.freshness}
      loaded={clusters.loaded}
      actions={
        first !== undefined && (
          <Link href={href.whatIf(first, 'fails')} className={buttonClass('primary')}>
            {text('resilience.newWhatIf')}
          </Link>
        )
      }
    >
      {clusters.refused !== undefined && <Refused what="clusters" of={clusters} />}
      {clusters.loaded && clusters.items.length === 0 && <ClustersEmpty />}
      {clusters.refused === undefined && error && (
        <Notice state="fail" role="alert">
          {error.message}
        </Notice>
      )}
      {clusters.refused === undefined && !(clusters.loaded && clusters.items.length === 0) && (
        <div className={isOutdated(clusters.freshness) ? 'grayscale' : undefined}>
          {data ? <Body losses={data} /> : !error && <ResilienceOutline />}
        </div>
      )}
    </PageFrame>
  )
}

function Body({ losses }: { losses: LossesView }) {
  const text = useText()
  return (
    <div data-testid="resilience-page" data-computed={losses.tookMs !== undefined}>
      <ResilienceHead losses={losses} />
      {losses.computedAt !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_26rem]">
          <LossPicture losses={losses} />
          <div className="flex min-w-0 flex-col gap-5 border-line px-6 py-4 max-wide:border-t max-wide:px-4 wide:border-l">
            <Verdicts losses={losses} />
            <Fixes losses={losses} />
            <WorstCases losses={losses} />
            <PredictionAccuracy losses={losses} />
            <details>
              <summary className="text-section">{text('resilience.score.title')}</summary>
              <p className="mt-1 text-ink-2">{text('resilience.score.definition')}</p>
            </details>
          </div>
        </div>
      )}
    </div>
  )
}
