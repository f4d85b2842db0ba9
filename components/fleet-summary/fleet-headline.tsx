'use client'
import { useMemo } from 'react'
import type { ClusterView, WorkloadView } from '@/lib/view/model'
import type { Collection } from '../hooks/use-collection'
import { useCanRebalance } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { useUrlState } from '../hooks/use-url-state'
import { useCommand } from '../hooks/use-shortcuts'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { GuardedButton } from '../ui/guarded-button'
import { Link } from '../ui/link'
import { type Headline, headlineKeeper } from './headline'

interface FleetHeadlineProps {
  workloads: Collection<WorkloadView>
  clusters: Collection<ClusterView>
}

/**
 * Shows the problems of the fleet while they last, or one sentence when there are none. Takes its place before it is
 * loaded, so that the rows below do not move.
 */
export function FleetHeadline({ workloads, clusters }: FleetHeadlineProps) {
  const text = useText()
  const known = clusters.refused === undefined ? clusters.items : undefined
  const headlineFor = useMemo(() => headlineKeeper(), [])
  const headline = useMemo(
    () => headlineFor({ workloads: workloads.items, clusters: known }),
    [headlineFor, workloads.items, known],
  )
  const loaded = workloads.loaded && (clusters.loaded || known === undefined)
  if (workloads.refused !== undefined || (workloads.loaded && workloads.items.length === 0)) return null
  if (!loaded) return <div className="min-h-9 shrink-0 border-b border-line" />
  return (
    <section
      aria-label={text('fleet.headline')}
      data-testid="fleet-headline"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-6 py-1"
    >
      {headline.parts.map(({ about, state, sentence, href }, index) => (
        <p key={about} data-about={about} className="flex items-center gap-2">
          <StateGlyph state={state} />
          <span className={index === 0 ? 'font-medium' : 'text-ink-2'}>
            {href === undefined ? (
              text.of(sentence)
            ) : (
              <Link href={href} className="hover:underline">
                {text.of(sentence)}
              </Link>
            )}
          </span>
        </p>
      ))}
      {headline.drifting.ids.length > 0 && <RebalanceDrift drifting={headline.drifting} />}
    </section>
  )
}

/** Opens the plan for exactly the workloads that drift. */
function RebalanceDrift({ drifting: { ids, replicas } }: Pick<Headline, 'drifting'>) {
  const text = useText()
  const { navigate } = useUrlState()
  const [, select] = useSelection()
  const right = useCanRebalance()
  const label = text('fleet.rebalanceDrift', { n: replicas })
  const open = () => {
    select(() => ids)
    navigate({ plan: 'rebalance' })
  }
  useCommand({ label, right, run: open })
  return (
    <GuardedButton right={right} onClick={open} data-testid="rebalance-drift">
      {label}
    </GuardedButton>
  )
}
