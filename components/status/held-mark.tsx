import type { HeldView } from '@/lib/view/model'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { CutText } from '../ui/cut-text'
import { Link } from '../ui/link'
import { queueHref } from '../hooks/queue-url'

/** Why a workload is not scheduled: the word, its queue as a link, and the reason as far as there is room. */
export function HeldMark({ held }: { held: HeldView }) {
  const text = useText()
  const { by, message, queue } = held
  return (
    <span className="flex min-w-0 items-center gap-2" data-testid="held" data-by={by} data-queue={queue}>
      <span className="min-w-0 truncate">
        {queue === undefined ? (
          text(`queues.held.${by}`)
        ) : (
          <Rich code={`queues.heldIn.${by}`} parts={{ queue: <QueueLink queue={queue} /> }} />
        )}
      </span>
      <CutText text={text.of(message)} className="text-ink-2" />
    </span>
  )
}

/** The same where there is room for a word only: its queue position, or that it is held. Read out in full. */
export function HeldPlace({ held, tabIndex }: { held: HeldView; tabIndex?: number }) {
  const text = useText()
  const { by, message, queue, position } = held
  const word = text(`queues.held.${by}`)
  const short = by === 'queue' && position !== undefined ? text('queues.position', { position }) : word
  return (
    <span
      className="ml-auto shrink-0 text-label font-normal text-ink-2"
      title={text.of(message)}
      data-testid="held"
      data-by={by}
      data-queue={queue}
    >
      {queue === undefined ? (
        <span aria-hidden="true">{short}</span>
      ) : (
        <ShortLink queue={queue} short={short} tabIndex={tabIndex} />
      )}
      <span className="sr-only">{text('queues.heldInFull', { word, reason: message })}</span>
    </span>
  )
}

function ShortLink({ queue, short, tabIndex }: { queue: string; short: string; tabIndex: number | undefined }) {
  const text = useText()
  return (
    <Link
      href={queueHref(queue)}
      tabIndex={tabIndex}
      className="hover:underline"
      aria-label={text('queues.heldLink', { word: short, queue })}
    >
      {short}
    </Link>
  )
}

/** A queue by name, linked. */
export function QueueLink({ queue }: { queue: string }) {
  return (
    <Link href={queueHref(queue)} className="link">
      {queue}
    </Link>
  )
}
