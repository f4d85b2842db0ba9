'use client'
import { formatMoment, formatNumberOf } from '@/lib/format'
import type { HoldView, QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { workloadId } from '@/lib/view/workload-id'
import { ownZone } from '../hooks/own-zone'
import { useUrlState } from '../hooks/use-url-state'
import { GuardedButton } from '../ui/guarded-button'
import { Ago } from '../status/ago'
import { WorkloadName } from '../status/workload-name'
import { AskedOfHold } from './hold-buttons'
import { HoldMark } from './hold-mark'
import { localMoment } from './hold-until'
import { useCanHoldQueue } from './use-queue-permissions'

/** The pause of a queue: how true it is, who, why, since and until when, what got past it; and the last one. */
export function HoldPanel({ detail: { queue, lastHold } }: { detail: QueueDetailView }) {
  const { hold } = queue
  if (hold === undefined && lastHold === undefined) return <AskedOfHold queue={queue} />
  return (
    <section aria-label="Hold" id="hold" className="flex max-w-4xl flex-col gap-2" data-testid="hold-panel">
      <h2 className="flex flex-wrap items-center gap-x-3 text-section">
        Hold {hold && <HoldMark hold={hold} />}
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
  return (
    <>
      <p data-testid="hold-sentence">{hold.sentence}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4">
        <dt className="text-ink-2">Why</dt>
        <dd className="min-w-0 wrap-anywhere">{hold.reason}</dd>
        <dt className="text-ink-2">Who</dt>
        <dd>{hold.by ?? 'not recorded'}</dd>
        <dt className="text-ink-2">Since</dt>
        <dd>
          <Ago time={hold.since} absent="not recorded" />
        </dd>
        <dt className="text-ink-2">Until</dt>
        <dd>
          {hold.until === undefined ? (
            'somebody resumes it'
          ) : (
            <span title={`${formatMoment(hold.until)} UTC`}>{localMoment(hold.until, ownZone())}</span>
          )}
        </dd>
        <dt className="text-ink-2">Keeps back</dt>
        <dd>
          <a href="#line" className="hover:underline">
            {formatNumberOf(hold.affected, 'workload')}
          </a>
          {hold.includePlaced && ', among them placed ones: their scaling and failover stand still'}
        </dd>
      </dl>
      {hold.resume && <ResumeProgress resume={hold.resume} affected={hold.affected} />}
      {hold.undoneBy && <ReleasedPast undoneBy={hold.undoneBy} namespaces={queue.namespaces} />}
      <Leaks leaks={hold.leaks} />
      <ChangeHold queue={queue} />
    </>
  )
}

/** How far a staged resume is: released so far, and what is still kept back. */
function ResumeProgress({
  resume: { step, done, waits },
  affected,
}: {
  resume: NonNullable<HoldView['resume']>
  affected: number
}) {
  return (
    <div className="flex flex-wrap items-center gap-3" data-testid="resume-progress" data-done={done} data-step={step}>
      <progress
        className="h-2 w-48 accent-active"
        max={Math.max(1, done + affected)}
        value={done}
        aria-label="Released by the resume"
      />
      <span>
        {done} released, {affected} still kept back; {step} at a time.
      </span>
      {waits && (
        <p className="basis-full" data-testid="resume-waits">
          Next is <WorkloadName id={waits.id} workload={waits.ref} />, and it waits: {waits.sentence} The hold ends when all
          that waited are out. To end it now, resume all at once; whoever does not fit goes on waiting in line.
        </p>
      )}
    </div>
  )
}

/** Who released what, how often, whether it is back, and what to do about it. */
function ReleasedPast({
  undoneBy: { who, times, released },
  namespaces,
}: {
  undoneBy: NonNullable<HoldView['undoneBy']>
  namespaces: readonly string[]
}) {
  return (
    <div data-testid="released-past" data-times={times}>
      <h3 className="font-medium">Released by others, {formatNumberOf(times, 'time')}</h3>
      <ul className="list-disc pl-4">
        {released.map((each) => (
          <li key={each.id} data-testid="released-past-row" data-workload={each.id} data-free={each.free}>
            <WorkloadName id={each.id} workload={each.ref} />{' '}
            <span className="text-ink-2">
              {formatNumberOf(each.times, 'time')}, last by {each.who ?? 'somebody'};{' '}
              {each.free ? 'it is free, and this hold does not take it back' : 'it is held back again'}.
            </span>
          </li>
        ))}
      </ul>
      <p>
        {who !== undefined
          ? `Stop ${who} from writing spec.suspension of bindings in ${namespaces.join(', ')}, or resume this queue.`
          : `The control plane does not keep who removed spec.suspension; its audit log does. Stop whoever does that in ${namespaces.join(', ')}, or resume this queue.`}
      </p>
    </div>
  )
}

function Leaks({ leaks }: { leaks: HoldView['leaks'] }) {
  if (leaks.length === 0) return null
  return (
    <div>
      <h3 className="font-medium">Placed all the same</h3>
      <ul className="list-disc pl-4">
        {leaks.map(({ workload, at, message }) => (
          <li key={`${workloadId(workload)} ${at}`} data-testid="hold-leak">
            <WorkloadName id={workloadId(workload)} workload={workload} /> <span className="text-ink-2">{message}</span> {at && <Ago time={at} />}
          </li>
        ))}
      </ul>
      <p>
        They go on running, and scaling does not reach those that are suspended: to stop one, delete it. It happens when a
        scheduler places what is suspended, when a workload is made with its clusters, and while the webhook is away.
      </p>
    </div>
  )
}

function ChangeHold({ queue }: { queue: QueueView }) {
  const { navigate } = useUrlState()
  return (
    <div>
      <GuardedButton right={useCanHoldQueue(queue)} onClick={() => navigate({ do: 'hold' })}>
        {queue.hold?.resume ? 'Hold again…' : 'Change the hold…'}
      </GuardedButton>
    </div>
  )
}

function LastHold({
  lastHold: { reason, by, since, endedAt, endedBy },
}: {
  lastHold: NonNullable<QueueDetailView['lastHold']>
}) {
  return (
    <p className="wrap-anywhere text-ink-2" data-testid="last-hold">
      Not on hold. The last one was{by && ` by ${by}`}: “{reason}”.{' '}
      {since && (
        <>
          It began <Ago time={since} />.{' '}
        </>
      )}
      {(endedAt ?? endedBy) && (
        <>
          It was ended {endedAt && <Ago time={endedAt} />}
          {endedBy && ` by ${endedBy}`}.
        </>
      )}
    </p>
  )
}
