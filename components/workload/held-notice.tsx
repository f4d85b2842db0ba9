'use client'
import { formatMoment } from '@/lib/format'
import type { HeldView } from '@/lib/view/held-model'
import type { WorkloadView } from '@/lib/view/model'
import { ownZone } from '../hooks/own-zone'
import { useText } from '../messages/use-text'
import { QueueLink } from '../queues/held-mark'
import { localMoment } from '../queues/hold-until'
import { heldWord, ordinal } from '../queues/queue-texts'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'

/** What keeps the workload back, as far as its state does not say it: who, why, since and until when, and its place in the line. */
export function HeldNotice({ workload: { held, state } }: { workload: WorkloadView }) {
  const text = useText()
  if (held === undefined) return null
  const said = text.of(held.sentence)
  return (
    <section aria-label="Held back" className="flex flex-col gap-1" data-testid="held-notice" data-by={held.by}>
      <h2 className="text-section">
        <StateMark state="held" word={heldWord(held)} />
      </h2>
      {said !== text.of(state.reason) && <p>{said}</p>}
      <HeldFacts held={held} />
    </section>
  )
}

function HeldFacts({ held: { queue, position, who, since, until } }: { held: HeldView }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4">
      {queue !== undefined && (
        <>
          <dt className="text-ink-2">Queue</dt>
          <dd>
            <QueueLink queue={queue} />
            {position !== undefined && `, ${ordinal(position)} in line`}
          </dd>
        </>
      )}
      {who !== undefined && (
        <>
          <dt className="text-ink-2">Who</dt>
          <dd>{who}</dd>
        </>
      )}
      {since !== undefined && (
        <>
          <dt className="text-ink-2">Since</dt>
          <dd>
            <Ago time={since} />
          </dd>
        </>
      )}
      {until !== undefined && (
        <>
          <dt className="text-ink-2">Until</dt>
          <dd title={`${formatMoment(until)} UTC`}>{localMoment(until, ownZone())}</dd>
        </>
      )}
    </dl>
  )
}
