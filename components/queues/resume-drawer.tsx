'use client'
import { useState } from 'react'
import { formatNumberOf } from '@/lib/format'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { resumePatch } from '@/lib/view/queue-patches'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { ActionDrawer } from './action-drawer'
import { resumeQueue, type ResumePreview } from './queue-api'
import { queueHref } from './queue-url'
import { ordinal } from './queue-texts'
import { useRequester } from './use-requester'
import { holdNow, Overtaken, seenOf, setOf, useOpened } from './use-opened'
import { useResumePreview } from './use-previews'
import { useQueueAction } from './use-queue-action'
import { useCanHoldQueue } from './use-queue-permissions'
import { WorkloadList } from './workload-list'

const MANNERS = [
  { value: 'staged', label: 'some at a time' },
  { value: 'once', label: 'all at once' },
] as const
type Manner = (typeof MANNERS)[number]['value']

/** So many at a time, unless somebody says otherwise. */
const USUAL_STEP = 5

/** Lifts the hold of a queue, in the order that is shown first. */
export function ResumeDrawer({ detail, onStartOver }: { detail: QueueDetailView; onStartOver: () => void }) {
  const { queue, holdPreview } = detail
  const { isSame } = useOpened(setOf(queue.hold))
  const [manner, setManner] = useState<Manner>('once')
  const [text, setText] = useState(String(queue.hold?.resume?.step ?? USUAL_STEP))
  const isStaged = manner === 'staged'
  const step = isStaged ? Number(text) : undefined
  const error = isStaged && !/^[1-9]\d{0,4}$/.test(text) ? 'A whole number from 1.' : undefined
  const action = useQueueAction({ words: 'Resume', about: queue.id, seen: queue.hold, send: () => resumeQueue(queue, step, seenOf(detail)) })
  return (
    <ActionDrawer
      title={`Resume ${queue.id}`}
      verb="Resume"
      right={useCanHoldQueue(queue)}
      action={action}
      ready={isSame && queue.hold !== undefined && error === undefined}
      patch={resumePatch(queue, step, useRequester())}
    >
      {!isSame && !action.asked && <Overtaken sentence={holdNow(detail)} onStartOver={onStartOver} />}
      {isSame && queue.hold === undefined && <p>This queue is not on hold.</p>}
      <div className="grid gap-3 wide:grid-cols-2">
        <Choice label="Release" value={manner} options={MANNERS} onChange={setManner} />
        {isStaged && (
          <TextField
            label="At a time"
            inputMode="numeric"
            value={text}
            error={error}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
      <p>{mannerSentence(holdPreview.waiting, step)}</p>
      <ExpectedOrder detail={detail} step={error === undefined ? step : undefined} />
    </ActionDrawer>
  )
}

/** The order in which the queue would release, and with stages who goes in which. */
function ExpectedOrder({ detail, step }: { detail: QueueDetailView; step: number | undefined }) {
  const { data, error } = useResumePreview(detail, step)
  if (error) return <p role="alert">{error.message}</p>
  return (
    <section
      aria-label="Expected order"
      className="flex flex-col gap-1"
      data-testid="expected-order"
      data-stages={data?.stages}
    >
      <h3 className="text-section">Expected order</h3>
      {data === undefined && <p className="text-ink-2">Working it out…</p>}
      {data?.order.length === 0 && <p className="text-ink-2">Nothing waits.</p>}
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
  const noteOf = (index: number) => `${ordinal(order[index]?.stage ?? 1)} stage`
  return (
    <>
      <WorkloadList
        label="Expected order"
        workloads={order}
        total={order.length + more}
        moreHref={moreHref}
        numbered
        {...(staged && { noteOf })}
      />
      <p className="text-ink-2">
        As things stand: quota and fair share go on to count, and what comes meanwhile finds its place by its class.
      </p>
    </>
  )
}

function mannerSentence(waiting: number, step: number | undefined): string {
  if (step === undefined) return `The hold ends now; ${formatNumberOf(waiting, 'workload')} ${waiting === 1 ? 'is' : 'are'} released as far as the quota allows.`
  return `${formatNumberOf(step, 'workload')} at a time; the next ones when these are scheduled. The hold ends with the last.`
}
