'use client'
import type { ReactNode } from 'react'
import type { HeldView, WorkloadView } from '@/lib/view/model'
import { ownZone } from '../hooks/own-zone'
import { useText } from '../messages/use-text'
import { QueueLink } from '../status/held-mark'
import { localMoment } from '../queue-actions/hold-until'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'

/** Why the workload is not scheduled, as far as its state does not say it: who, why, since and until when, and its queue position. */
export function HeldNotice({ workload: { held, state } }: { workload: WorkloadView }) {
  const text = useText()
  if (held === undefined) return null
  const reason = text.of(held.message)
  return (
    <section
      aria-label={text('suspension.notice')}
      className="flex flex-col gap-1"
      data-testid="held-notice"
      data-by={held.by}
    >
      <h2 className="text-section">
        <StateMark state="held" word={text(`queues.held.${held.by}`)} />
      </h2>
      {reason !== text.of(state.reason) && <p>{reason}</p>}
      <HeldFacts held={held} />
    </section>
  )
}

function HeldFacts({ held: { queue, position, who, since, until } }: { held: HeldView }) {
  const text = useText()
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4">
      {queue !== undefined && (
        <Fact term={text('queues.column.queue')}>
          <QueueLink queue={queue} />
          {position !== undefined && ` · ${text('queues.position', { position })}`}
        </Fact>
      )}
      {who !== undefined && <Fact term={text('queues.hold.by')}>{who}</Fact>}
      {since !== undefined && (
        <Fact term={text('queues.hold.since')}>
          <Ago time={since} />
        </Fact>
      )}
      {until !== undefined && (
        <Fact term={text('queues.hold.until')}>
          <span title={text('common.moment', { time: { moment: until } })}>{localMoment(until, ownZone())}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{term}</dt>
      <dd>{children}</dd>
    </>
  )
}
