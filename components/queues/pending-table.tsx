'use client'
import { clsx } from 'clsx'
import { memo, useMemo } from 'react'
import { formatCount } from '@/lib/format'
import type { QueueDetailView, QueueView, PendingView } from '@/lib/view/queue-model'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { href } from '../hooks/url-state'
import { useSortHeads, useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { FilterField } from '../shell/filter-field'
import { AskedFor } from '../status/asked-for'
import { GuardedButton } from '../ui/guarded-button'
import { WaitingChanges } from '../shell/waiting-changes'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { CutText } from '../ui/cut-text'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'
import { DRAWN_WHOLE, VirtualBody } from '../ui/virtual-body'
import { isSuspended, PENDING_SORTS, selectPending } from './pending-order'
import { useAsked } from '../status/asked'
import { demandWords } from './queue-texts'
import { useCanReorder } from './use-queue-permissions'

const COLUMNS = 7

/** Who waits, in the order of release, and each one's reason in one sentence. */
export function Line({ detail: { queue, pendingWorkloads, more, priorityClasses } }: { detail: QueueDetailView }) {
  const { get, hrefWith } = useUrlState()
  const filter = get('q') ?? ''
  const shown = useMemo(() => selectPending(pendingWorkloads, filter), [pendingWorkloads, filter])
  const calm = useCalm()
  const sorted = useSorting(shown, PENDING_SORTS)
  const held = useHeldRows(sorted.rows, `${filter} ${sorted.text}`, calm.attended)
  return (
    <section aria-label="Line" id="line">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section">In pendingWorkloads, first to last</h2>
        <span className="flex flex-wrap items-center gap-2">
          <WaitingChanges count={held.waiting} onRelease={held.release} />
          <FilterField hint="Filter: name, ns=, class=, reason=" />
        </span>
      </div>
      {shown.length < pendingWorkloads.length && (
        <p className="mb-1 text-ink-2">
          {shown.length} of {pendingWorkloads.length} match {filter}.{' '}
          <Link href={hrefWith({ q: undefined })} className="link">
            Show all
          </Link>
        </p>
      )}
      {pendingWorkloads.length === 0 && <NobodyShown queue={queue} />}
      {held.rows.length > 0 && (
        <div className="overflow-x-auto" {...calm.regionProps}>
          <PendingTable
            rows={held.rows}
            gone={held.gone}
            hasClasses={priorityClasses.length > 0}
            namespace={queue.namespace}
            queue={queue.name}
          />
        </div>
      )}
      {more > 0 && (
        <p className="mt-2 text-ink-2">
          {formatCount(more)} more {more === 1 ? 'waits' : 'wait'} behind these.
        </p>
      )}
    </section>
  )
}

function NobodyShown({ queue: { pending, namespaces, hold } }: { queue: QueueView }) {
  if (pending > 0) return <p>Those who wait are in namespaces that you cannot see.</p>
  const leaves = hold && hold.state !== 'resuming' ? 'stays until the hold ends' : 'leaves as soon as it may'
  return (
    <p className="text-ink-2">
      Nobody waits. A new workload in {namespaces.join(', ')} appears here, and {leaves}.
    </p>
  )
}

interface PendingTableProps {
  rows: readonly PendingView[]
  gone: ReadonlySet<string>
  hasClasses: boolean
  namespace: string
  /** Its name, in that namespace. */
  queue: string
}

function PendingTable({ rows, gone, hasClasses, namespace, queue }: PendingTableProps) {
  const head = useSortHeads()
  return (
    <Table pinLast aria-label="Waiting workloads" aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          <Th figure className="pl-0" sort={head('position')}>
            Place
          </Th>
          <Th sort={head('workload')}>Workload</Th>
          <Th sort={head('class')}>Class</Th>
          <Th figure sort={head('since')}>Came</Th>
          <Th sort={head('demand')}>Asks for</Th>
          <Th className="w-full min-w-64" sort={head('reason')}>Why it waits</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <VirtualBody
        items={rows}
        columns={COLUMNS}
        render={(waiting) => (
          <PendingRow
            key={waiting.id}
            waiting={waiting}
            gone={gone.has(waiting.id)}
            cut={rows.length > DRAWN_WHOLE}
            hasClasses={hasClasses}
            namespace={namespace}
            queue={queue}
          />
        )}
      />
    </Table>
  )
}

interface PendingRowProps extends Pick<PendingTableProps, 'hasClasses' | 'namespace' | 'queue'> {
  waiting: PendingView
  gone: boolean
  /** In a long line every row has one height, and sentences are cut to it. */
  cut: boolean
}

/** Drawn again only when its own workload changed. */
const PendingRow = memo(function PendingRow({ waiting, gone, cut, hasClasses, namespace, queue }: PendingRowProps) {
  const { id, ref, position, priority, priorityClass, since, demand, reason, next } = waiting
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="pending-row" data-workload={id} data-position={position} data-reason={reason} data-next={next}
    >
      <Td figure className="pl-0 font-medium">
        {position}
      </Td>
      <Td className="whitespace-nowrap">
        <WorkloadName id={id} workload={ref} />
      </Td>
      <Td className="whitespace-nowrap">
        {priorityClass ?? <span className="text-ink-2">—</span>} <span className="text-ink-2">{priority}</span>
      </Td>
      <Td figure>
        <Ago time={since} />
      </Td>
      <Td className="whitespace-nowrap">{demandWords(demand)}</Td>
      <Td className={clsx('w-full min-w-64', cut && 'max-w-0')}>
        <Why waiting={waiting} cut={cut} />
      </Td>
      <Td figure className="pr-0">
        {!gone && <PendingActions waiting={waiting} hasClasses={hasClasses} queue={{ namespace, name: queue }} />}
      </Td>
    </tr>
  )
})

/** The reason in one sentence. What goes next, and what only a person resumes, has a mark; waiting itself needs none. */
function Why({ waiting, cut }: { waiting: PendingView; cut: boolean }) {
  const { next, sentence, releaseAsked } = waiting
  const { askedOf } = useAsked()
  const asked = askedOf(waiting.id, waiting.since) ?? askedOf(waiting.id, waiting.priorityClass)
  return (
    <span className="flex gap-2">
      {next && <StateMark state="active" word="Next" />}
      {isSuspended(waiting) && <StateMark state="held" word="Suspended" />}
      {cut ? <CutText text={sentence} /> : <span>{sentence}</span>}
      {releaseAsked ? <ReleaseAsked by={releaseAsked.who} /> : <AskedFor words={asked} />}
    </span>
  )
}

/** Whoever looks sees that somebody asked already. */
function ReleaseAsked({ by }: { by: string }) {
  return (
    <span className="shrink-0 text-ink-2" data-testid="release-asked">
      {by} asked to release it next.
    </span>
  )
}

interface WaitingActsProps {
  waiting: PendingView
  hasClasses: boolean
  queue: { namespace: string; name: string }
}

/** What was suspended by a person is resumed on its own page: no queue releases it. */
function PendingActions({ waiting, hasClasses, queue }: WaitingActsProps) {
  const { id, ref } = waiting
  const { navigate } = useUrlState()
  const right = useCanReorder(queue, ref.namespace)
  if (isSuspended(waiting)) {
    return (
      <Link href={`${href.workload(id)}&do=resume`} className="link flex justify-end">
        Resume…
      </Link>
    )
  }
  return (
    <span className="flex justify-end gap-1">
      {hasClasses && (
        <GuardedButton
          right={right}
          variant="quiet"
          small
          aria-label={`Class of ${ref.name}…`}
          onClick={() => navigate({ do: 'class', of: id })}
        >
          Class…
        </GuardedButton>
      )}
      <GuardedButton
        right={right}
        variant="quiet"
        small
        aria-label={`Release ${ref.name}…`}
        onClick={() => navigate({ do: 'release', of: id })}
      >
        Release…
      </GuardedButton>
    </span>
  )
}
