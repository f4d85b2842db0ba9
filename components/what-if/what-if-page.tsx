'use client'
import { useQuery } from '@tanstack/react-query'
import { formatDuration, formatNumberOf } from '@/lib/format'
import type { ClusterView } from '@/lib/view/model'
import type { WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { askWhatIf } from '../hooks/actions'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { HeadroomWarnings } from '../plan/headroom'
import { Places } from '../plan/places'
import { hasReplicas } from '../plan/plan-diff'
import { FilterField } from '../shell/filter-field'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { InsetTable, Td, Th } from '../ui/table'
import { CAUSES, OUTCOMES, parseCause } from './outcomes'

/** More rows than this are cut; the filter finds the others. */
const MOST_ROWS = 500

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
      {clusters.refused === undefined && <Question clusters={clusters.items} cluster={cluster} cause={cause} />}
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
          options={clusters.map(({ name }) => ({ value: name, label: name }))}
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

function Answer({ answer }: { answer: WhatIfView }) {
  const { get } = useUrlState()
  const terms = parseFilter(get('q') ?? '')
  if (answer.targets.length === 0) return <Untouched cluster={answer.cluster} />
  const shown = answer.targets.filter(({ ref, outcome }) =>
    matchesFilter(terms, { name: [nameOf(ref)], ns: [ref.namespace ?? ''], outcome: [outcome] }),
  )
  return (
    <div data-testid="what-if" data-cluster={answer.cluster} data-cause={answer.cause}>
      <Figures answer={answer} />
      <HeadroomWarnings headroom={answer.headroom} />
      <TargetTable targets={shown.slice(0, MOST_ROWS)} />
      {shown.length > MOST_ROWS && (
        <p className="mt-2 text-ink-2">{shown.length - MOST_ROWS} more; filter to see them.</p>
      )}
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
  const { hrefWith } = useUrlState()
  return (
    <nav aria-label="Workloads by outcome" className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {OUTCOMES.map(({ outcome, state, word, meaning }) => (
        <Link
          key={outcome}
          href={hrefWith({ q: `outcome=${outcome}` })}
          scroll={false}
          title={meaning}
          className="flex flex-col rounded-panel px-2 hover:bg-sunken"
          data-outcome={outcome}
          data-count={answer.counts[outcome]}
        >
          <span className="text-figure">{answer.counts[outcome]}</span>
          <StateMark state={state} word={word} className="text-label text-ink-2" />
        </Link>
      ))}
      <p className="max-w-80 self-center text-ink-2">
        {formatNumberOf(answer.replicasMoved, 'replica')} would move.{' '}
        {formatNumberOf(answer.withoutFailoverPolicy, 'workload')} without a failover policy of their own.
      </p>
    </nav>
  )
}

function TargetTable({ targets }: { targets: readonly WhatIfTargetView[] }) {
  return (
    <InsetTable aria-label="Workloads concerned">
      <thead>
        <tr>
          <Th className="pl-0">Workload</Th>
          <Th>Outcome</Th>
          <Th>Before → after</Th>
          <Th figure title="Replicas in the cluster now">There</Th>
          <Th figure title="Replicas that stay ready in other clusters meanwhile">Ready elsewhere</Th>
          <Th>Leaves</Th>
          <Th>Failover policy</Th>
        </tr>
      </thead>
      <tbody>
        {targets.map((target) => (
          <TargetRow key={target.id} target={target} />
        ))}
      </tbody>
    </InsetTable>
  )
}

function TargetRow({ target }: { target: WhatIfTargetView }) {
  const { outcome, state } = target
  return (
    <tr className="align-top" data-testid="what-if-target" data-workload={target.id} data-outcome={outcome}>
      <Td className="py-1 pl-0 whitespace-nowrap">
        <WorkloadName id={target.id} workload={target.ref} />
      </Td>
      <Td className="py-1">
        <StateMark
          state={state.state}
          word={OUTCOMES.find((each) => each.outcome === outcome)?.word ?? outcome}
          className="font-medium"
        />
        <p className="text-ink-2">{state.reason}</p>
      </Td>
      <Td className="py-1">
        <Places before={target.before} after={target.after} />
      </Td>
      <Td figure className="py-1">
        {hasReplicas(target) ? target.replicas : '—'}
      </Td>
      <Td figure className="py-1">
        {hasReplicas(target) ? target.readyElsewhere : '—'}
      </Td>
      <Td className="py-1">{leavesWords(target)}</Td>
      <Td className="py-1">{target.hasFailoverPolicy ? 'yes' : <span className="text-ink-2">none</span>}</Td>
    </tr>
  )
}

function leavesWords({ outcome, toleratesSeconds }: WhatIfTargetView): string {
  if (outcome === 'stays') return 'never'
  return toleratesSeconds === undefined ? 'at once' : `after ${formatDuration(toleratesSeconds * 1000)}`
}
