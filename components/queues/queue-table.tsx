'use client'
import { memo } from 'react'
import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { href } from '../hooks/url-state'
import { useSortHeads } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { ShareBar } from './bars'
import { AskedOfHold, HoldButtons } from './hold-buttons'
import { HoldMark } from './hold-mark'
import { byFullness } from './queue-list'
import { queueHref } from '../hooks/queue-url'
import { amountSentence, formatAmount, resourceWord, shareSentence } from './queue-texts'

const COLUMNS = 10
/** More resources than this are on the queue's own page. */
const MAX_AMOUNTS = 1

interface QueueTableProps {
  queues: readonly QueueView[]
  gone: ReadonlySet<string>
  /** The length of a full bar of shares. */
  scale: number
}

/** One row for each queue. */
export function QueueTable({ queues, gone, scale }: QueueTableProps) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('shell.section.queues')} aria-rowcount={queues.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('queues.column.queue')}
        </Th>
        <Th sort={head('state')}>{text('queues.column.state')}</Th>
        <Th sort={head('hold')}>{text('queues.column.hold')}</Th>
        <Th sort={head('share')} title={text('queues.column.shareMeaning')}>
          {text('queues.column.share')}
        </Th>
        <Th sort={head('used')}>{text('queues.column.used')}</Th>
        <Th figure sort={head('pending')}>
          {text('queues.column.pending')}
        </Th>
        <Th figure title={text('queues.column.inFlightMeaning')} sort={head('inFlight')}>
          {text('queues.column.inFlight')}
        </Th>
        <Th className="w-full min-w-40" sort={head('head')}>
          {text('queues.column.next')}
        </Th>
        <Th figure sort={head('oldest')}>
          {text('queues.column.oldest')}
        </Th>
        <Th className="pr-6">
          <span className="sr-only">{text('queues.actions')}</span>
        </Th>
      </ListHead>
      <VirtualBody
        items={queues}
        columns={COLUMNS}
        render={(queue) => <QueueRow key={queue.id} queue={queue} gone={gone.has(queue.id)} scale={scale} />}
      />
    </Table>
  )
}

interface QueueRowProps {
  queue: QueueView
  gone: boolean
  scale: number
}

/** Drawn again only when its own queue changed. */
const QueueRow = memo(function QueueRow({ queue, gone, scale }: QueueRowProps) {
  const text = useText()
  const { id, pending, inFlight } = queue
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="queue-row"
      data-queue={id}
      data-state={queue.state.state}
      data-pending={pending}
      data-in-flight={inFlight}
    >
      <Td className="pl-6 whitespace-nowrap">
        <QueueName queue={queue} />
      </Td>
      <Td>
        <span title={text.of(queue.state.reason)}>
          <StateMark state={queue.state.state} />
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        <HoldCell queue={queue} />
      </Td>
      <ShareCell queue={queue} scale={scale} />
      <Td className="whitespace-nowrap">
        <Amounts queue={queue} />
      </Td>
      <Td figure>
        <Count value={pending} to={queueHref(id)} label={text('queues.pendingIn', { count: pending, queue: id })} />
      </Td>
      <Td figure>
        <Count
          value={inFlight}
          to={`${queueHref(id)}#in-flight`}
          label={text('queues.inFlightOf', { count: inFlight, queue: id })}
        />
      </Td>
      <Td className="w-full max-w-0 min-w-40">
        <Head queue={queue} />
      </Td>
      <Td figure>
        <Ago time={queue.oldestWaitSince} absent="—" />
      </Td>
      <Td className="pr-6">
        <span className="flex justify-end">{!gone && <HoldButtons queue={queue} quiet />}</span>
      </Td>
    </tr>
  )
})

/** Its name, and the namespaces that it includes besides its own. */
function QueueName({ queue: { id, namespace, name, namespaces, deleting } }: { queue: QueueView }) {
  const text = useText()
  const others = namespaces.filter((each) => each !== namespace)
  return (
    <span title={text('queues.includes', { namespaces })}>
      <Link href={href.workloads({ q: `ns=${namespace}` })} className="text-ink-2 hover:underline">
        {namespace}
      </Link>
      <span className="text-ink-2">/</span>
      <Link href={queueHref(id)} className="font-medium hover:underline">
        {name}
      </Link>
      {others.length > 0 && (
        <Link href={queueHref(id)} className="ml-2 text-label text-ink-2 hover:underline">
          +{others.length}
          <span className="sr-only"> {text('queues.otherNamespaces', { count: others.length })}</span>
        </Link>
      )}
      {deleting && <span className="ml-2 text-label text-ink-2">{text('queues.beingDeleted')}</span>}
    </span>
  )
}

function ShareCell({ queue: { id, share }, scale }: { queue: QueueView; scale: number }) {
  const text = useText()
  if (share === undefined) {
    return (
      <Td className="text-ink-2" title={text('queues.share.none')}>
        —
      </Td>
    )
  }
  return (
    <Td data-part={share.part} data-fair={share.fair}>
      <Link
        href={`${queueHref(id)}#share`}
        title={shareSentence(text, share)}
        className="flex items-center gap-2 whitespace-nowrap hover:underline"
      >
        <ShareBar share={share} scale={scale} width={72} />
        <span>
          {text.format.share(share.part)}
          {share.fair !== undefined && <span className="text-ink-2"> / {text.format.share(share.fair)}</span>}
        </span>
        <span className="text-label text-ink-2">{resourceWord(text, share.resource)}</span>
      </Link>
    </Td>
  )
}

function Amounts({ queue: { id, amounts } }: { queue: QueueView }) {
  const text = useText()
  const sorted = byFullness(amounts)
  if (sorted.length === 0) return <span className="text-ink-2">{text('queues.quota.unlimited')}</span>
  const more = sorted.length - MAX_AMOUNTS
  return (
    <Link
      href={`${queueHref(id)}#share`}
      title={sorted.map((amount) => amountSentence(text, amount)).join(' · ')}
      className="flex gap-3 hover:underline"
    >
      {sorted.slice(0, MAX_AMOUNTS).map((amount) => (
        <Amount key={amount.resource} amount={amount} />
      ))}
      {more > 0 && <span className="text-ink-2">+{more}</span>}
    </Link>
  )
}

function Amount({ amount: { resource, used, quota, borrowed } }: { amount: AmountView }) {
  const text = useText()
  return (
    <span data-resource={resource}>
      <span className="text-ink-2">{resourceWord(text, resource)} </span>
      {formatAmount(text, resource, used)}
      {quota !== undefined && <span className="text-ink-2"> / {formatAmount(text, resource, quota)}</span>}
      {borrowed > 0 && (
        <span className="ml-1 font-medium">
          {text('queues.quota.borrowedAmount', { amount: formatAmount(text, resource, borrowed) })}
        </span>
      )}
    </span>
  )
}

function Count({ value, to, label }: { value: number; to: string; label: string }) {
  const text = useText()
  return (
    <Link href={to} className={value === 0 ? 'text-ink-2' : 'hover:underline'} aria-label={label}>
      {text.format.count(value)}
    </Link>
  )
}

function Head({ queue: { head, pending } }: { queue: QueueView }) {
  const text = useText()
  if (head === undefined)
    return <span className="text-ink-2">{text(pending === 0 ? 'queues.next.none' : 'queues.next.hidden')}</span>
  return (
    <span className="flex items-center gap-2">
      <span className="whitespace-nowrap">
        <WorkloadName id={head.id} workload={head.ref} />
      </span>
      <CutText text={text.of(head.message)} className="text-ink-2" />
    </span>
  )
}

/** The state of its hold, and what was requested and does not show yet. */
function HoldCell({ queue }: { queue: QueueView }) {
  const { id, hold } = queue
  return (
    <span className="flex items-center gap-2">
      {hold ? (
        <Link href={`${queueHref(id)}#hold`} className="hover:underline">
          <HoldMark hold={hold} className="max-w-36" />
        </Link>
      ) : (
        <span className="text-ink-2">—</span>
      )}
      <AskedOfHold queue={queue} />
    </span>
  )
}
