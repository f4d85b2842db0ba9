'use client'
import { clsx } from 'clsx'
import { memo, useMemo } from 'react'
import type { PendingView, QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { href } from '../hooks/url-state'
import { useSortHeads, useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
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
import { demandWords, estimateWords } from './queue-texts'
import { useCanReorder } from '../queue-actions/use-queue-permissions'

const COLUMNS = 8

/** The pending workloads in the order of admission, each with its reason. */
export function PendingWorkloads({
  detail: { queue, pendingWorkloads, more, priorityClasses },
}: {
  detail: QueueDetailView
}) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const filter = get('q') ?? ''
  const shown = useMemo(() => selectPending(pendingWorkloads, filter), [pendingWorkloads, filter])
  const calm = useCalm()
  const sorted = useSorting(shown, PENDING_SORTS)
  const held = useHeldRows(sorted.rows, `${filter} ${sorted.text}`, calm.attended)
  return (
    <section aria-label={text('queues.pendingWorkloads')} id="pending">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section">{text('queues.pendingWorkloads')}</h2>
        <span className="flex flex-wrap items-center gap-2">
          <WaitingChanges count={held.waiting} onRelease={held.release} />
          <FilterField hint={text('queues.pending.filterHint')} />
        </span>
      </div>
      {shown.length < pendingWorkloads.length && (
        <p className="mb-1 text-ink-2">
          <Rich
            code="common.list.matches"
            args={{ shown: shown.length, all: text('common.counted.workload', { n: pendingWorkloads.length }) }}
            parts={{ query: <span className="mono">{filter}</span> }}
          />{' '}
          <Link href={hrefWith({ q: undefined })} className="link">
            {text('common.showAll')}
          </Link>
        </p>
      )}
      {pendingWorkloads.length === 0 && <NonePending queue={queue} />}
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
      {more > 0 && <p className="mt-2 text-ink-2">{text('queues.pending.more', { count: more })}</p>}
    </section>
  )
}

function NonePending({ queue: { pending, namespaces, hold } }: { queue: QueueView }) {
  const text = useText()
  if (pending > 0) return <p>{text('queues.pending.hidden')}</p>
  const held = hold && hold.state !== 'resuming' ? 'yes' : 'no'
  return <p className="text-ink-2">{text('queues.pending.none', { namespaces, held })}</p>
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
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('queues.pendingWorkloads')} aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          <Th figure className="pl-0" sort={head('position')}>
            {text('queues.pending.position')}
          </Th>
          <Th sort={head('workload')}>{text('queues.pending.workload')}</Th>
          <Th sort={head('class')}>{text('queues.pending.class')}</Th>
          <Th figure sort={head('since')}>
            {text('queues.pending.queued')}
          </Th>
          <Th sort={head('demand')}>{text('queues.pending.requests')}</Th>
          <Th sort={head('estimate')} title={text('queues.pending.estimateMeaning')}>
            {text('queues.pending.estimate')}
          </Th>
          <Th className="w-full min-w-64" sort={head('reason')}>
            {text('queues.pending.reason')}
          </Th>
          <Th>
            <span className="sr-only">{text('queues.actions')}</span>
          </Th>
        </tr>
      </thead>
      <VirtualBody
        items={rows}
        columns={COLUMNS}
        render={(pending) => (
          <PendingRow
            key={pending.id}
            pending={pending}
            gone={gone.has(pending.id)}
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
  pending: PendingView
  gone: boolean
  /** In a long list every row has one height, and reasons are cut to it. */
  cut: boolean
}

/** Drawn again only when its own workload changed. */
const PendingRow = memo(function PendingRow({ pending, gone, cut, hasClasses, namespace, queue }: PendingRowProps) {
  const text = useText()
  const { id, ref, position, priority, priorityClass, since, demand, estimate, reason, next } = pending
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="pending-row"
      data-workload={id}
      data-position={position}
      data-reason={reason}
      data-next={next}
    >
      <Td figure className="pl-0 font-medium">
        {text.format.count(position)}
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
      <Td className="whitespace-nowrap">{demandWords(text, demand)}</Td>
      <Td
        className="whitespace-nowrap"
        data-estimate={estimate?.kind}
        data-from={estimate?.from}
        data-to={estimate?.to}
      >
        {estimateWords(text, pending)}
      </Td>
      <Td className={clsx('w-full min-w-64', cut && 'max-w-0')}>
        <WaitReason pending={pending} cut={cut} />
      </Td>
      <Td figure className="pr-0">
        {!gone && <PendingActions pending={pending} hasClasses={hasClasses} queue={{ namespace, name: queue }} />}
      </Td>
    </tr>
  )
})

/** The reason. The workload that is admitted next, and one that only a user resumes, have a mark. */
function WaitReason({ pending, cut }: { pending: PendingView; cut: boolean }) {
  const text = useText()
  const { next, releaseAsked } = pending
  const reason = text.of(pending.message)
  const { askedOf } = useAsked()
  const asked = askedOf(pending.id, pending.since) ?? askedOf(pending.id, pending.priorityClass)
  return (
    <span className="flex gap-2">
      {next && <StateMark state="active" word={text('queues.pending.next')} />}
      {isSuspended(pending) && <StateMark state="held" word={text('queues.held.suspended')} />}
      {cut ? <CutText text={reason} /> : <span>{reason}</span>}
      {releaseAsked ? <ReleaseRequested by={releaseAsked.who} /> : <AskedFor words={asked} />}
    </span>
  )
}

/** Shown to every reader, so that no one requests it twice. */
function ReleaseRequested({ by }: { by: string }) {
  const text = useText()
  return (
    <span className="shrink-0 text-ink-2" data-testid="release-requested">
      {text('queues.release.requestedBy', { who: by })}
    </span>
  )
}

interface PendingActionsProps {
  pending: PendingView
  hasClasses: boolean
  queue: { namespace: string; name: string }
}

/** A workload that a user suspended is resumed on its own page: no queue admits it. */
function PendingActions({ pending, hasClasses, queue }: PendingActionsProps) {
  const text = useText()
  const { id, ref } = pending
  const { navigate } = useUrlState()
  const right = useCanReorder(queue, ref.namespace)
  if (isSuspended(pending)) {
    return (
      <Link href={`${href.workload(id)}&do=resume`} className="link flex justify-end">
        {text('queues.resume.openShort')}
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
          aria-label={text('queues.class.open', { name: ref.name })}
          onClick={() => navigate({ do: 'class', of: id })}
        >
          {text('queues.class.openShort')}
        </GuardedButton>
      )}
      <GuardedButton
        right={right}
        variant="quiet"
        small
        aria-label={text('queues.release.open', { name: ref.name })}
        onClick={() => navigate({ do: 'release', of: id })}
      >
        {text('queues.release.openShort')}
      </GuardedButton>
    </span>
  )
}
