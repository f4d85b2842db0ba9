'use client'
import { useId } from 'react'
import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { usageMessage } from '@/lib/view/resource-amounts'
import type { Collection } from '../hooks/use-collection'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'

const MOST = 4

/** Shows the use of queues and their pending workloads; queues with pending workloads first. */
export function QueuesPanel({ queues }: { queues: Collection<QueueView> }) {
  const text = useText()
  const heading = useId()
  if (queues.refused !== undefined || !queues.loaded) return null
  const inOrder = queues.items.toSorted((a, b) => b.pending - a.pending)
  const pending = queues.items.reduce((sum, each) => sum + each.pending, 0)
  return (
    <section aria-labelledby={heading} className="min-w-0 px-6 py-3 max-wide:px-4" data-testid="overview-queues">
      <div className="flex items-center gap-3">
        <h2 id={heading} className="text-section">
          {text('overview.queues.title')}
        </h2>
        {queues.items.length > 0 && (
          <span className="text-ink-2">{text('overview.queues.pending', { n: pending })}</span>
        )}
        <Link href="/queues" className="ml-auto link" data-chrome>
          {text('overview.details')}
        </Link>
      </div>
      {queues.items.length === 0 && <p className="py-1 text-ink-2">{text('overview.queues.none')}</p>}
      <ul>
        {inOrder.slice(0, MOST).map((queue) => (
          <QueueLine key={queue.id} queue={queue} />
        ))}
      </ul>
      {inOrder.length > MOST && <p className="text-ink-2">{text('overview.more', { n: inOrder.length - MOST })}</p>}
    </section>
  )
}

function QueueLine({ queue }: { queue: QueueView }) {
  const text = useText()
  const now = useNow()
  const { id, pending, oldestWaitSince, hold } = queue
  const amount = fullest(queue.amounts)
  return (
    <li
      className="grid grid-cols-[minmax(3rem,1fr)_auto_minmax(6rem,auto)] items-center gap-x-3 py-1"
      data-queue={id}
      data-pending={pending}
    >
      <Link
        href={`/queues/detail?queue=${encodeURIComponent(id)}`}
        className="flex min-w-0 items-center gap-1.5 font-medium hover:underline"
      >
        {hold !== undefined && <StateGlyph state="held" />}
        <span className="truncate" title={id}>
          {id}
        </span>
      </Link>
      <Fill amount={amount} />
      <span className="text-right whitespace-nowrap">
        {amount?.quota === undefined
          ? text('overview.queues.noQuota')
          : text.of(usageMessage(amount.resource, amount.used, amount.quota))}
      </span>
      <span className="col-span-full text-ink-2">
        {text('overview.queues.row', { n: pending, age: text.format.age(oldestWaitSince, now) })}
      </span>
    </li>
  )
}

/** The amount of the limit that is nearest; of several alike the first. */
function fullest(amounts: readonly AmountView[]): AmountView | undefined {
  const part = ({ used, quota = 0 }: AmountView): number => (quota > 0 ? used / quota : 1)
  return amounts
    .filter(({ quota }) => quota !== undefined)
    .reduce<AmountView | undefined>(
      (best, each) => (best === undefined || part(each) > part(best) ? each : best),
      undefined,
    )
}

const BAR = 120

/** Used of the quota; borrowed beyond it hatched, the tick is the quota. */
function Fill({ amount }: { amount: AmountView | undefined }) {
  const textures = useTextures()
  const { used = 0, quota = 0, borrowed = 0 } = amount ?? {}
  const scale = BAR / Math.max(quota, used, 1)
  return (
    <svg aria-hidden="true" width={BAR + 2} height="14" className="shrink-0">
      {textures.defs}
      <rect y="2" width={BAR} height="10" rx="1" className="fill-sunken" />
      <rect y="2" width={(used - borrowed) * scale} height="10" rx="1" className="fill-amount-5" />
      {borrowed > 0 && (
        <rect
          x={(used - borrowed) * scale}
          y="2"
          width={borrowed * scale}
          height="10"
          fill={textures.fill('starting')}
        />
      )}
      {quota > 0 && <path d={`M${quota * scale} 0v14`} strokeWidth="1.5" className="stroke-chart-limit" />}
    </svg>
  )
}
