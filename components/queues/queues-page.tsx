'use client'
import { clsx } from 'clsx'
import { useMemo } from 'react'
import type { QueueView } from '@/lib/view/queue-model'
import { nameOf } from '@/lib/view/workload-id'
import { ActButton } from '../commands/act-button'
import { href } from '../hooks/url-state'
import { useMay } from '../hooks/use-can'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { ListPage, StateCounts } from '../shell/list-page'
import { Link } from '../ui/link'
import { AskedProvider } from '../status/asked'
import { QueueDrawers } from './queue-drawers'
import { selectQueues, shareScale, type QueueTotals, totalsOf } from './queue-list'
import { LaterLanes } from './later-lanes'
import { QueueTable } from './queue-table'
import { QueuesHeadline } from './queues-headline'
import { NoQueues } from './queues-empty'

const SORTS: Sorts<QueueView> = {
  name: ({ id }) => id,
  state: ({ state }) => state.state,
  hold: ({ hold }) => hold?.state,
  share: ({ share }) => share?.part,
  used: ({ amounts }) => amounts[0]?.used,
  pending: ({ pending }) => pending,
  inFlight: ({ inFlight }) => inFlight,
  head: ({ head }) => head && nameOf(head.ref),
  oldest: ({ oldestWaitSince }) => oldestWaitSince,
}

/** All queues: their use of quota, their next pending workload and its reason, and their hold. */
export function QueuesPage() {
  return (
    <AreaTexts area="queueDrawers">
      <Queues />
    </AreaTexts>
  )
}

function Queues() {
  const text = useText()
  const queues = useLiveList('queues', { select: selectQueues, sorts: SORTS })
  const isLanes = useUrlState().get('view') === 'lanes'
  const scale = useMemo(() => shareScale(queues.items), [queues.items])
  return (
    <AskedProvider>
      <ListPage
        title={text('shell.section.queues')}
        noun="queue"
        list={queues}
        filterHint={text('queues.filterHint')}
        actions={
          <>
            <ViewChoice />
            <NewQueue />
          </>
        }
        subline={
          <>
            <StateCounts list={queues} label={text('queues.byState')} />
            {queues.loaded && <Totals totals={totalsOf(queues.items)} />}
          </>
        }
        empty={<NoQueues />}
        above={<QueuesHeadline queues={queues.items} />}
        below={<QueueDrawers />}
      >
        {isLanes ? (
          <LaterLanes queues={queues.rows} />
        ) : (
          <QueueTable queues={queues.rows} gone={queues.gone} scale={scale} />
        )}
      </ListPage>
    </AskedProvider>
  )
}

const VIEWS = ['table', 'lanes'] as const

/** The same queues as a table or as lanes, with the same filter. */
function ViewChoice() {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const shown = get('view') === 'lanes' ? 'lanes' : 'table'
  return (
    <nav aria-label={text('queues.view.label')} className="flex rounded-control border border-line-strong">
      {VIEWS.map((view) => (
        <Link
          key={view}
          href={hrefWith({ view: view === 'lanes' ? view : undefined })}
          aria-current={view === shown ? 'page' : undefined}
          className={clsx('flex h-6.5 items-center px-2.5', view === shown ? 'bg-sunken font-medium' : 'text-ink-2')}
        >
          {text(`queues.view.${view}`)}
        </Link>
      ))}
    </nav>
  )
}

/** Always enabled: the right depends on the namespace, which the form asks for. */
function NewQueue() {
  const text = useText()
  const { navigate } = useUrlState()
  return (
    <ActButton command={text('queues.new.open')} right={useMay([])} onAct={() => navigate({ do: 'new' })}>
      {text('queues.new.open')}
    </ActButton>
  )
}

/** Totals over all queues; each links to what it counts. */
function Totals({ totals }: { totals: QueueTotals }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  const addresses = {
    pending: href.workloads({ q: 'queue=/' }),
    inFlight: hrefWith({ q: 'flight=yes' }),
    onHold: hrefWith({ q: 'hold=yes' }),
  }
  return (
    <nav aria-label={text('queues.totals.label')} className="flex flex-wrap items-center gap-1">
      {(['pending', 'inFlight', 'onHold'] as const).map((name) => (
        <Link
          key={name}
          href={addresses[name]}
          className="flex h-6 items-center gap-1.5 rounded-control px-2 text-label hover:bg-sunken"
          data-count={name}
        >
          <span className="text-ink-2">{text(`queues.totals.${name}`)}</span>
          {text.format.count(totals[name])}
        </Link>
      ))}
    </nav>
  )
}
