'use client'
import { useMemo } from 'react'
import { formatCount } from '@/lib/format'
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

/** All queues: what each has, who waits at its head and why, and whether it is on hold. */
export function QueuesPage() {
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
        title="Queues"
        freshness={queues.freshness}
        loaded={queues.loaded}
        actions={
          <>
            <FilterField hint="Filter: name, ns=, hold=, by=" />
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

/** How many there are of each state, and how many wait; each chooses what it counts. */
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

/** Whoever may make queues in one namespace only finds out there: the form asks for the namespace that is named. */
function NewQueue() {
  const { navigate } = useUrlState()
  return (
    <ActButton command="New queue…" right={useMay([])} onAct={() => navigate({ do: 'new' })}>
      New queue…
    </ActButton>
  )
}

/** What waits, what is under way and what stands still; the pause count chooses the queues that it counts. */
function Totals({ totals: { pending, inFlight, onHold } }: { totals: QueueTotals }) {
  const { hrefWith } = useUrlState()
  const className = 'flex h-6 items-center gap-1.5 rounded-control px-2 text-label hover:bg-sunken'
  return (
    <nav aria-label="What waits" className="flex flex-wrap items-center gap-1">
      <Link href={href.workloads({ q: 'queue=/' })} className={className} data-count="waiting">
        <span className="text-ink-2">waiting</span>
        {formatCount(pending)}
      </Link>
      <Link href={hrefWith({ q: 'flight=yes' })} className={className} data-count="in-flight">
        <span className="text-ink-2">in flight</span>
        {formatCount(inFlight)}
      </Link>
      <Link href={hrefWith({ q: 'hold=yes' })} className={className} data-count="on-hold">
        <span className="text-ink-2">on hold</span>
        {formatCount(onHold)}
      </Link>
    </nav>
  )
}
