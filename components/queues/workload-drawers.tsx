'use client'
import { useState } from 'react'
import type { PendingView, QueueDetailView } from '@/lib/view/queue-model'
import { priorityPatch, releasePatch } from '@/lib/view/queue-patches'
import { nameOf } from '@/lib/view/workload-id'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { Choice } from '../ui/choice'
import { ActionDrawer } from '../queue-actions/action-drawer'
import { positionWith, workloadsAheadOf } from './pending-order'
import { changePriority, releaseWorkload } from '../queue-actions/queue-api'
import { demandWords } from './queue-texts'
import { queueHref } from '../hooks/queue-url'
import { useRequester } from '../queue-actions/use-requester'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanReorder } from '../queue-actions/use-queue-permissions'
import { WorkloadList } from './workload-list'

interface WorkloadActionProps {
  detail: QueueDetailView
  pending: PendingView
}

/** The binding of a workload, for the exact patch; undefined until the workload is known. */
function useBindingOf(id: string): { namespace: string; name: string } | undefined {
  const binding = useCollection('workloads').byId.get(id)?.binding
  return binding?.namespace === undefined ? undefined : { namespace: binding.namespace, name: binding.name }
}

/** Admits one workload out of order, after a preview of the workloads that it passes. */
export function ReleaseDrawer({ detail: { queue, pendingWorkloads }, pending }: WorkloadActionProps) {
  const text = useText()
  const binding = useBindingOf(pending.id)
  const requester = useRequester()
  const ahead = workloadsAheadOf(pendingWorkloads, pending.id)
  const action = useQueueAction({
    words: text('queues.release.done', { name: pending.ref.name }),
    about: pending.id,
    seen: pending.since,
    send: () => releaseWorkload(queue, pending.id),
  })
  return (
    <ActionDrawer
      title={text('queues.release.title', { name: nameOf(pending.ref) })}
      verb={text('queues.release.verb')}
      right={useCanReorder(queue, pending.ref.namespace)}
      action={action}
      ready
      patch={binding && releasePatch(binding, requester)}
    >
      <p>
        {text('queues.release.now', {
          position: pending.position,
          requests: demandWords(text, pending.demand),
          reason: pending.message,
        })}
      </p>
      <p>{text('queues.release.irreversible')}</p>
      <section
        aria-label={text('queues.release.passedList')}
        className="flex flex-col gap-1"
        data-testid="passed-workloads"
        data-count={ahead.length}
      >
        <p className="font-medium">{text('queues.release.passes', { count: ahead.length })}</p>
        <WorkloadList
          label={text('queues.release.passedList')}
          workloads={ahead}
          moreHref={queueHref(queue.id)}
          numbered
        />
      </section>
      {queue.hold && <p>{text('queues.release.staysHeld')}</p>}
    </ActionDrawer>
  )
}

/** Changes the priority class of a workload, after a preview of its new position. */
export function PriorityDrawer({ detail, pending }: WorkloadActionProps) {
  const text = useText()
  const { queue, pendingWorkloads, priorityClasses } = detail
  const [chosen, setChosen] = useState(
    pending.priorityClass ?? priorityClasses.find((each) => each.default)?.name ?? priorityClasses[0]?.name ?? '',
  )
  const binding = useBindingOf(pending.id)
  const value = priorityClasses.find(({ name }) => name === chosen)?.value
  const position = value === undefined ? undefined : positionWith(pendingWorkloads, pending.id, value)
  const action = useQueueAction({
    words: text('queues.class.done', { class: chosen }),
    about: pending.id,
    seen: pending.priorityClass,
    send: () => changePriority(queue, { workload: pending.id, priorityClass: chosen }),
  })
  return (
    <ActionDrawer
      title={text('queues.class.title', { name: nameOf(pending.ref) })}
      verb={text('queues.class.verb')}
      right={useCanReorder(queue, pending.ref.namespace)}
      action={action}
      ready={value !== undefined && chosen !== pending.priorityClass}
      patch={binding && priorityPatch(binding, chosen)}
    >
      {priorityClasses.length === 0 ? (
        <p>{text('queues.class.none')}</p>
      ) : (
        <Choice
          label={text('queues.class.label')}
          value={chosen}
          options={priorityClasses.map((each) => ({ value: each.name, label: `${each.name} (${each.value})` }))}
          onChange={setChosen}
        />
      )}
      <p data-testid="new-position" data-position={position}>
        {position === undefined || chosen === pending.priorityClass
          ? text('queues.class.position', { position: pending.position })
          : text('queues.class.newPosition', { position: pending.position, next: position })}{' '}
        {text('queues.class.ordering')}
      </p>
    </ActionDrawer>
  )
}
