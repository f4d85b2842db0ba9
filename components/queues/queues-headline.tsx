import type { QueueView } from '@/lib/view/queue-model'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { totalsOf } from './queue-list'

/** Pending workloads, their age, and holds, in one sentence at the top. */
export function QueuesHeadline({ queues }: { queues: readonly QueueView[] }) {
  const text = useText()
  const now = useNow()
  const { pending, onHold } = totalsOf(queues)
  const waiting = queues.filter((queue) => queue.pending > 0)
  const oldest = waiting
    .map(({ oldestWaitSince = '' }) => oldestWaitSince)
    .filter(Boolean)
    .sort()[0]
  if (queues.length === 0 || now === 0) return null
  return (
    <p
      data-testid="queues-headline"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-6 py-1 font-medium"
    >
      <StateGlyph state={pending + onHold > 0 ? 'held' : 'ok'} />
      {pending === 0
        ? text('queues.headline.none', { queues: queues.length })
        : text('queues.headline.pending', {
            n: pending,
            queues: waiting.length,
            span: { ms: oldest === undefined ? 0 : Math.max(0, now - Date.parse(oldest)) },
          })}
      {onHold > 0 && <span className="text-ink-2">{text('queues.headline.onHold', { n: onHold })}</span>}
    </p>
  )
}
