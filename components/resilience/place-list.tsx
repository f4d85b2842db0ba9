'use client'
import { clsx } from 'clsx'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { LossCard } from './loss-card'
import { ShareBar } from './share-bar'
import { choiceOf, type Chosen } from './use-chosen'
import { nameOfCase, placedText } from './words'

interface PlaceListProps {
  kind: 'region' | 'zone'
  losses: LossesView
  chosen: Chosen | undefined
}

/** Regions or zones, each with the share of its replicas that get another place, the worst first. */
export function PlaceList({ kind, losses, chosen }: PlaceListProps) {
  const text = useText()
  const { hrefWith } = useUrlState()
  const { each } = losses[kind]
  if (each.length === 0) return <EmptyState title={text(`resilience.${kind}s.none`)} level={2} />
  return (
    <div className="flex flex-wrap items-start gap-6">
      <ul className="min-w-0 grow basis-80">
        {each
          .toSorted((a, b) => b.losing - a.losing)
          .map((loss) => (
            <li
              key={loss.place}
              data-testid="place-loss"
              data-place={loss.place}
              data-losing={loss.losing}
              className={clsx('border-b border-line px-2 py-2', chosen?.loss === loss && 'bg-chosen')}
            >
              <p className="flex flex-wrap items-center gap-x-2">
                <StateGlyph state={loss.losing > 0 ? 'fail' : 'ok'} />
                <Link
                  href={hrefWith(choiceOf({ kind, loss }))}
                  className="min-w-0 truncate font-medium hover:underline"
                  scroll={false}
                >
                  {text.of(nameOfCase({ kind, loss }))}
                </Link>
                <span className="text-ink-2">{text('resilience.count.cluster', { n: loss.clusters.length })}</span>
                <span className="ml-auto whitespace-nowrap">{placedText(text, loss)}</span>
              </p>
              <ShareBar part={loss.placed} whole={loss.needed} />
            </li>
          ))}
      </ul>
      {chosen && (
        <div className="w-72 max-w-full">
          <LossCard chosen={chosen} />
        </div>
      )}
    </div>
  )
}
