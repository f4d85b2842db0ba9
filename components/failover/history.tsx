'use client'
import { useMemo } from 'react'
import { formatDuration, formatMoment, formatTimeOfDay } from '@/lib/format'
import type { PastFailoverView } from '@/lib/view/failover-model'
import { journalAddress } from '../hooks/actions'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import type { Sorts } from '../hooks/sorting'
import { useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Places } from '../plan/places'
import { FilterField } from '../shell/filter-field'
import { ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { WorkloadName } from '../status/workload-name'
import { buttonClass } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { FailoverCounts } from './failover-counts'
import { causeWord } from './failover-words'

const DAY_MS = 86_400_000

/** What ended within the last 24 hours, as the journal tells it. */
export function History() {
  const url = useUrlState()
  const history = useCollection('failover-history')
  const summary = useCollection('failover-now').byId.get('now')
  const filter = url.get('q') ?? ''
  const shown = useMemo(() => selectPast(history.items, filter), [history.items, filter])
  return (
    <PageFrame
      title="Failover: the last 24 hours"
      freshness={history.freshness}
      loaded={history.loaded}
      actions={
        <>
          <ExportButton />
          <FilterField hint="Filter: name, ns=, cluster=, purge=, by=" />
        </>
      }
      subline={summary && <FailoverCounts summary={summary} selected={undefined} history />}
    >
      <ListBody
        noun="failover"
        collection={history}
        empty={<NothingEnded />}
        shown={shown.length}
        query={filter}
        clearHref={url.hrefWith({ q: undefined })}
      >
        <HistoryTable failovers={shown} />
      </ListBody>
    </PageFrame>
  )
}

function ExportButton() {
  const since = () => new Date(Date.now() - DAY_MS).toISOString()
  return (
    <a
      href={journalAddress({}, true)}
      download
      className={buttonClass('secondary')}
      onClick={(event) => event.currentTarget.setAttribute('href', journalAddress({ since: since() }, true))}
    >
      Export these 24 hours
    </a>
  )
}

/** Those that match, the latest end first. */
function selectPast(failovers: readonly PastFailoverView[], filter: string): PastFailoverView[] {
  const terms = parseFilter(filter)
  return failovers
    .filter((failover) => matchesFilter(terms, fieldsOf(failover)))
    .sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
}

function fieldsOf({ ref, cluster, purgeMode = '', producer = '', causes }: PastFailoverView) {
  return {
    name: [ref ? nameOf(ref) : cluster],
    ns: [ref?.namespace ?? ''],
    cluster: [cluster],
    purge: [purgeMode],
    by: [producer, causeWord({ causes, producer })],
  }
}

const between = (from: string | undefined, to: string | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Date.parse(to) - Date.parse(from)
const beganAt = ({ unhealthySince, evictedAt }: PastFailoverView): string | undefined => unhealthySince ?? evictedAt

const SORTS: Sorts<PastFailoverView> = {
  where: ({ ref, cluster }) => (ref ? nameOf(ref) : cluster),
  ended: ({ endedAt }) => endedAt,
  began: ({ unhealthySince }) => unhealthySince,
  evicted: (failover) => between(beganAt(failover), failover.evictedAt),
  replaced: (failover) => between(beganAt(failover), failover.replacedAt),
  all: (failover) => between(beganAt(failover), failover.endedAt),
  distribution: ({ replicas }) => replicas,
  purge: ({ purgeMode }) => purgeMode,
  by: causeWord,
  outcome: ({ state: { reason } }) => (typeof reason === 'string' ? reason : reason.code),
}

function HistoryTable({ failovers }: { failovers: readonly PastFailoverView[] }) {
  const { rows, head } = useSorting(failovers, SORTS)
  return (
    <Table pinLast aria-label="Failovers that ended" aria-rowcount={failovers.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('where')}>Where</Th>
        <Th figure sort={head('ended')}>Ended</Th>
        <Th figure sort={head('began')}>First symptom</Th>
        <Th figure sort={head('evicted')}>Until evicted</Th>
        <Th figure sort={head('replaced')}>Until replaced</Th>
        <Th figure sort={head('all')}>In all</Th>
        <Th sort={head('distribution')}>Distribution</Th>
        <Th sort={head('purge')}>Old copy</Th>
        <Th sort={head('by')}>By</Th>
        <Th className="pr-6" sort={head('outcome')}>How it ended</Th>
      </ListHead>
      <VirtualBody items={rows} columns={10} render={(failover) => <HistoryRow key={failover.id} failover={failover} />} />
    </Table>
  )
}

function HistoryRow({ failover }: { failover: PastFailoverView }) {
  const text = useText()
  const { unhealthySince, evictedAt, replacedAt, endedAt, producer, purgeMode, state } = failover
  const began = unhealthySince ?? evictedAt
  return (
    <tr
      className="row-hover align-top"
      data-testid="past-failover"
      data-failover={failover.id}
      data-kind={failover.kind}
      data-cluster={failover.cluster}
      data-gap={failover.hasGap}
    >
      <Td className="pl-6 whitespace-nowrap">
        <Where failover={failover} />
      </Td>
      <Td figure>
        <Ago time={endedAt} />
      </Td>
      <Td figure>
        {unhealthySince === undefined ? (
          <Dash />
        ) : (
          <time dateTime={unhealthySince} title={`${formatMoment(unhealthySince)} UTC`}>
            {formatTimeOfDay(unhealthySince)}
          </time>
        )}
      </Td>
      <Td figure>{lasted(began, evictedAt)}</Td>
      <Td figure>{lasted(began, replacedAt)}</Td>
      <Td figure>{lasted(began, endedAt)}</Td>
      <Td>{failover.before && failover.after ? <Places before={failover.before} after={failover.after} /> : <Dash />}</Td>
      <Td className="whitespace-nowrap">{purgeMode ?? <Dash />}</Td>
      <Td className="whitespace-nowrap">
        {failover.causes === undefined && producer === undefined ? <Dash /> : <span title={producer}>{causeWord(failover)}</span>}
      </Td>
      <Td className="pr-6">
        <span className="flex gap-2 wide:min-w-44">
          <span className="flex h-5 items-center">
            <StateGlyph state={state.state} />
          </span>
          <span className="sr-only">{text(`common.state.${state.state}`)}:</span>
          {text.of(state.reason)}
        </span>
        {failover.hasGap && <p className="text-ink-2">◌ not watched all the time</p>}
      </Td>
    </tr>
  )
}

function Where({ failover: { ref, workload, cluster } }: { failover: PastFailoverView }) {
  const place = (
    <Link href={href.cluster(cluster)} className="hover:underline">
      {cluster}
    </Link>
  )
  if (workload === undefined || ref === undefined) return <>{place} <span className="text-ink-2">cluster</span></>
  return (
    <>
      <WorkloadName id={workload} workload={ref} /> <span className="text-ink-2">in </span>
      {place}
    </>
  )
}

function lasted(from: string | undefined, to: string | undefined) {
  return from === undefined || to === undefined ? <Dash /> : formatDuration(Date.parse(to) - Date.parse(from))
}

const Dash = () => <span className="text-ink-2">—</span>

function NothingEnded() {
  const { hrefWith } = useUrlState()
  return (
    <EmptyState title="Nothing failed over in the last 24 hours">
      <p>
        What ends is listed here for a day. The journal keeps it for longer, and the pages of workloads and clusters
        show it.
      </p>
      <p>
        <Link href={hrefWith({ show: undefined })} className="link">
          What runs now
        </Link>
      </p>
    </EmptyState>
  )
}
