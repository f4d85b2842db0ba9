'use client'
import { useState } from 'react'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { resumePatch } from '@/lib/view/queue-patches'
import { useText } from '../messages/use-text'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { ActionDrawer } from '../queue-actions/action-drawer'
import { resumeQueue, type ResumePreview } from '../queue-actions/queue-api'
import { queueHref } from '../hooks/queue-url'
import { useRequester } from '../queue-actions/use-requester'
import { ChangedMeanwhile, currentHold, seenOf, settingsOfHold, useOpened } from './use-opened'
import { useResumePreview } from './use-previews'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanHoldQueue } from '../queue-actions/use-queue-permissions'
import { WorkloadList } from './workload-list'

const MANNERS = ['staged', 'once'] as const
type Manner = (typeof MANNERS)[number]

/** The number of workloads of a stage, unless the user says otherwise. */
const USUAL_STEP = 5

/** Ends the hold of a queue, after a preview of the order. */
export function ResumeDrawer({ detail, onStartOver }: { detail: QueueDetailView; onStartOver: () => void }) {
  const text = useText()
  const { queue, holdPreview } = detail
  const { isSame } = useOpened(settingsOfHold(queue.hold))
  const [manner, setManner] = useState<Manner>('once')
  const [typed, setTyped] = useState(String(queue.hold?.resume?.step ?? USUAL_STEP))
  const isStaged = manner === 'staged'
  const step = isStaged ? Number(typed) : undefined
  const error = isStaged && !/^[1-9]\d{0,4}$/.test(typed) ? text('queues.resume.stepError') : undefined
  const action = useQueueAction({
    words: text('queues.resume.verb'),
    about: queue.id,
    seen: queue.hold,
    send: () => resumeQueue(queue, step, seenOf(detail)),
  })
  return (
    <ActionDrawer
      title={text('queues.resume.title', { queue: queue.id })}
      verb={text('queues.resume.verb')}
      right={useCanHoldQueue(queue)}
      action={action}
      ready={isSame && queue.hold !== undefined && error === undefined}
      patch={resumePatch(queue, step, useRequester())}
    >
      {!isSame && !action.asked && <ChangedMeanwhile now={currentHold(detail)} onStartOver={onStartOver} />}
      {isSame && queue.hold === undefined && <p>{text('queues.resume.notHeld')}</p>}
      <div className="grid gap-3 wide:grid-cols-2">
        <Choice
          label={text('queues.resume.manner')}
          value={manner}
          options={MANNERS.map((value) => ({ value, label: text(`queues.resume.manners.${value}`) }))}
          onChange={setManner}
        />
        {isStaged && (
          <TextField
            label={text('queues.resume.step')}
            inputMode="numeric"
            value={typed}
            error={error}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </div>
      <p>
        {step === undefined
          ? text('queues.resume.once', { count: holdPreview.waiting })
          : text('queues.resume.staged', { step: Number.isNaN(step) ? 0 : step })}
      </p>
      <ExpectedOrder detail={detail} step={error === undefined ? step : undefined} />
    </ActionDrawer>
  )
}

/** The order in which the queue would admit, and the stage of each workload. */
function ExpectedOrder({ detail, step }: { detail: QueueDetailView; step: number | undefined }) {
  const text = useText()
  const { data, error } = useResumePreview(detail, step)
  if (error) return <p role="alert">{error.message}</p>
  return (
    <section
      aria-label={text('queues.resume.order')}
      className="flex flex-col gap-1"
      data-testid="expected-order"
      data-stages={data?.stages}
    >
      <h3 className="text-section">{text('queues.resume.order')}</h3>
      {data === undefined && <p className="text-ink-2">{text('queues.action.computing')}</p>}
      {data?.order.length === 0 && <p className="text-ink-2">{text('queues.state.pending', { count: 0 })}</p>}
      {data && data.order.length > 0 && (
        <Order preview={data} moreHref={queueHref(detail.id)} staged={step !== undefined} />
      )}
    </section>
  )
}

function Order({
  preview: { order, more },
  moreHref,
  staged,
}: {
  preview: ResumePreview
  moreHref: string
  staged: boolean
}) {
  const text = useText()
  const noteOf = (index: number) => text('queues.resume.stage', { stage: order[index]?.stage ?? 1 })
  return (
    <>
      <WorkloadList
        label={text('queues.resume.order')}
        workloads={order}
        total={order.length + more}
        moreHref={moreHref}
        numbered
        {...(staged && { noteOf })}
      />
      <p className="text-ink-2">{text('queues.resume.estimate')}</p>
    </>
  )
}
