'use client'
import { useState } from 'react'
import { formatNumberOf } from '@/lib/format'
import type { QueueDetailView, PendingView } from '@/lib/view/queue-model'
import { priorityPatch, releasePatch } from '@/lib/view/queue-patches'
import { nameOf } from '../hooks/filter'
import { useCollection } from '../hooks/use-collection'
import { Choice } from '../ui/choice'
import { ActionDrawer } from './action-drawer'
import { overtakenBy, positionWith } from './pending-order'
import { changePriority, releaseWorkload } from './queue-api'
import { queueHref } from './queue-url'
import { demandWords, ordinal } from './queue-texts'
import { useRequester } from './use-requester'
import { useQueueAction } from './use-queue-action'
import { useCanReorder } from './use-queue-permissions'
import { WorkloadList } from './workload-list'

interface WorkloadActProps {
  detail: QueueDetailView
  waiting: PendingView
}

/** The binding of a workload, for the exact patch; undefined until the workload is known. */
function useBindingOf(id: string): { namespace: string; name: string } | undefined {
  const binding = useCollection('workloads').byId.get(id)?.binding
  return binding?.namespace === undefined ? undefined : { namespace: binding.namespace, name: binding.name }
}

/** Lets one workload go out of turn, after showing whom it overtakes. */
export function ReleaseDrawer({ detail: { queue, pendingWorkloads }, waiting }: WorkloadActProps) {
  const binding = useBindingOf(waiting.id)
  const requester = useRequester()
  const overtaken = overtakenBy(pendingWorkloads, waiting.id)
  const action = useQueueAction({
    words: `Release ${waiting.ref.name}`,
    about: waiting.id,
    seen: waiting.since,
    send: () => releaseWorkload(queue, waiting.id),
  })
  return (
    <ActionDrawer
      title={`Release ${nameOf(waiting.ref)} now`}
      verb="Release"
      right={useCanReorder(queue, waiting.ref.namespace)}
      action={action}
      ready
      patch={binding && releasePatch(binding, requester)}
    >
      <p>
        It is {ordinal(waiting.position)} in pendingWorkloads and asks for {demandWords(waiting.demand)}. {waiting.sentence}
      </p>
      <p>The scheduler places it as soon as it can; once it is placed it cannot be put back into the pendingWorkloads.</p>
      <section
        aria-label="Overtaken"
        className="flex flex-col gap-1"
        data-testid="overtaken"
        data-count={overtaken.length}
      >
        <p className="font-medium">
          {overtaken.length === 0
            ? 'It overtakes nobody.'
            : `It overtakes ${formatNumberOf(overtaken.length, 'workload')}:`}
        </p>
        <WorkloadList label="Overtaken workloads" workloads={overtaken} moreHref={queueHref(queue.id)} numbered />
      </section>
      {queue.hold && <p>The queue stays on hold; only this workload leaves it.</p>}
    </ActionDrawer>
  )
}

/** Puts a workload into another class, after showing where it would stand. */
export function PriorityDrawer({ detail, waiting }: WorkloadActProps) {
  const { queue, pendingWorkloads, priorityClasses } = detail
  const [chosen, setChosen] = useState(
    waiting.priorityClass ?? priorityClasses.find((each) => each.default)?.name ?? priorityClasses[0]?.name ?? '',
  )
  const binding = useBindingOf(waiting.id)
  const value = priorityClasses.find(({ name }) => name === chosen)?.value
  const position = value === undefined ? undefined : positionWith(pendingWorkloads, waiting.id, value)
  const action = useQueueAction({
    words: `Class ${chosen}`,
    about: waiting.id,
    seen: waiting.priorityClass,
    send: () => changePriority(queue, { workload: waiting.id, priorityClass: chosen }),
  })
  return (
    <ActionDrawer
      title={`Priority class of ${nameOf(waiting.ref)}`}
      verb="Change the class"
      right={useCanReorder(queue, waiting.ref.namespace)}
      action={action}
      ready={value !== undefined && chosen !== waiting.priorityClass}
      patch={binding && priorityPatch(binding, chosen)}
    >
      {priorityClasses.length === 0 ? (
        <p>This queue has no priority classes. Edit the queue to give it some.</p>
      ) : (
        <Choice
          label="Class"
          value={chosen}
          options={priorityClasses.map((each) => ({ value: each.name, label: `${each.name} (${each.value})` }))}
          onChange={setChosen}
        />
      )}
      <p data-testid="new-position" data-position={position}>
        It is {ordinal(waiting.position)} in pendingWorkloads now
        {position !== undefined && chosen !== waiting.priorityClass && `, and would stand about ${ordinal(position)}`}.
        Higher classes stand before it, and its own by how long each has waited.
      </p>
    </ActionDrawer>
  )
}
