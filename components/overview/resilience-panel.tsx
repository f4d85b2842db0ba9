'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId } from 'react'
import type { ClusterView } from '@/lib/view/model'
import type { LossSurveyView } from '@/lib/view/rebalance-model'
import { read } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { FailoverNote } from '../status/failover-note'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Link } from '../ui/link'
import { lostSince, SURVEY } from './use-loss-survey'

/** The worst cases that are told; the others are counted. */
const MOST = 3

interface ResiliencePanelProps {
  survey: LossSurveyView | undefined
  clusters: readonly ClusterView[]
}

export function ResiliencePanel({ survey, clusters }: ResiliencePanelProps) {
  const text = useText()
  const heading = useId()
  if (survey === undefined) return null
  const lost = lostSince(survey, clusters)
  const left = survey.clusters.filter(({ cluster }) => !lost.includes(cluster))
  const worst = left.toSorted((a, b) => b.lostWorkloads - a.lostWorkloads || b.replicas - a.replicas)
  const losing = worst.filter(({ lostWorkloads }) => lostWorkloads > 0)
  const running = survey.computedAt !== undefined && survey.clusters.length < survey.total
  const complete = survey.computedAt !== undefined && !running
  return (
    <section aria-labelledby={heading} className="min-w-0 px-6 py-3 max-wide:px-4" data-testid="resilience">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={heading} className="text-section">
          {text('overview.resilience.title')}
        </h2>
        {complete && survey.total > 0 && lost.length > 0 && (
          <span
            data-testid="resilience-outdated"
            className="flex items-center gap-1.5 rounded-full border border-line-strong px-2.5 py-0.5 text-label"
          >
            <StateGlyph state="unknown" />
            {text('overview.resilience.before', { clusters: lost.slice(0, MOST) })}
          </span>
        )}
        {complete && survey.total > 0 && lost.length === 0 && (
          <span
            data-testid="resilience-verdict"
            data-losing={losing.length}
            className={clsx(
              'flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-label',
              losing.length > 0 ? 'border-chart-lost' : 'border-line-strong',
            )}
          >
            <StateGlyph state={losing.length > 0 ? 'fail' : 'ok'} />
            {losing.length > 0
              ? text('overview.resilience.no', { losing: losing.length, n: survey.total })
              : text('overview.resilience.yes')}
          </span>
        )}
        <span className="text-label font-normal text-ink-2">
          {complete && <Ago time={survey.computedAt} absent="" />}
          {running && text('overview.resilience.progress', { done: survey.clusters.length, n: survey.total })}
        </span>
        {survey.onDemand && !running && <Start n={survey.total} />}
        <Link href="/clusters/what-if" className="ml-auto link" data-chrome>
          {text('overview.details')}
        </Link>
      </div>
      <FailoverNote />
      <ul className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-3">
        {worst.slice(0, MOST).map((loss) => (
          <Case key={loss.cluster} loss={loss} />
        ))}
      </ul>
      {complete && losing.length === 0 && worst.length > MOST && (
        <p className="mt-1 text-ink-2">{text('overview.resilience.rest', { n: worst.length - MOST })}</p>
      )}
      {losing.length > MOST && <p className="text-ink-2">{text('overview.more', { n: losing.length - MOST })}</p>}
    </section>
  )
}

/** In a large fleet the simulation takes a while, so a user decides. */
function Start({ n }: { n: number }) {
  const text = useText()
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: () => read<LossSurveyView>(`${SURVEY}?start=1`),
    onSuccess: (survey) => client.setQueryData(['loss-survey'], survey),
  })
  return (
    <Button small disabled={start.isPending} onClick={() => start.mutate()}>
      {text('overview.resilience.start', { n })}
    </Button>
  )
}

function Case({
  loss: { cluster, replicas, lostReplicas, lostWorkloads, names },
}: {
  loss: LossSurveyView['clusters'][number]
}) {
  const text = useText()
  const isSafe = lostWorkloads === 0
  return (
    <li
      data-loss={cluster}
      data-lost={lostWorkloads}
      className={clsx('min-w-0 border-l-3 pl-3', isSafe ? 'border-ok' : 'border-fail')}
    >
      <p className="flex items-center gap-1.5 font-medium">
        <StateGlyph state={isSafe ? 'ok' : 'fail'} />
        <Link href={href.whatIf(cluster, 'fails')} className="truncate hover:underline" title={cluster}>
          {text('overview.resilience.fails', { cluster })}
        </Link>
      </p>
      <p>{text('overview.resilience.placed', { placed: replicas - lostReplicas, n: replicas })}</p>
      {!isSafe && (
        <p className="truncate text-ink-2">
          {text('overview.resilience.noPlace', { n: lostWorkloads, workloads: names.slice(0, 2) })}
        </p>
      )}
    </li>
  )
}
