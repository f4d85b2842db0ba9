'use client'
import { useState } from 'react'
import { formatNumberOf } from '@/lib/format'
import type { QueueDetailView, WaitingView } from '@/lib/view/queue-model'
import { priorityPatch, releasePatch } from '@/lib/view/queue-orders'
import { nameOf } from '../hooks/filter'
import { useCollection } from '../hooks/use-collection'
import { Choice } from '../ui/choice'
import { ActPanel } from './act-panel'
import { overtakenBy, positionWith } from './line-model'
import { changePriority, releaseWorkload } from './queue-actions'
import { queueHref } from './queue-url'
import { demandWords, ordinal } from './queue-words'
import { useAsker } from './use-asker'
import { useQueueAct } from './use-queue-act'
import { useCanReorder } from './use-queue-rights'
import { WorkloadList } from './workload-list'

interface WorkloadActProps {
  detail: QueueDetailView
  waiting: WaitingView
}

/** The binding of a workload, for the exact patch; undefined until the workload is known. */
function useBindingOf(id: string): { namespace: string; name: string } | undefined {
  const binding = useCollection('workloads').byId.get(id)?.binding
  return binding?.namespace === undefined ? undefined : { namespace: binding.namespace, name: binding.name }
}

/** Lets one workload go out of turn, after showing whom it overtakes. */
export function ReleaseDrawer({ detail: { queue, line }, waiting }: WorkloadActProps) {
  const binding = useBindingOf(waiting.id)
  const asker = useAsker()
  const overtaken = overtakenBy(line, waiting.id)
  const act = useQueueAct({
    words: `Release ${waiting.ref.name}`,
    about: waiting.id,
    seen: waiting.since,
    send: () => releaseWorkload(queue, waiting.id),
  })
  return (
    <ActPanel
      title={`Release ${nameOf(waiting.ref)} now`}
      verb="Release"
      right={useCanReorder(queue, waiting.ref.namespace)}
      act={act}
      ready
      patch={binding && releasePatch(binding, asker)}
    >
      <p>
        It is {ordinal(waiting.position)} in line and asks for {demandWords(waiting.demand)}. {waiting.sentence}
      </p>
      <p>The scheduler places it as soon as it can; once it is placed it cannot be put back into the line.</p>
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
    </ActPanel>
  )
}

/** Puts a workload into another class, after showing where it would stand. */
export function PriorityDrawer({ detail, waiting }: WorkloadActProps) {
  const { queue, line, priorityClasses } = detail
  const [chosen, setChosen] = useState(
    waiting.priorityClass ?? priorityClasses.find((each) => each.default)?.name ?? priorityClasses[0]?.name ?? '',
  )
  const binding = useBindingOf(waiting.id)
  const value = priorityClasses.find(({ name }) => name === chosen)?.value
  const position = value === undefined ? undefined : positionWith(line, waiting.id, value)
  const act = useQueueAct({
    words: `Class ${chosen}`,
    about: waiting.id,
    seen: waiting.priorityClass,
    send: () => changePriority(queue, { workload: waiting.id, priorityClass: chosen }),
  })
  return (
    <ActPanel
      title={`Priority class of ${nameOf(waiting.ref)}`}
      verb="Change the class"
      right={useCanReorder(queue, waiting.ref.namespace)}
      act={act}
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
        It is {ordinal(waiting.position)} in line now
        {position !== undefined && chosen !== waiting.priorityClass && `, and would stand about ${ordinal(position)}`}.
        Higher classes stand before it, and its own by how long each has waited.
      </p>
    </ActPanel>
  )
}
