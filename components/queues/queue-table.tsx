'use client'
import { memo } from 'react'
import { formatCount } from '@/lib/format'
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
import { tellingAmounts } from './queue-list'
import { queueHref } from './queue-url'
import { amountSentence, formatAmount, resourceWord, shareSentence, shareWords } from './queue-texts'

const COLUMNS = 10
/** More resources than this are on the queue's own page. */
const MOST_AMOUNTS = 1

interface QueueTableProps {
  queues: readonly QueueView[]
  gone: ReadonlySet<string>
  /** The length of a full bar of shares. */
  scale: number
}

/** One line for each queue. */
export function QueueTable({ queues, gone, scale }: QueueTableProps) {
  const head = useSortHeads()
  return (
    <Table pinLast aria-label="Queues" aria-rowcount={queues.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>Queue</Th>
        <Th sort={head('state')}>State</Th>
        <Th sort={head('hold')}>Hold</Th>
        <Th
          sort={head('share')}
          title="Part of what queues share, by the resource that a queue takes most of; the line is its fair share"
        >
          Share / fair
        </Th>
        <Th sort={head('used')}>Used / quota</Th>
        <Th figure sort={head('pending')}>Waiting</Th>
        <Th figure title="Released, and not yet scheduled" sort={head('inFlight')}>In flight</Th>
        <Th className="w-full min-w-40" sort={head('head')}>Head of the line</Th>
        <Th figure sort={head('oldest')}>Oldest wait</Th>
        <Th className="pr-6">
          <span className="sr-only">Actions</span>
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
        <Count value={pending} to={queueHref(id)} words="waiting in" id={id} />
      </Td>
      <Td figure>
        <Count value={inFlight} to={`${queueHref(id)}#in-flight`} words="in flight from" id={id} />
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

/** Its name, and the namespaces that it serves besides its own. */
function QueueName({ queue: { id, namespace, name, namespaces, deleting } }: { queue: QueueView }) {
  const others = namespaces.filter((each) => each !== namespace)
  return (
    <span title={`Serves ${namespaces.join(', ')}`}>
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
          <span className="sr-only"> {others.length === 1 ? 'namespace' : 'namespaces'}</span>
        </Link>
      )}
      {deleting && <span className="ml-2 text-label text-ink-2">being deleted</span>}
    </span>
  )
}

function ShareCell({ queue: { id, share }, scale }: { queue: QueueView; scale: number }) {
  if (share === undefined) {
    return (
      <Td className="text-ink-2" title="Nothing that it released takes room">
        —
      </Td>
    )
  }
  return (
    <Td data-part={share.part} data-fair={share.fair}>
      <Link
        href={`${queueHref(id)}#share`}
        title={shareSentence(share)}
        className="flex items-center gap-2 whitespace-nowrap hover:underline"
      >
        <ShareBar share={share} scale={scale} width={72} />
        <span>
          {shareWords(share.part)}
          {share.fair !== undefined && <span className="text-ink-2"> / {shareWords(share.fair)}</span>}
        </span>
        <span className="text-label text-ink-2">{resourceWord(share.resource)}</span>
      </Link>
    </Td>
  )
}

function Amounts({ queue: { id, amounts } }: { queue: QueueView }) {
  const telling = tellingAmounts(amounts)
  if (telling.length === 0) return <span className="text-ink-2">without limit</span>
  const more = telling.length - MOST_AMOUNTS
  return (
    <Link
      href={`${queueHref(id)}#share`}
      title={telling.map(amountSentence).join(' · ')}
      className="flex gap-3 hover:underline"
    >
      {telling.slice(0, MOST_AMOUNTS).map((amount) => (
        <Amount key={amount.resource} amount={amount} />
      ))}
      {more > 0 && <span className="text-ink-2">+{more}</span>}
    </Link>
  )
}

function Amount({ amount: { resource, used, quota, borrowed } }: { amount: AmountView }) {
  return (
    <span data-resource={resource}>
      <span className="text-ink-2">{resourceWord(resource)} </span>
      {formatAmount(resource, used)}
      {quota !== undefined && <span className="text-ink-2"> / {formatAmount(resource, quota)}</span>}
      {borrowed > 0 && <span className="ml-1 font-medium">{formatAmount(resource, borrowed)} borrowed</span>}
    </span>
  )
}

function Count({ value, to, words, id }: { value: number; to: string; words: string; id: string }) {
  return (
    <Link
      href={to}
      className={value === 0 ? 'text-ink-2' : 'hover:underline'}
      aria-label={`${formatCount(value)} ${words} ${id}`}
    >
      {formatCount(value)}
    </Link>
  )
}

function Head({ queue: { head, pending } }: { queue: QueueView }) {
  if (head === undefined)
    return <span className="text-ink-2">{pending === 0 ? 'nobody waits' : 'in a namespace that you cannot see'}</span>
  return (
    <span className="flex items-center gap-2">
      <span className="whitespace-nowrap">
        <WorkloadName id={head.id} workload={head.ref} />
      </span>
      <CutText text={head.sentence} className="text-ink-2" />
    </span>
  )
}

/** How true its pause is, and what was asked for and does not show yet. */
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
