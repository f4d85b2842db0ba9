'use client'
import { useCallback, useMemo } from 'react'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import { journalAddress } from '../hooks/actions'
import type { ListQuery } from '../hooks/filter'
import { useCollection } from '../hooks/use-collection'
import { useLiveList } from '../hooks/use-live-list'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { ListPage } from '../shell/list-page'
import { EmptyState } from '../ui/empty-state'
import { buttonClass } from '../ui/button'
import { closedPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { FailoverCounts, parseStage } from './failover-counts'
import { History, PastIncidents } from './history'
import { clustersIn, monitorRows } from './monitor-model'
import { AskedProvider } from '../status/asked'
import { FailoverTable } from './failover-table'
import { BlockedBy } from '../status/blocked-by'

const FailoverActionDrawer = closedPart(() => import('./action-drawer').then((code) => code.FailoverActionDrawer))

/** Failovers that run, and with `?show=history` those of the last day. */
export function FailoverPage() {
  const url = useUrlState()
  const isHistory = url.get('show') === 'history'
  return <AskedProvider>{isHistory ? <History /> : <Monitor />}</AskedProvider>
}

function Monitor() {
  const text = useText()
  const url = useUrlState()
  const summary = useCollection('failover-now').byId.get('now')
  const stage = parseStage(url.get('stage'))
  const toggled = url.get('groups') ?? ''
  const sort = url.get('sort') ?? ''
  const select = useCallback(
    (entries: readonly FailoverEntryView[], { filter }: ListQuery) =>
      monitorRows(text, entries, { filter, stage, sort, toggled: new Set(toggled.split(',').filter(Boolean)) }),
    [text, stage, sort, toggled],
  )
  const failover = useLiveList('failover', { select, viewKey: `${stage} ${toggled}` })
  // Drained clusters as well as lost ones.
  const troubled = useMemo(() => clustersIn(failover.items), [failover.items])
  return (
    <ListPage
      title={text('shell.section.incidents')}
      noun="failover"
      list={failover}
      narrowedBy="stage"
      filterHint={text('failover.filterHint')}
      links={
        <a href={journalAddress({}, true)} download className={buttonClass('secondary')}>
          {text('failover.exportJournal')}
        </a>
      }
      subline={summary && isCounted(failover) ? <FailoverCounts summary={summary} selected={stage} /> : null}
      empty={<Nothing />}
      below={
        <>
          <BlockedBy clusters={troubled} />
          <PastIncidents />
          <FailoverActionDrawer />
        </>
      }
    >
      <FailoverTable rows={failover.rows} gone={failover.gone} />
    </ListPage>
  )
}

/** Zero counts would suggest a healthy fleet, so counts need items or completely read lists. */
const isCounted = ({ items, unread }: { items: readonly unknown[]; unread: readonly unknown[] }): boolean =>
  items.length > 0 || unread.length === 0

function Nothing() {
  const text = useText()
  const { hrefWith } = useUrlState()
  return (
    <EmptyState title={text('failover.none')}>
      <p>{text('failover.noneBody')}</p>
      <p>
        <Link href={hrefWith({ show: 'history' })} className="link">
          {text('failover.lastDay')}
        </Link>
      </p>
    </EmptyState>
  )
}
