'use client'
import type { HoldView, QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { workloadId } from '@/lib/view/workload-id'
import { ownZone } from '../hooks/own-zone'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { GuardedButton } from '../ui/guarded-button'
import { Ago } from '../status/ago'
import { WorkloadName } from '../status/workload-name'
import { AskedOfHold } from './hold-buttons'
import { HoldMark } from './hold-mark'
import { localMoment } from '../queue-actions/hold-until'
import { useCanHoldQueue } from '../queue-actions/use-queue-permissions'

/** The hold of a queue: its state, who, why, since and until when, and what bypassed it; or the last one. */
export function HoldPanel({ detail: { queue, lastHold } }: { detail: QueueDetailView }) {
  const text = useText()
  const { hold } = queue
  if (hold === undefined && lastHold === undefined) return <AskedOfHold queue={queue} />
  return (
    <section
      aria-label={text('queues.hold.heading')}
      id="hold"
      className="flex max-w-4xl flex-col gap-2"
      data-testid="hold-panel"
    >
      <h2 className="flex flex-wrap items-center gap-x-3 text-section">
        {text('queues.hold.heading')} {hold && <HoldMark hold={hold} />}
        <span className="text-body font-normal">
          <AskedOfHold queue={queue} />
        </span>
      </h2>
      {hold && <PresentHold queue={queue} hold={hold} />}
      {hold === undefined && lastHold && <LastHold lastHold={lastHold} />}
    </section>
  )
}

function PresentHold({ queue, hold }: { queue: QueueView; hold: HoldView }) {
  const text = useText()
  return (
    <>
      <p data-testid="hold-message">{text.of(hold.message)}</p>
      <HoldFacts hold={hold} />
      {hold.resume && <ResumeProgress resume={hold.resume} affected={hold.affected} />}
      {hold.undoneBy && <ReleasedDespiteHold undoneBy={hold.undoneBy} namespaces={queue.namespaces} />}
      <Leaks leaks={hold.leaks} />
      <ChangeHold queue={queue} />
    </>
  )
}

function HoldFacts({ hold: { reason, by, since, until, affected, includePlaced } }: { hold: HoldView }) {
  const text = useText()
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4">
      <dt className="text-ink-2">{text('queues.hold.reasonTerm')}</dt>
      <dd className="min-w-0 wrap-anywhere">{reason}</dd>
      <dt className="text-ink-2">{text('queues.hold.by')}</dt>
      <dd>{by ?? text('queues.hold.notRecorded')}</dd>
      <dt className="text-ink-2">{text('queues.hold.since')}</dt>
      <dd>
        <Ago time={since} absent={text('queues.hold.notRecorded')} />
      </dd>
      <dt className="text-ink-2">{text('queues.hold.until')}</dt>
      <dd>
        {until === undefined ? (
          text('queues.hold.untilResumed')
        ) : (
          <span title={text('common.moment', { time: { moment: until } })}>{localMoment(until, ownZone())}</span>
        )}
      </dd>
      <dt className="text-ink-2">{text('queues.hold.workloads')}</dt>
      <dd>
        <a href="#pending" className="hover:underline">
          {text('queues.hold.heldCount', { count: affected })}
        </a>
        {includePlaced && text('queues.hold.includesPlaced')}
      </dd>
    </dl>
  )
}

/** The progress of a staged resume. */
function ResumeProgress({
  resume: { step, done, next },
  affected,
}: {
  resume: NonNullable<HoldView['resume']>
  affected: number
}) {
  const text = useText()
  return (
    <div className="flex flex-wrap items-center gap-3" data-testid="resume-progress" data-done={done} data-step={step}>
      <progress
        className="h-2 w-48 accent-active"
        max={Math.max(1, done + affected)}
        value={done}
        aria-label={text('queues.resume.progressLabel')}
      />
      <span>{text('queues.resume.progress', { done, held: affected, step })}</span>
      {next && (
        <p className="basis-full" data-testid="resume-next">
          <Rich
            code="queues.resume.next"
            args={{ reason: next.message }}
            parts={{ workload: <WorkloadName id={next.id} workload={next.ref} /> }}
          />
        </p>
      )}
    </div>
  )
}

/** Which workloads were released despite the hold, by whom and how often, and what to do about it. */
function ReleasedDespiteHold({
  undoneBy: { who, times, released },
  namespaces,
}: {
  undoneBy: NonNullable<HoldView['undoneBy']>
  namespaces: readonly string[]
}) {
  const text = useText()
  return (
    <div data-testid="released-past" data-times={times}>
      <h3 className="font-medium">{text('queues.undone.title', { times })}</h3>
      <ul className="list-disc pl-4">
        {released.map((each) => (
          <li key={each.id} data-testid="released-past-row" data-workload={each.id} data-free={each.free}>
            <WorkloadName id={each.id} workload={each.ref} />{' '}
            <span className="text-ink-2">
              {text('queues.undone.workload', {
                times: each.times,
                who: each.who ?? 'none',
                held: each.free ? 'no' : 'yes',
              })}
            </span>
          </li>
        ))}
      </ul>
      <p>
        {who === undefined
          ? text('queues.undone.adviceUnknown', { namespaces })
          : text('queues.undone.advice', { who, namespaces })}
      </p>
    </div>
  )
}

function Leaks({ leaks }: { leaks: HoldView['leaks'] }) {
  const text = useText()
  if (leaks.length === 0) return null
  return (
    <div>
      <h3 className="font-medium">{text('queues.leaks.title')}</h3>
      <ul className="list-disc pl-4">
        {leaks.map(({ workload, at, message }) => (
          <li key={`${workloadId(workload)} ${at}`} data-testid="hold-leak">
            <WorkloadName id={workloadId(workload)} workload={workload} />{' '}
            <span className="text-ink-2">{text.of(message)}</span> {at && <Ago time={at} />}
          </li>
        ))}
      </ul>
      <p>{text('queues.leaks.advice')}</p>
    </div>
  )
}

function ChangeHold({ queue }: { queue: QueueView }) {
  const text = useText()
  const { navigate } = useUrlState()
  return (
    <div>
      <GuardedButton right={useCanHoldQueue(queue)} onClick={() => navigate({ do: 'hold' })}>
        {text(queue.hold?.resume ? 'queues.holdAgain.openShort' : 'queues.changeHold.openShort')}
      </GuardedButton>
    </div>
  )
}

function LastHold({
  lastHold: { reason, by, since, endedAt, endedBy },
}: {
  lastHold: NonNullable<QueueDetailView['lastHold']>
}) {
  const text = useText()
  return (
    <p className="wrap-anywhere text-ink-2" data-testid="last-hold">
      {text('queues.lastHold.text', { by: by ?? 'none', reason })}{' '}
      {since && <Rich code="queues.lastHold.began" parts={{ time: <Ago time={since} /> }} />}{' '}
      {endedAt !== undefined && (
        <Rich code="queues.lastHold.ended" args={{ by: endedBy ?? 'none' }} parts={{ time: <Ago time={endedAt} /> }} />
      )}
    </p>
  )
}
