'use client'
import { useMemo } from 'react'
import type { QueueView } from '@/lib/view/queue-model'
import { ActButton } from '../commands/act-button'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { useMay } from '../hooks/use-can'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { nameOf } from '../hooks/filter'
import type { Sorts } from '../hooks/sorting'
import { useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Legend } from '../status/legend'
import { countStates, parseState } from '../status/states'
import { Link } from '../ui/link'
import { AskedProvider } from '../status/asked'
import { QueueDrawers } from './queue-drawers'
import { selectQueues, shareScale, type QueueTotals, totalsOf } from './queue-list'
import { QueueTable } from './queue-table'
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
  const text = useText()
  const url = useUrlState()
  const queues = useCollection('queues')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const shown = useMemo(() => selectQueues(queues.items, { filter, state }), [queues.items, filter, state])
  const scale = useMemo(() => shareScale(queues.items), [queues.items])
  const calm = useCalm()
  const sorted = useSorting(shown, SORTS)
  const held = useHeldRows(sorted.rows, `${filter} ${state} ${sorted.text}`, calm.attended)
  return (
    <AskedProvider>
      <PageFrame
        title={text('shell.section.queues')}
        freshness={queues.freshness}
        loaded={queues.loaded}
        actions={
          <>
            <FilterField hint={text('queues.filterHint')} />
            <NewQueue />
          </>
        }
        subline={
          <>
            {queues.loaded && <Counts queues={queues.items} />}
            <WaitingChanges count={held.waiting} onRelease={held.release} />
          </>
        }
      >
        <ListBody
          noun="queue"
          collection={queues}
          empty={<NoQueues />}
          shown={held.rows.length}
          query={describeQuery(filter, state && `state=${state}`)}
          clearHref={url.hrefWith({ q: undefined, state: undefined })}
        >
          <div {...calm.regionProps}>
            <QueueTable queues={held.rows} gone={held.gone} scale={scale} />
          </div>
        </ListBody>
        <QueueDrawers />
      </PageFrame>
    </AskedProvider>
  )
}

/** Counts by state and totals; each links to what it counts. */
function Counts({ queues }: { queues: readonly QueueView[] }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  return (
    <>
      <Legend
        counts={countStates(queues)}
        label={text('queues.byState')}
        selected={parseState(get('state'))}
        hrefOf={(next) => hrefWith({ state: next })}
      />
      <Totals totals={totalsOf(queues)} />
    </>
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
