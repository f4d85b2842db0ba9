'use client'
import { useMemo, useState } from 'react'
import { formatMoment, formatNumberOf } from '@/lib/format'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { holdPatch } from '@/lib/view/queue-patches'
import { ownZone } from '../hooks/own-zone'
import { href } from '../hooks/url-state'
import { useNow } from '../hooks/use-now'
import { LabelledCheckbox } from '../ui/checkbox'
import { Choice } from '../ui/choice'
import { TextArea, TextField } from '../ui/field'
import { ActionDrawer, Warning } from './action-drawer'
import { chooseUntil, localMoment, UNTIL_CHOICES, type UntilAnswer, type UntilChoice, wallClock } from './hold-until'
import { holdQueue, type NamedWorkload } from './queue-api'
import { queueHref } from './queue-url'
import { holdNow, Overtaken, seenOf, setOf, useOpened } from './use-opened'
import { useHoldPreview } from './use-previews'
import { useQueueAction } from './use-queue-action'
import { useCanHoldQueue } from './use-queue-permissions'
import { WorkloadList } from './workload-list'

/** Puts a queue on hold, or changes the hold that it has. */
export function HoldDrawer({ detail, onStartOver }: { detail: QueueDetailView; onStartOver: () => void }) {
  const { queue } = detail
  const { isSame } = useOpened(setOf(queue.hold))
  const { verb, title } = wordsOf(queue)
  const preview = useHoldPreview(detail)
  const [reason, setReason] = useState(queue.hold?.reason ?? '')
  const [includePlaced, setIncludePlaced] = useState(queue.hold?.includePlaced ?? false)
  const [end, setEnd] = useState<End>({ choice: queue.hold?.until ? 'custom' : 'never', text: '' })
  const until = useUntil(end, queue.hold?.until)
  const order = { reason: reason.trim(), includePlaced, ...(until.until !== undefined && { until: until.until }) }
  const action = useQueueAction({
    words: verb,
    about: queue.id,
    seen: queue.hold,
    send: () => holdQueue(queue, order, seenOf(detail)),
  })
  return (
    <ActionDrawer
      title={title}
      verb={verb}
      right={useCanHoldQueue(queue)}
      action={action}
      ready={isSame && order.reason !== '' && until.error === undefined}
      patch={holdPatch(queue, order)}
    >
      {!isSame && !action.asked && <Overtaken sentence={holdNow(detail)} onStartOver={onStartOver} />}
      <ReasonField reason={reason} onChange={setReason} />
      <UntilFields end={end} until={until} onChange={setEnd} />
      <WhatIsHeld detail={detail} preview={preview} />
      <IncludePlaced
        queue={queue}
        placed={preview.data?.placed ?? []}
        checked={includePlaced}
        onChange={setIncludePlaced}
      />
      <p className="text-ink-2">Resume takes it back: nothing is lost, everybody keeps the place in the line.</p>
    </ActionDrawer>
  )
}

function wordsOf({ id, hold }: QueueView): { verb: string; title: string } {
  if (hold === undefined) return { verb: 'Hold', title: `Hold ${id}` }
  return hold.resume
    ? { verb: 'Hold again', title: `Hold ${id} again` }
    : { verb: 'Change the hold', title: `Change the hold of ${id}` }
}

interface End {
  choice: UntilChoice
  text: string
}

/** The end that is chosen; the one that a hold has already stays while nobody chooses another. */
function useUntil({ choice, text }: End, present: string | undefined): UntilAnswer {
  const now = useNow()
  const zone = ownZone()
  const kept = choice === 'custom' && text === '' && present !== undefined
  return useMemo(
    () => (kept ? { until: present } : chooseUntil(choice, text, { now, zone })),
    [kept, present, choice, text, now, zone],
  )
}

function UntilFields({ end, until, onChange }: { end: End; until: UntilAnswer; onChange: (end: End) => void }) {
  const zone = ownZone()
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label="How long"
        value={end.choice}
        options={UNTIL_CHOICES}
        onChange={(choice) => onChange({ ...end, choice })}
      />
      {end.choice === 'custom' && (
        <TextField
          label={`Ends at, in your time zone (${zone})`}
          type="datetime-local"
          value={end.text || fieldText(until, zone)}
          error={end.text === '' ? undefined : until.error}
          onChange={(event) => onChange({ ...end, text: event.target.value })}
        />
      )}
      <p className="text-ink-2" data-testid="hold-until" data-until={until.until}>
        {untilSentence(until, zone)}
      </p>
    </div>
  )
}

/** The end that the hold has already, as the field shows it. */
const fieldText = ({ until }: UntilAnswer, zone: string): string =>
  until === undefined ? '' : wallClock(Date.parse(until), zone).slice(0, 16)

function untilSentence({ until, error }: UntilAnswer, zone: string): string {
  if (until === undefined) return error ?? 'It does not end by itself.'
  return `Ends by itself at ${localMoment(until, zone)}, that is ${formatMoment(until)} UTC.`
}

interface WhatIsHeldProps {
  detail: QueueDetailView
  preview: ReturnType<typeof useHoldPreview>
}

/** Who is kept back and who is taken back, by name, before anything is asked for. */
function WhatIsHeld({ detail: { queue }, preview: { data, error } }: WhatIsHeldProps) {
  if (error) return <p role="alert">{error.message}</p>
  if (data === undefined) return <p className="text-ink-2">Working it out…</p>
  const { waiting, inFlight, placed } = data
  return (
    <section
      aria-label="What is held"
      className="flex flex-col gap-1"
      data-testid="hold-preview"
      data-waiting={waiting.length}
      data-in-flight={inFlight.length}
      data-placed={placed.length}
    >
      <p>
        {waiting.length === 0
          ? 'Nothing waits now; what comes is kept back.'
          : `Keeps back ${waitingWords(waiting.length)} now, and what comes:`}
      </p>
      <WorkloadList label="Workloads that are kept back" workloads={waiting} moreHref={queueHref(queue.id)} />
      {inFlight.length > 0 && <p>Takes back what is in flight, unless the scheduler is faster:</p>}
      <WorkloadList label="Workloads that are taken back" workloads={inFlight} moreHref={queueHref(queue.id)} />
    </section>
  )
}

const waitingWords = (count: number): string => formatNumberOf(count, 'workload that waits', 'workloads that wait')

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <TextArea
      label="Reason (required)"
      hint="Everybody whose workload waits reads it."
      value={reason}
      maxLength={1024}
      required
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

interface IncludePlacedProps {
  queue: QueueView
  placed: readonly NamedWorkload[]
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Whether what is placed is held, too, and what that costs. */
function IncludePlaced({ queue, placed, checked, onChange }: IncludePlacedProps) {
  return (
    <div>
      <LabelledCheckbox
        label="Also workloads that are placed"
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
      />
      {checked && <PlacedWarning queue={queue} placed={placed} />}
    </div>
  )
}

/** Who stops scaling and failing over, by name. */
function PlacedWarning({ queue, placed }: { queue: QueueView; placed: readonly NamedWorkload[] }) {
  return (
    <Warning>
      <p className="font-medium">
        Scaling and failover of{' '}
        {placed.length === 1 ? 'this workload' : `these ${formatNumberOf(placed.length, 'workload')}`} stop
        {placed.length === 1 && 's'} while it lasts.
      </p>
      <p>
        They keep running where they are. A cluster that fails takes its replicas along, and no other cluster gets them.
      </p>
      <WorkloadList
        label="Placed workloads that are held"
        workloads={placed}
        moreHref={href.workloads({ q: `ns=${queue.namespaces.join(',')}` })}
      />
    </Warning>
  )
}
