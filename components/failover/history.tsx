'use client'
import { useMemo } from 'react'
import type { Text } from '@/lib/messages'
import type { PastFailoverView } from '@/lib/view/failover-model'
import { nameOf } from '@/lib/view/workload-id'
import { journalAddress } from '../hooks/actions'
import { type ListQuery, selectBy } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useSortHeads } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Places } from '../plan/places'
import { ListPage } from '../shell/list-page'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { buttonClass } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { FailoverCounts } from './failover-counts'
import { causeWord } from './failover-words'
import { WorkloadInCluster } from './workload-in-cluster'

const DAY_MS = 86_400_000

/** What ended within the last 24 hours, by the journal. */
export function History() {
  const text = useText()
  const [select, sorts] = useMemo(() => [selectPastIn(text), sortsOf(text)], [text])
  const history = useLiveList('failover-history', { select, sorts })
  const summary = useCollection('failover-now').byId.get('now')
  return (
    <ListPage
      title={text('failover.history')}
      noun="failover"
      list={history}
      filterHint={text('failover.filterHint')}
      links={<ExportButton />}
      subline={summary ? <FailoverCounts summary={summary} selected={undefined} history /> : null}
      empty={<NothingEnded />}
    >
      <HistoryTable failovers={history.rows} />
    </ListPage>
  )
}

function ExportButton() {
  const text = useText()
  const since = () => new Date(Date.now() - DAY_MS).toISOString()
  return (
    <a
      href={journalAddress({}, true)}
      download
      className={buttonClass('secondary')}
      onClick={(event) => event.currentTarget.setAttribute('href', journalAddress({ since: since() }, true))}
    >
      {text('failover.exportDay')}
    </a>
  )
}

/** Those that match, the latest end first. */
function selectPastIn(text: Text) {
  const select = selectBy((failover: PastFailoverView) => fieldsOf(text, failover))
  return (failovers: readonly PastFailoverView[], query: ListQuery) =>
    select(failovers, query).sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
}

function fieldsOf(text: Text, { ref, cluster, purgeMode = '', producer = '', causes }: PastFailoverView) {
  return {
    name: [ref ? nameOf(ref) : cluster],
    ns: [ref?.namespace ?? ''],
    cluster: [cluster],
    purge: [purgeMode],
    by: [producer, causeWord(text, { causes, producer })],
  }
}

const between = (from: string | undefined, to: string | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Date.parse(to) - Date.parse(from)
const beganAt = ({ unhealthySince, evictedAt }: PastFailoverView): string | undefined => unhealthySince ?? evictedAt

const sortsOf = (text: Text): Sorts<PastFailoverView> => ({
  where: ({ ref, cluster }) => (ref ? nameOf(ref) : cluster),
  ended: ({ endedAt }) => endedAt,
  began: ({ unhealthySince }) => unhealthySince,
  evicted: (failover) => between(beganAt(failover), failover.evictedAt),
  replaced: (failover) => between(beganAt(failover), failover.replacedAt),
  all: (failover) => between(beganAt(failover), failover.endedAt),
  distribution: ({ replicas }) => replicas,
  purge: ({ purgeMode }) => purgeMode,
  by: (failover) => causeWord(text, failover),
  outcome: ({ state }) => text.of(state.reason),
})

function HistoryTable({ failovers }: { failovers: readonly PastFailoverView[] }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('failover.ended')} aria-rowcount={failovers.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('where')}>
          {text('failover.column.where')}
        </Th>
        <Th figure sort={head('ended')}>
          {text('failover.column.ended')}
        </Th>
        <Th figure sort={head('began')}>
          {text('failover.column.began')}
        </Th>
        <Th figure sort={head('evicted')}>
          {text('failover.column.timeToEvict')}
        </Th>
        <Th figure sort={head('replaced')}>
          {text('failover.column.timeToReplace')}
        </Th>
        <Th figure sort={head('all')}>
          {text('failover.column.duration')}
        </Th>
        <Th sort={head('distribution')}>{text('failover.column.distribution')}</Th>
        <Th sort={head('purge')}>{text('failover.column.purgeMode')}</Th>
        <Th sort={head('by')}>{text('failover.column.cause')}</Th>
        <Th className="pr-6" sort={head('outcome')}>
          {text('failover.column.outcome')}
        </Th>
      </ListHead>
      <VirtualBody
        items={failovers}
        columns={10}
        render={(failover) => <HistoryRow key={failover.id} failover={failover} />}
      />
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
      <Td className="min-w-56 pl-6">
        <Where failover={failover} />
      </Td>
      <Td figure>
        <Ago time={endedAt} />
      </Td>
      <Td figure>
        {unhealthySince === undefined ? (
          <Dash />
        ) : (
          <time dateTime={unhealthySince} title={text('common.moment', { time: { moment: unhealthySince } })}>
            {text.format.timeOfDay(unhealthySince)}
          </time>
        )}
      </Td>
      <Td figure>
        <Lasted from={began} to={evictedAt} />
      </Td>
      <Td figure>
        <Lasted from={began} to={replacedAt} />
      </Td>
      <Td figure>
        <Lasted from={began} to={endedAt} />
      </Td>
      <Td>
        {failover.before && failover.after ? <Places before={failover.before} after={failover.after} /> : <Dash />}
      </Td>
      <Td className="whitespace-nowrap">{purgeMode ?? <Dash />}</Td>
      <Td className="min-w-28">
        {failover.causes === undefined && producer === undefined ? (
          <Dash />
        ) : (
          <span title={producer}>{causeWord(text, failover)}</span>
        )}
      </Td>
      <Td className="pr-6">
        <span className="flex gap-2 wide:min-w-44">
          <span className="flex h-5 items-center">
            <StateGlyph state={state.state} />
          </span>
          <span className="sr-only">{text(`common.state.${state.state}`)}:</span>
          {text.of(state.reason)}
        </span>
        {failover.hasGap && <p className="text-ink-2">◌ {text('failover.hasGap')}</p>}
      </Td>
    </tr>
  )
}

function Where({ failover }: { failover: PastFailoverView }) {
  const text = useText()
  return (
    <>
      <Who failover={failover} />{' '}
      <Link href={incidentOf(failover)} className="link" data-testid="open-incident">
        {text('failover.timeline')}
      </Link>
    </>
  )
}

function Who({ failover: { ref, workload, cluster } }: { failover: PastFailoverView }) {
  const text = useText()
  if (workload !== undefined && ref !== undefined)
    return <WorkloadInCluster workload={workload} name={ref} cluster={cluster} />
  return (
    <>
      <Link href={href.cluster(cluster)} className="hover:underline">
        {cluster}
      </Link>{' '}
      <span className="text-ink-2">{text('failover.cluster')}</span>
    </>
  )
}

function Lasted({ from, to }: { from: string | undefined; to: string | undefined }) {
  const text = useText()
  const ms = between(from, to)
  return ms === undefined ? <Dash /> : text.format.duration(ms)
}

/** An outage is named by its beginning, the failover of a workload by its eviction. */
const incidentOf = ({ kind, cluster, workload, unhealthySince, evictedAt }: PastFailoverView): string =>
  href.incident({ cluster, workload, since: kind === 'cluster' ? unhealthySince : evictedAt })

const Dash = () => <span className="text-ink-2">—</span>

/** The latest incidents, which stay listed: outages, and failovers of workloads that no outage caused. */
export function PastIncidents() {
  const text = useText()
  const { items } = useCollection('failover-history')
  const latest = useMemo(
    () =>
      items
        .filter(({ kind, reason }) => kind === 'cluster' || reason !== 'TaintUntolerated')
        .toSorted((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
        .slice(0, MAX_INCIDENTS),
    [items],
  )
  if (latest.length === 0) return null
  return (
    <section aria-labelledby="past-incidents" className="px-6 py-4" data-testid="past-incidents">
      <h2 id="past-incidents" className="mb-1 text-section">
        {text('failover.pastIncidents')}
      </h2>
      <ul>
        {latest.map((failover) => (
          <li key={failover.id} className="flex flex-wrap items-center gap-x-3 border-b border-line py-1">
            <Link href={incidentOf(failover)} className="min-w-0 font-medium break-all hover:underline">
              {failover.ref ? nameOf(failover.ref) : failover.cluster}
            </Link>
            <span className="min-w-0 grow">{text.of(failover.state.reason)}</span>
            <span className="text-ink-2">
              <Lasted from={beganAt(failover)} to={failover.endedAt} /> · <Ago time={failover.endedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MAX_INCIDENTS = 10

function NothingEnded() {
  const text = useText()
  const { hrefWith } = useUrlState()
  return (
    <EmptyState title={text('failover.noneEnded')}>
      <p>{text('failover.noneEndedBody')}</p>
      <p>
        <Link href={hrefWith({ show: undefined })} className="link">
          {text('failover.current')}
        </Link>
      </p>
    </EmptyState>
  )
}
