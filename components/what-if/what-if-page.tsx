'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import type { Text } from '@/lib/messages'
import { message } from '@/lib/messages/message'
import type { ClusterView } from '@/lib/view/model'
import type { WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'
import { ClustersEmpty } from '../fleet-summary/clusters-empty'
import { askWhatIf } from '../hooks/actions'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { HeadroomWarnings } from '../plan/headroom'
import { LoadSection } from '../plan/load-section'
import { Places } from '../plan/places'
import { hasReplicas } from '../plan/plan-diff'
import { placesText, stateColumn, type TargetColumn, TargetTable } from '../plan/target-table'
import { FilterField } from '../shell/filter-field'
import { FilteredRows } from '../shell/filtered-rows'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { FailoverNote } from '../status/failover-note'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { CAUSES, OUTCOMES, parseCause } from './outcomes'
import { premiseBody, readPremise } from './premise'
import { PremiseForm } from './premise-form'

/** What happens to workloads if a cluster fails or is drained, computed by the scheduling code on a copy of the fleet. */
export function WhatIfPage() {
  const text = useText()
  const { get } = useUrlState()
  const clusters = useCollection('clusters')
  const chosen = get('cluster')?.split(',') ?? clusters.items.slice(0, 1).map(({ name }) => name)
  const cause = parseCause(get('cause'))
  return (
    <PageFrame
      title={text('whatIf.title')}
      freshness={clusters.freshness}
      loaded={clusters.loaded}
      actions={<FilterField hint={text('whatIf.filter')} />}
      subline={
        <span className="ml-2 flex flex-wrap gap-x-4 text-ink-2">
          {text('whatIf.hint')}
          <Link href="/clusters/what-if" className="link">
            {text('whatIf.all')}
          </Link>
        </span>
      }
    >
      {clusters.refused !== undefined && <Refused what="clusters" of={clusters} />}
      {clusters.loaded && clusters.items.length === 0 && <ClustersEmpty />}
      {clusters.items.length > 0 && <Question clusters={clusters.items} chosen={chosen} cause={cause} />}
      {!clusters.loaded && clusters.refused === undefined && <SkeletonRows label={text('whatIf.loadingClusters')} />}
    </PageFrame>
  )
}

interface QuestionProps {
  clusters: readonly ClusterView[]
  /** They fail, or are drained, at the same time. */
  chosen: readonly string[]
  cause: WhatIfView['cause']
}

/** The form, and the answer to it. */
function Question({ clusters, chosen, cause }: QuestionProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const [cluster = '', ...others] = chosen
  const premise = readPremise(get)
  const body = { cluster, ...(others.length > 0 && { others }), cause, ...premiseBody(premise) }
  const answer = useQuery({
    queryKey: ['what-if', body],
    queryFn: ({ signal }) => askWhatIf(body, signal),
    enabled: cluster !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="flex flex-col gap-4 px-6 py-4">
      <div className="flex flex-wrap items-end gap-4">
        <Choice
          label={text('plan.column.cluster')}
          value={cluster}
          onChange={(next) => tweak({ cluster: String([...new Set([next, ...others])]) })}
          options={optionsOf(text, clusters, cluster)}
        />
        <AlsoLost clusters={clusters} chosen={chosen} />
        <Choice
          label={text('whatIf.event')}
          value={cause}
          onChange={(next) => tweak({ cause: next })}
          options={CAUSES.map((value) => ({ value, label: text(`whatIf.cause.${value}`) }))}
        />
        <Button onClick={() => void answer.refetch()} disabled={answer.isFetching}>
          {text(answer.isFetching ? 'plan.age.computing' : 'plan.age.recompute')}
        </Button>
      </div>
      <PremiseForm premise={premise} clusters={clusters.map(({ name }) => name)} targets={answer.data?.targets ?? []} />
      {answer.error && (
        <Notice state="fail" role="alert">
          {answer.error.message}
        </Notice>
      )}
      {answer.isPending && cluster !== '' && <SkeletonRows label={text('whatIf.loading')} />}
      {answer.data?.cause === 'fails' && !answer.error && <FailoverNote />}
      {answer.data && !answer.error && <Answer answer={answer.data} />}
    </div>
  )
}

/** Further clusters that fail at the same time, and one more to choose. */
function AlsoLost({ clusters, chosen: [cluster = '', ...others] }: Pick<QuestionProps, 'clusters' | 'chosen'>) {
  const text = useText()
  const { tweak } = useUrlState()
  const free = clusters.filter(({ name }) => name !== cluster && !others.includes(name))
  const lose = (names: readonly string[]) => tweak({ cluster: String([cluster, ...names]) })
  return (
    <>
      {others.map((name) => (
        <Button
          key={name}
          aria-label={text('whatIf.also.remove', { cluster: name })}
          data-testid="also-lost"
          className="max-w-60"
          onClick={() => lose(others.filter((other) => other !== name))}
        >
          <span className="truncate">{name}</span>
          <X size={14} aria-hidden="true" />
        </Button>
      ))}
      {free.length > 0 && (
        <Choice
          label={text('whatIf.also')}
          value=""
          onChange={(next) => lose([...others, next])}
          options={[
            { value: '', label: text('whatIf.also.add') },
            ...free.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      )}
    </>
  )
}

/** The clusters to choose from, with the one of the address even if it is not registered. */
function optionsOf(text: Text, clusters: readonly ClusterView[], chosen: string) {
  const names = clusters.map(({ name }) => name)
  const gone = names.includes(chosen)
    ? []
    : [{ value: chosen, label: text('whatIf.notRegistered', { cluster: chosen }) }]
  return [...gone, ...names.map((name) => ({ value: name, label: name }))]
}

function Answer({ answer }: { answer: WhatIfView }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const query = get('q') ?? ''
  const terms = parseFilter(query)
  if (answer.targets.length === 0)
    return (
      <>
        <Rescaled answer={answer} />
        <Untouched clusters={[answer.cluster, ...answer.others]} />
        <Load answer={answer} />
      </>
    )
  const shown = answer.targets.filter(({ ref, outcome }) =>
    matchesFilter(terms, { name: [nameOf(ref)], ns: [ref.namespace ?? ''], outcome: [outcome] }),
  )
  return (
    <div data-testid="what-if" data-cluster={answer.cluster} data-cause={answer.cause}>
      <Figures answer={answer} />
      <HeadroomWarnings headroom={answer.headroom} />
      <Rescaled answer={answer} />
      <FilteredRows
        noun="workload"
        all={answer.targets}
        shown={shown}
        query={query}
        clearHref={hrefWith({ q: undefined })}
      >
        <TargetTable
          label={text('whatIf.targets')}
          targets={shown}
          columns={COLUMNS}
          dataOf={({ outcome }) => ({ 'data-testid': 'what-if-target', 'data-outcome': outcome })}
        />
      </FilteredRows>
      <Load answer={answer} />
    </div>
  )
}

/** Where the scheduler puts workloads before the failure, by their other replicas and policies. */
function Rescaled({ answer: { rescaled } }: { answer: WhatIfView }) {
  const text = useText()
  if (rescaled.length === 0) return null
  return (
    <ul aria-label={text('whatIf.premise')} className="mb-4">
      {rescaled.map(({ id, ref, wanted, before, after }) => (
        <li key={id} className="flex flex-wrap gap-x-3" data-testid="rescaled" data-wanted={wanted}>
          <span>
            {wanted === undefined
              ? text('whatIf.premise.moved', { workload: nameOf(ref) })
              : text('whatIf.premise.replicas', { workload: nameOf(ref), n: wanted })}
          </span>
          <Places before={before} after={after} />
        </li>
      ))}
    </ul>
  )
}

function Load({ answer: { load } }: { answer: WhatIfView }) {
  return load.clusters.length === 0 ? null : (
    <AreaTexts area="planPicture">
      <LoadSection load={{ view: load }} />
    </AreaTexts>
  )
}

function Untouched({ clusters }: { clusters: readonly string[] }) {
  const text = useText()
  return (
    <EmptyState title={text('whatIf.untouched')}>
      <p>{text('whatIf.untouchedHint', { clusters })}</p>
    </EmptyState>
  )
}

/** Workloads by outcome; every figure filters the list. */
function Figures({ answer }: { answer: WhatIfView }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const chosen = /^outcome=(\w+)$/.exec(get('q') ?? '')?.[1]
  return (
    <nav aria-label={text('whatIf.byOutcome')} className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {OUTCOMES.map(({ outcome, state }) => (
        <Link
          key={outcome}
          href={hrefWith({ q: outcome === chosen ? undefined : `outcome=${outcome}` })}
          aria-current={outcome === chosen ? 'true' : undefined}
          scroll={false}
          title={text(`whatIf.meaning.${outcome}`)}
          className={clsx('flex flex-col rounded-panel px-2 hover:bg-sunken', outcome === chosen && 'bg-sunken')}
          data-outcome={outcome}
          data-count={answer.counts[outcome]}
        >
          <span className="text-figure">{text.format.count(answer.counts[outcome])}</span>
          <StateMark state={state} word={text(`whatIf.outcome.${outcome}`)} className="text-label text-ink-2" />
        </Link>
      ))}
      <p className="max-w-80 self-center text-ink-2">
        {text('whatIf.totals', { replicas: answer.replicasMoved, workloads: answer.withoutFailoverPolicy })}{' '}
        {answer.open > 0 && (
          <span data-testid="what-if-open-count" title={text('whatIf.openHint')}>
            {text('whatIf.openCount', { n: answer.open })}
          </span>
        )}
      </p>
    </nav>
  )
}

const COLUMNS: readonly TargetColumn<WhatIfTargetView>[] = [
  stateColumn(message('whatIf.column.outcome'), ({ outcome }, text) => text(`whatIf.outcome.${outcome}`)),
  {
    head: message('plan.column.places'),
    sortBy: placesText,
    cell: ({ before, after, isOpen }, text) => (
      <>
        <Places before={before} after={after} />
        {isOpen && (
          <p className="text-ink-2" data-testid="what-if-open" title={text('whatIf.openHint')}>
            {text('whatIf.open')}
          </p>
        )}
      </>
    ),
  },
  {
    head: message('whatIf.column.here'),
    title: message('whatIf.column.hereHint'),
    figure: true,
    sortBy: ({ replicas }) => replicas,
    cell: (target) => (hasReplicas(target) ? target.replicas : '—'),
  },
  {
    head: message('whatIf.column.elsewhere'),
    title: message('whatIf.column.elsewhereHint'),
    figure: true,
    sortBy: ({ readyElsewhere }) => readyElsewhere,
    cell: (target) => (hasReplicas(target) ? target.readyElsewhere : '—'),
  },
  { head: message('whatIf.column.evicted'), className: 'whitespace-nowrap', cell: evictedIn, sortBy: evictedAfter },
  {
    head: message('whatIf.column.policy'),
    sortBy: ({ hasFailoverPolicy }) => (hasFailoverPolicy ? 1 : 0),
    cell: ({ hasFailoverPolicy }, text) =>
      hasFailoverPolicy ? text('whatIf.policy.yes') : <span className="text-ink-2">{text('whatIf.policy.none')}</span>,
  },
]

/** Seconds until the eviction; undefined for a workload that is not evicted. */
function evictedAfter({ outcome, toleratesSeconds = 0 }: WhatIfTargetView): number | undefined {
  return outcome === 'stays' ? undefined : toleratesSeconds
}

function evictedIn({ outcome, toleratesSeconds }: WhatIfTargetView, text: Text): string {
  if (outcome === 'stays') return text('whatIf.evicted.never')
  return toleratesSeconds === undefined
    ? text('whatIf.evicted.now')
    : text('whatIf.evicted.after', { span: { ms: toleratesSeconds * 1000 } })
}
