'use client'
import { useMemo } from 'react'
import { useCalm } from '../hooks/use-calm'
import { journalAddress } from '../hooks/actions'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { EmptyState } from '../ui/empty-state'
import { buttonClass } from '../ui/button'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { FailoverCounts, parseStage } from './failover-counts'
import { History } from './history'
import { clustersIn, type MonitorRow, monitorRows } from './monitor-model'
import { AskedProvider } from '../status/asked'
import { FailoverTable } from './failover-table'
import { BlockedBy } from './blocked-by'

const FailoverActionDrawer = laterPart(() => import('./action-drawer').then((code) => code.FailoverActionDrawer))

/** Failovers that run, and with `?show=history` those of the last day. */
export function FailoverPage() {
  const url = useUrlState()
  const isHistory = url.get('show') === 'history'
  return <AskedProvider>{isHistory ? <History /> : <Monitor />}</AskedProvider>
}

function Monitor() {
  const text = useText()
  const url = useUrlState()
  const failover = useCollection('failover')
  const summary = useCollection('failover-now').byId.get('now')
  const filter = url.get('q') ?? ''
  const stage = parseStage(url.get('stage'))
  const toggled = url.get('groups') ?? ''
  const sort = url.get('sort') ?? ''
  const rows = useMemo(
    () =>
      monitorRows(text, failover.items, { filter, stage, sort, toggled: new Set(toggled.split(',').filter(Boolean)) }),
    [text, failover.items, filter, stage, sort, toggled],
  )
  // Drained clusters as well as lost ones.
  const troubled = useMemo(() => clustersIn(failover.items), [failover.items])
  const calm = useCalm()
  const held = useHeldRows<MonitorRow>(rows, `${filter} ${stage} ${sort} ${toggled}`, calm.attended)
  return (
    <PageFrame
      title={text('shell.section.failover')}
      freshness={failover.freshness}
      loaded={failover.loaded}
      actions={
        <>
          <a href={journalAddress({}, true)} download className={buttonClass('secondary')}>
            {text('failover.exportJournal')}
          </a>
          <FilterField hint={text('failover.filterHint')} />
        </>
      }
      subline={
        <>
          {summary && <FailoverCounts summary={summary} selected={stage} />}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      <ListBody
        noun="failover"
        collection={failover}
        empty={<Nothing />}
        shown={held.rows.length}
        query={describeQuery(filter, stage && `stage=${stage}`)}
        clearHref={url.hrefWith({ q: undefined, stage: undefined })}
      >
        <div {...calm.regionProps}>
          <FailoverTable rows={held.rows} gone={held.gone} />
        </div>
      </ListBody>
      <BlockedBy clusters={troubled} />
      <FailoverActionDrawer />
    </PageFrame>
  )
}

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
