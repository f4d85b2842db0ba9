'use client'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { formatDuration, formatNumberOf } from '@/lib/format'
import type { ClusterView } from '@/lib/view/model'
import type { WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { ClustersEmpty } from '../clusters/clusters-empty'
import { askWhatIf } from '../hooks/actions'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { HeadroomWarnings } from '../plan/headroom'
import { Places } from '../plan/places'
import { hasReplicas } from '../plan/plan-diff'
import { placesText, stateColumn, type TargetColumn, TargetTable } from '../plan/target-table'
import { FilterField } from '../shell/filter-field'
import { FilteredRows } from '../shell/filtered-rows'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { CAUSES, OUTCOMES, parseCause } from './outcomes'

/** What if this cluster fails, or is drained? Asked of the scheduling code on a copy of the fleet. */
export function WhatIfPage() {
  const { get } = useUrlState()
  const clusters = useCollection('clusters')
  const cluster = get('cluster') ?? clusters.items[0]?.name ?? ''
  const cause = parseCause(get('cause'))
  return (
    <PageFrame
      title="What if"
      freshness={clusters.freshness}
      loaded={clusters.loaded}
      actions={<FilterField hint="Filter: name, ns=, outcome=" />}
      subline={
        <span className="ml-2 text-ink-2">
          Nothing is changed by asking: the scheduler’s own code answers on a copy of the fleet.
        </span>
      }
    >
      {clusters.refused !== undefined && <Refused what="clusters" reason={clusters.refused} />}
      {clusters.loaded && clusters.items.length === 0 && <ClustersEmpty />}
      {clusters.items.length > 0 && <Question clusters={clusters.items} cluster={cluster} cause={cause} />}
      {!clusters.loaded && clusters.refused === undefined && <SkeletonRows label="Loading the clusters" />}
    </PageFrame>
  )
}

interface QuestionProps {
  clusters: readonly ClusterView[]
  cluster: string
  cause: WhatIfView['cause']
}

/** What is asked, and its answer. */
function Question({ clusters, cluster, cause }: QuestionProps) {
  const { tweak } = useUrlState()
  const answer = useQuery({
    queryKey: ['what-if', cluster, cause],
    queryFn: ({ signal }) => askWhatIf({ cluster, cause }, signal),
    enabled: cluster !== '', retry: false, staleTime: Infinity, gcTime: 0,
  })
  return (
    <div className="flex flex-col gap-4 px-6 py-4">
      <div className="flex flex-wrap items-end gap-4">
        <Choice
          label="Cluster" value={cluster} onChange={(next) => tweak({ cluster: next })}
          options={optionsOf(clusters, cluster)}
        />
        <Choice label="What happens" value={cause} options={CAUSES} onChange={(next) => tweak({ cause: next })} />
        <Button onClick={() => void answer.refetch()} disabled={answer.isFetching}>
          {answer.isFetching ? 'Computing…' : 'Compute again'}
        </Button>
      </div>
      {answer.error && (
        <Notice state="fail" role="alert">
          {answer.error.message}
        </Notice>
      )}
      {answer.isPending && cluster !== '' && <SkeletonRows label="Computing what would happen" />}
      {answer.data && <Answer answer={answer.data} />}
    </div>
  )
}

/** The clusters to choose from, and the one that the address names, though it may be none. */
function optionsOf(clusters: readonly ClusterView[], chosen: string) {
  const names = clusters.map(({ name }) => name)
  const gone = names.includes(chosen) ? [] : [{ value: chosen, label: `${chosen} (not registered)` }]
  return [...gone, ...names.map((name) => ({ value: name, label: name }))]
}

function Answer({ answer }: { answer: WhatIfView }) {
  const { get, hrefWith } = useUrlState()
  const query = get('q') ?? ''
  const terms = parseFilter(query)
  if (answer.targets.length === 0) return <Untouched cluster={answer.cluster} />
  const shown = answer.targets.filter(({ ref, outcome }) =>
    matchesFilter(terms, { name: [nameOf(ref)], ns: [ref.namespace ?? ''], outcome: [outcome] }),
  )
  return (
    <div data-testid="what-if" data-cluster={answer.cluster} data-cause={answer.cause}>
      <Figures answer={answer} />
      <HeadroomWarnings headroom={answer.headroom} />
      <FilteredRows
        noun="workload" all={answer.targets} shown={shown} query={query} clearHref={hrefWith({ q: undefined })}
      >
        {(rows) => (
          <TargetTable
            label="Workloads concerned" targets={rows} columns={COLUMNS}
            dataOf={({ outcome }) => ({ 'data-testid': 'what-if-target', 'data-outcome': outcome })}
          />
        )}
      </FilteredRows>
    </div>
  )
}

function Untouched({ cluster }: { cluster: string }) {
  return (
    <EmptyState title="No workload would notice">
      <p>
        Nothing is placed in{' '}
        <Link href={href.cluster(cluster)} className="link">
          {cluster}
        </Link>
        .
      </p>
    </EmptyState>
  )
}

/** How many workloads end how; every figure filters the list. */
function Figures({ answer }: { answer: WhatIfView }) {
  const { get, hrefWith } = useUrlState()
  const chosen = /^outcome=(\w+)$/.exec(get('q') ?? '')?.[1]
  return (
    <nav aria-label="Workloads by outcome" className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {OUTCOMES.map(({ outcome, state, word, meaning }) => (
        <Link
          key={outcome}
          href={hrefWith({ q: outcome === chosen ? undefined : `outcome=${outcome}` })}
          aria-current={outcome === chosen ? 'true' : undefined}
          scroll={false}
          title={meaning}
          className={clsx('flex flex-col rounded-panel px-2 hover:bg-sunken', outcome === chosen && 'bg-sunken')}
          data-outcome={outcome}
          data-count={answer.counts[outcome]}
        >
          <span className="text-figure">{answer.counts[outcome]}</span>
          <StateMark state={state} word={word} className="text-label text-ink-2" />
        </Link>
      ))}
      <p className="max-w-80 self-center text-ink-2">
        {formatNumberOf(answer.replicasMoved, 'replica')} would move.{' '}
        {formatNumberOf(answer.withoutFailoverPolicy, 'workload')} without a failover policy of their own.{' '}
        {answer.open > 0 && (
          <span data-testid="what-if-open-count" title={OPEN_MEANING}>
            For {formatNumberOf(answer.open, 'workload')} the placement is one of several possible.
          </span>
        )}
      </p>
    </nav>
  )
}

const OPEN_MEANING = 'It depends on how soon clusters report the capacity that workloads moved before it use.'

const COLUMNS: readonly TargetColumn<WhatIfTargetView>[] = [
  stateColumn('Outcome', ({ outcome }) => OUTCOMES.find((each) => each.outcome === outcome)?.word ?? outcome),
  {
    head: 'Before → after', sortBy: placesText,
    cell: ({ before, after, isOpen }) => (
      <>
        <Places before={before} after={after} />
        {isOpen && (
          <p className="text-ink-2" data-testid="what-if-open" title={OPEN_MEANING}>
            One of several possible
          </p>
        )}
      </>
    ),
  },
  {
    head: 'There', title: 'Replicas in the cluster now', figure: true, sortBy: ({ replicas }) => replicas,
    cell: (target) => (hasReplicas(target) ? target.replicas : '—'),
  },
  {
    head: 'Ready elsewhere', title: 'Replicas that stay ready in other clusters meanwhile', figure: true,
    sortBy: ({ readyElsewhere }) => readyElsewhere,
    cell: (target) => (hasReplicas(target) ? target.readyElsewhere : '—'),
  },
  { head: 'Leaves', className: 'whitespace-nowrap', cell: leavesWords, sortBy: leavesAfter },
  {
    head: 'Failover policy', sortBy: ({ hasFailoverPolicy }) => (hasFailoverPolicy ? 'yes' : 'none'),
    cell: ({ hasFailoverPolicy }) => (hasFailoverPolicy ? 'yes' : <span className="text-ink-2">none</span>),
  },
]

/** In seconds; undefined for what never leaves. */
function leavesAfter({ outcome, toleratesSeconds = 0 }: WhatIfTargetView): number | undefined {
  return outcome === 'stays' ? undefined : toleratesSeconds
}

function leavesWords({ outcome, toleratesSeconds }: WhatIfTargetView): string {
  if (outcome === 'stays') return 'never'
  return toleratesSeconds === undefined ? 'at once' : `after ${formatDuration(toleratesSeconds * 1000)}`
}
