'use client'
import { useQuery } from '@tanstack/react-query'
import type { State } from '@/lib/view/model'
import type { WhatIfTargetView } from '@/lib/view/rebalance-model'
import { askWhatIf } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { FailoverNote } from '../status/failover-note'
import { StateGlyph } from '../status/state-glyph'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'

const MAX_TARGETS = 5

const stateOf = (troubled: readonly Pick<WhatIfTargetView, 'outcome'>[]): State =>
  troubled.some(({ outcome }) => outcome !== 'shrinks') ? 'fail' : troubled.length > 0 ? 'warn' : 'ok'

/** One without replicas, such as a ConfigMap, loses nothing while it is in another cluster. */
const isTroubled = ({ outcome, replicas }: WhatIfTargetView): boolean =>
  outcome === 'stuck' || outcome === 'lost' || (outcome === 'shrinks' && replicas > 0)

/** What would become of the workloads of this cluster without it, by the real scheduling decisions. */
export function IfItFails({ cluster }: { cluster: string }) {
  const text = useText()
  const { data, error } = useQuery({
    queryKey: ['what-if', cluster, 'fails'],
    queryFn: ({ signal }) => askWhatIf({ cluster, cause: 'fails' }, signal),
    retry: false,
    staleTime: 60_000,
  })
  const replicas = data?.targets.reduce((sum, target) => sum + target.replicas, 0) ?? 0
  const moved = data?.replicasMoved ?? 0
  const troubled = data?.targets.filter(isTroubled)
  const gains = (data?.headroom ?? []).toSorted((a, b) => b.gains - a.gains)
  const most = Math.max(1, ...gains.map((one) => one.gains))
  return (
    <section aria-label={text('clusterPage.ifFails')} data-testid="if-fails">
      <h2 className="text-section">{text('clusterPage.ifFails')}</h2>
      {error && <p role="alert">{error.message}</p>}
      {!data && !error && <p className="text-ink-2">{text('clusterPage.loading')}</p>}
      {data && (
        <>
          <FailoverNote />
          <p>
            <span className="text-figure">{text('clusterPage.placed', { moved, replicas })}</span>{' '}
            <span className="text-ink-2">{text('clusterPage.placedElsewhere')}</span>
          </p>
          <ul className="my-2">
            {gains.slice(0, MAX_TARGETS).map((one) => (
              <li key={one.cluster} className="flex h-6 items-center gap-2">
                <span className="w-32 min-w-0 truncate">{one.cluster}</span>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 min-w-0 grow" aria-hidden="true">
                  <rect width={(one.gains / most) * 100} height="8" className="fill-amount-4" />
                </svg>
                <span className="w-10 text-right">{text('clusterPage.gains', { n: { delta: one.gains } })}</span>
              </li>
            ))}
          </ul>
          {gains.length > MAX_TARGETS && (
            <p className="text-ink-2">{text('clusterPage.moreClusters', { n: gains.length - MAX_TARGETS })}</p>
          )}
          <p className="flex items-center gap-2">
            <StateGlyph state={stateOf(troubled ?? [])} />
            {text('clusterPage.troubled', { n: troubled?.length ?? 0 })}
          </p>
        </>
      )}
      <p className="mt-3 flex flex-wrap gap-2">
        <Link href={href.whatIf(cluster, 'fails')} className={buttonClass()}>
          {text('clusterPage.openWhatIf')}
        </Link>
        <Link href={href.rehearseLoss([cluster])} className={buttonClass()}>
          {text('clusterPage.rehearse')}
        </Link>
      </p>
    </section>
  )
}
