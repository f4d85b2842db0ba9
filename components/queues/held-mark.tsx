import type { HeldView } from '@/lib/view/held-model'
import { CutText } from '../ui/cut-text'
import { Link } from '../ui/link'
import { queueHref } from './queue-url'
import { heldWord, ordinal } from './queue-texts'

/** What keeps a workload back: the word, its queue as a link, and the sentence as far as there is room. */
export function HeldMark({ held }: { held: HeldView }) {
  const { sentence, queue } = held
  return (
    <span className="flex min-w-0 items-center gap-2" data-testid="held" data-by={held.by} data-queue={queue}>
      <span className="whitespace-nowrap">
        {heldWord(held)}
        {queue !== undefined && (
          <>
            {held.by === 'queue' ? ' of ' : ': '}
            <QueueLink queue={queue} />
          </>
        )}
      </span>
      <CutText text={sentence} className="text-ink-2" />
    </span>
  )
}

/** The same where there is room for a word only: its place in the line, or that it stands still. Read out in full. */
export function HeldPlace({ held, tabIndex }: { held: HeldView; tabIndex?: number }) {
  const { sentence, queue, position } = held
  const short = held.by === 'queue' && position !== undefined ? `${ordinal(position)} in line` : heldWord(held)
  return (
    <span
      className="ml-auto shrink-0 text-label font-normal text-ink-2"
      title={sentence}
      data-testid="held"
      data-by={held.by}
      data-queue={queue}
    >
      {queue === undefined ? (
        <span aria-hidden="true">{short}</span>
      ) : (
        <ShortLink queue={queue} short={short} tabIndex={tabIndex} />
      )}
      <span className="sr-only">{`${heldWord(held)}. ${sentence}`}</span>
    </span>
  )
}

function ShortLink({ queue, short, tabIndex }: { queue: string; short: string; tabIndex: number | undefined }) {
  return (
    <Link
      href={queueHref(queue)}
      tabIndex={tabIndex}
      className="hover:underline"
      aria-label={`${short}, queue ${queue}`}
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
