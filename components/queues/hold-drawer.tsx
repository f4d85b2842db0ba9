'use client'
import { useMemo, useState } from 'react'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { holdPatch } from '@/lib/view/queue-patches'
import { ownZone } from '../hooks/own-zone'
import { href } from '../hooks/url-state'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { LabelledCheckbox } from '../ui/checkbox'
import { Choice } from '../ui/choice'
import { TextArea, TextField } from '../ui/field'
import { ActionDrawer, Warning } from '../queue-actions/action-drawer'
import {
  chooseUntil,
  localMoment,
  UNTIL_CHOICES,
  type UntilAnswer,
  type UntilChoice,
  wallClock,
} from '../queue-actions/hold-until'
import { holdQueue, type NamedWorkload } from '../queue-actions/queue-api'
import { queueHref } from '../hooks/queue-url'
import { ChangedMeanwhile, currentHold, seenOf, settingsOfHold, useOpened } from './use-opened'
import { useHoldPreview } from './use-previews'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanHoldQueue } from '../queue-actions/use-queue-permissions'
import { WorkloadList } from './workload-list'

/** Holds a queue, or changes its hold. */
export function HoldDrawer({ detail, onStartOver }: { detail: QueueDetailView; onStartOver: () => void }) {
  const text = useText()
  const { queue } = detail
  const { isSame } = useOpened(settingsOfHold(queue.hold))
  const manner = queue.hold === undefined ? 'hold' : queue.hold.resume ? 'holdAgain' : 'changeHold'
  const verb = text(`queues.${manner}.verb`)
  const preview = useHoldPreview(detail)
  const [reason, setReason] = useState(queue.hold?.reason ?? '')
  const [includePlaced, setIncludePlaced] = useState(queue.hold?.includePlaced ?? false)
  const [end, setEnd] = useState<End>({ choice: queue.hold?.until ? 'custom' : 'never', typed: '' })
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
      title={text(`queues.${manner}.title`, { queue: queue.id })}
      verb={verb}
      right={useCanHoldQueue(queue)}
      action={action}
      ready={isSame && order.reason !== '' && until.error === undefined}
      patch={holdPatch(queue, order)}
    >
      {!isSame && !action.asked && <ChangedMeanwhile now={currentHold(detail)} onStartOver={onStartOver} />}
      <TextArea
        label={text('queues.hold.reasonLabel')}
        hint={text('queues.hold.reasonHint')}
        value={reason}
        maxLength={1024}
        required
        onChange={(event) => setReason(event.target.value)}
      />
      <UntilFields end={end} until={until} onChange={setEnd} />
      <AffectedWorkloads detail={detail} preview={preview} />
      <IncludePlaced
        queue={queue}
        placed={preview.data?.placed ?? []}
        checked={includePlaced}
        onChange={setIncludePlaced}
      />
      <p className="text-ink-2">{text('queues.hold.reversible')}</p>
    </ActionDrawer>
  )
}

interface End {
  choice: UntilChoice
  /** The value of the date field. */
  typed: string
}

/** The end that is chosen; a hold keeps its end until another one is chosen. */
function useUntil({ choice, typed }: End, present: string | undefined): UntilAnswer {
  const now = useNow()
  const zone = ownZone()
  const kept = choice === 'custom' && typed === '' && present !== undefined
  return useMemo(
    () => (kept ? { until: present } : chooseUntil(choice, typed, { now, zone })),
    [kept, present, choice, typed, now, zone],
  )
}

function UntilFields({ end, until, onChange }: { end: End; until: UntilAnswer; onChange: (end: End) => void }) {
  const text = useText()
  const zone = ownZone()
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label={text('queues.until.label')}
        value={end.choice}
        options={UNTIL_CHOICES.map((value) => ({ value, label: text(`queues.until.${value}`) }))}
        onChange={(choice) => onChange({ ...end, choice })}
      />
      {end.choice === 'custom' && (
        <TextField
          label={text('queues.until.field', { zone })}
          type="datetime-local"
          value={end.typed || fieldText(until, zone)}
          error={end.typed === '' || until.error === undefined ? undefined : text.of(until.error)}
          onChange={(event) => onChange({ ...end, typed: event.target.value })}
        />
      )}
      <p className="text-ink-2" data-testid="hold-until" data-until={until.until}>
        {until.until !== undefined
          ? text('queues.until.ends', {
              local: localMoment(until.until, zone),
              utc: text('common.moment', { time: { moment: until.until } }),
            })
          : until.error
            ? text.of(until.error)
            : text('queues.until.noEnd')}
      </p>
    </div>
  )
}

/** The end that the hold has already, as the field shows it. */
const fieldText = ({ until }: UntilAnswer, zone: string): string =>
  until === undefined ? '' : wallClock(Date.parse(until), zone).slice(0, 16)

interface AffectedWorkloadsProps {
  detail: QueueDetailView
  preview: ReturnType<typeof useHoldPreview>
}

/** The workloads that are held, and those that are suspended again, by name. */
function AffectedWorkloads({ detail: { queue }, preview: { data, error } }: AffectedWorkloadsProps) {
  const text = useText()
  if (error) return <p role="alert">{error.message}</p>
  if (data === undefined) return <p className="text-ink-2">{text('queues.action.computing')}</p>
  const { waiting, inFlight, placed } = data
  return (
    <section
      aria-label={text('queues.hold.affected')}
      className="flex flex-col gap-1"
      data-testid="hold-preview"
      data-waiting={waiting.length}
      data-in-flight={inFlight.length}
      data-placed={placed.length}
    >
      <p>{text('queues.hold.holds', { count: waiting.length })}</p>
      <WorkloadList label={text('queues.hold.heldList')} workloads={waiting} moreHref={queueHref(queue.id)} />
      {inFlight.length > 0 && <p>{text('queues.hold.suspendsAgain')}</p>}
      <WorkloadList label={text('queues.hold.suspendedList')} workloads={inFlight} moreHref={queueHref(queue.id)} />
    </section>
  )
}

interface IncludePlacedProps {
  queue: QueueView
  placed: readonly NamedWorkload[]
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Whether placed workloads are held, too, and what that costs. */
function IncludePlaced({ queue, placed, checked, onChange }: IncludePlacedProps) {
  const text = useText()
  return (
    <div>
      <LabelledCheckbox label={text('queues.hold.includePlaced')} checked={checked} onCheckedChange={onChange} />
      {checked && <PlacedWarning queue={queue} placed={placed} />}
    </div>
  )
}

function PlacedWarning({ queue, placed }: { queue: QueueView; placed: readonly NamedWorkload[] }) {
  const text = useText()
  return (
    <Warning>
      <p className="font-medium">{text('queues.hold.placedStops', { count: placed.length })}</p>
      <p>{text('queues.hold.placedMeaning')}</p>
      <WorkloadList
        label={text('queues.hold.placedList')}
        workloads={placed}
        moreHref={href.workloads({ q: `ns=${queue.namespaces.join(',')}` })}
      />
    </Warning>
  )
}
