'use client'
import { useMemo } from 'react'
import type { SpreadView } from '@/lib/view/spread-model'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { FilterField } from '../shell/filter-field'
import { Filtered, Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { ClusterSpread } from './cluster-spread'
import { SpreadTarget } from './spread-target'
import { limitWord, longestBar } from './spread-words'

/** Shows one spread: its rules, and the result in each cluster. */
export function SpreadDetail({ id }: { id: string }) {
  const text = useText()
  const spreads = useCollection('spreads')
  const spread = spreads.byId.get(id)
  return (
    <PageFrame
      title={<Title id={id} />}
      documentTitle={id}
      freshness={spreads.freshness}
      loaded={spreads.loaded}
      actions={spread && <FilterField hint={text('spread.clusterFilterHint')} />}
      subline={spread ? <StateSentence spread={spread} /> : null}
    >
      {spreads.refused !== undefined && <Refused what="spreads" of={spreads} />}
      {!spreads.loaded && spreads.refused === undefined && <SkeletonRows label={text('spread.loading')} />}
      {spreads.loaded && spread === undefined && <Gone id={id} />}
      {spread && <Body spread={spread} />}
    </PageFrame>
  )
}

function Title({ id }: { id: string }) {
  const text = useText()
  return (
    <>
      <Link href="/spread" className="font-normal text-ink-2 hover:underline">
        {text('shell.section.spread')}
      </Link>
      <span aria-hidden="true" className="mx-2 font-normal text-ink-2">
        /
      </span>
      {id}
      <span className="ml-3 inline-block text-body font-normal text-ink-2">{text('spread.kind')}</span>
    </>
  )
}

function StateSentence({ spread }: { spread: SpreadView }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="spread-state"
      data-state={spread.state.state}
    >
      <StateMark state={spread.state.state} className="font-medium" />
      <span>{text.of(spread.state.reason)}</span>
    </span>
  )
}

function Body({ spread }: { spread: SpreadView }) {
  const { get, hrefWith } = useUrlState()
  const filter = get('q') ?? ''
  const shown = useMemo(() => {
    const terms = parseFilter(filter)
    return spread.clusters.filter(({ cluster, state }) =>
      matchesFilter(terms, { name: [cluster], cluster: [cluster], state: [state.state] }),
    )
  }, [spread.clusters, filter])
  const scale = longestBar(spread)
  return (
    <div className="flex flex-col gap-6 px-6 py-4">
      <Rules spread={spread} />
      {shown.map((cluster) => (
        <ClusterSpread key={cluster.cluster} spread={spread} cluster={cluster} scale={scale} />
      ))}
      {spread.clusters.length === 0 && <Nowhere />}
      {spread.clusters.length > 0 && shown.length === 0 && (
        <Filtered noun="cluster" all={spread.clusters.length} query={filter} clearHref={hrefWith({ q: undefined })} />
      )}
    </div>
  )
}

/** Shows the rules: the workload, the strategy, and the subsets with the settings of their pods. */
function Rules({ spread }: { spread: SpreadView }) {
  const text = useText()
  return (
    <section aria-label={text('spread.rules')} className="grid gap-x-8 gap-y-2 wide:grid-cols-[2fr_1fr]">
      <div>
        <h2 className="text-section">{text('spread.subsetsInOrder')}</h2>
        <ol className="list-decimal pl-5">
          {spread.subsets.map((subset) => (
            <li key={subset.name} data-testid="spread-subset" data-subset={subset.name}>
              <span className="font-medium">{subset.name}</span>{' '}
              <span className="text-ink-2">{limitWord(text, subset)}</span> · {subset.rules.map(text.of).join(' ')}
            </li>
          ))}
        </ol>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 self-start">
        <dt className="text-ink-2">{text('spread.column.workload')}</dt>
        <dd>
          <SpreadTarget spread={spread} />
        </dd>
        <dt className="text-ink-2">{text('spread.strategy')}</dt>
        <dd>
          <span className="font-medium">{spread.strategy}</span> · {spread.behavior.map(text.of).join(' ')}
        </dd>
        <dt className="text-ink-2">{text('spread.created')}</dt>
        <dd>
          <Ago time={spread.createdAt} />
        </dd>
      </dl>
    </section>
  )
}

function Nowhere() {
  const text = useText()
  return (
    <EmptyState title={text('spread.inNoCluster')}>
      <p>{text('spread.inNoClusterBody')}</p>
    </EmptyState>
  )
}

function Gone({ id }: { id: string }) {
  const text = useText()
  return (
    <EmptyState title={text('spread.gone', { id })}>
      <p>{text('spread.goneBody')}</p>
      <p>
        <Link href="/spread" className="link">
          {text('spread.all')}
        </Link>
      </p>
    </EmptyState>
  )
}
