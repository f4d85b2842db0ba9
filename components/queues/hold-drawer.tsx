'use client'
import { useMemo, useState } from 'react'
import { formatMoment, formatNumberOf } from '@/lib/format'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { holdPatch } from '@/lib/view/queue-orders'
import { ownZone } from '../hooks/own-zone'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useNow } from '../hooks/use-now'
import { LabelledCheckbox } from '../ui/checkbox'
import { Choice } from '../ui/choice'
import { TextArea, TextField } from '../ui/field'
import { ActPanel, Warning } from './act-panel'
import { chooseUntil, localMoment, UNTIL_CHOICES, type UntilAnswer, type UntilChoice } from './hold-until'
import { placedOf } from './line-model'
import { holdQueue } from './queue-actions'
import { queueHref } from './queue-url'
import { useQueueAct } from './use-queue-act'
import { useCanChangeQueue } from './use-queue-rights'
import { WorkloadList } from './workload-list'

/** Puts a queue on hold, or changes the hold that it has. */
export function HoldDrawer({ detail }: { detail: QueueDetailView }) {
  const { queue, holdPreview, line } = detail
  const [reason, setReason] = useState(queue.hold?.reason ?? '')
  const [includePlaced, setIncludePlaced] = useState(queue.hold?.includePlaced ?? false)
  const [end, setEnd] = useState<End>({ choice: queue.hold?.until ? 'custom' : 'never', text: '' })
  const until = useUntil(end, queue.hold?.until)
  const order = { reason: reason.trim(), includePlaced, ...(until.until !== undefined && { until: until.until }) }
  const act = useQueueAct({ words: queue.hold ? 'Change the hold' : 'Hold', about: queue.id, seen: queue.hold, send: () => holdQueue(queue, order) })
  return (
    <ActPanel
      title={queue.hold ? `Change the hold of ${queue.id}` : `Hold ${queue.id}`}
      verb={queue.hold ? 'Change the hold' : 'Hold'}
      right={useCanChangeQueue(queue)}
      act={act}
      ready={order.reason !== '' && until.error === undefined}
      patch={holdPatch(queue, order)}
    >
      <TextArea
        label="Reason (required)"
        hint="Everybody whose workload waits reads it."
        value={reason}
        maxLength={1024}
        required
        onChange={(event) => setReason(event.target.value)}
      />
      <UntilFields end={end} until={until} onChange={setEnd} />
      <section aria-label="What is held" className="flex flex-col gap-1">
        <p data-testid="hold-preview" data-waiting={holdPreview.waiting} data-placed={holdPreview.placed}>
          {previewSentence(queue, holdPreview.waiting)}
        </p>
        <WorkloadList
          label="Workloads that are kept back"
          workloads={line}
          total={holdPreview.waiting}
          moreHref={queueHref(queue.id)}
        />
      </section>
      <div>
        <LabelledCheckbox
          label="Also workloads that are placed"
          checked={includePlaced}
          onCheckedChange={(checked) => setIncludePlaced(checked === true)}
        />
        {includePlaced && <PlacedWarning queue={queue} placed={holdPreview.placed} />}
      </div>
      <p className="text-ink-2">Resume takes it back: nothing is lost, everybody keeps the place in the line.</p>
    </ActPanel>
  )
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
  return useMemo(() => (kept ? { until: present } : chooseUntil(choice, text, { now, zone })), [kept, present, choice, text, now, zone])
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
          value={end.text}
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

function untilSentence({ until, error }: UntilAnswer, zone: string): string {
  if (until === undefined) return error ?? 'It does not end by itself.'
  return `Ends by itself at ${localMoment(until, zone)}, that is ${formatMoment(until)} UTC.`
}

function previewSentence({ inFlight }: QueueView, waiting: number): string {
  const wait = formatNumberOf(waiting, 'workload that waits', 'workloads that wait')
  const kept = waiting === 0 ? 'Nothing waits now; what comes is kept back.' : `Keeps back ${wait} now, and what comes.`
  const gone = formatNumberOf(inFlight, 'workload in flight is', 'workloads in flight are')
  return inFlight === 0 ? kept : `${kept} ${gone} taken back, unless the scheduler is faster.`
}

/** Who stops scaling and failing over, by name. */
function PlacedWarning({ queue, placed }: { queue: QueueView; placed: number }) {
  const workloads = useCollection('workloads')
  const listed = useMemo(() => placedOf(workloads.items, queue), [workloads.items, queue])
  return (
    <Warning>
      <p
        className="font-medium"
      >
        Scaling and failover of these {formatNumberOf(placed, 'workload')} stop while it lasts.
      </p>
      <p
      >
        They keep running where they are. A cluster that fails takes its replicas along, and no other cluster gets them.
      </p>
      <WorkloadList
        label="Placed workloads that are held"
        workloads={listed}
        total={Math.max(placed, listed.length)}
        moreHref={href.workloads({ q: `ns=${queue.namespaces.join(',')}` })}
      />
    </Warning>
  )
}
