'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { formatCount, formatNumberOf } from '@/lib/format'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { TextField } from '../ui/field'
import { Disclosure } from '../plan/manifest'
import { ActionDrawer, Warning } from './action-drawer'
import { deleteQueue } from './queue-api'
import { queueHref, queuesHref } from './queue-url'
import { ON_DELETE_MEANING } from './queue-texts'
import { useQueueAction } from './use-queue-action'
import { useCanDeleteQueue } from './use-queue-permissions'
import { WorkloadList } from './workload-list'

/** Releasing more than this at once is wide, and what is placed cannot be put back: that is confirmed by typing. */
const WIDE = 10

/** Deletes a queue, after saying what becomes of those who wait in it. */
export function DeleteDrawer({ detail: { queue, pendingWorkloads, holdPreview } }: { detail: QueueDetailView }) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { waiting } = holdPreview
  const isWide = queue.onDelete === 'Release' && waiting > WIDE
  const action = useQueueAction({
    words: 'Delete',
    about: queue.id,
    seen: queue.deleting,
    send: () => deleteQueue(queue),
    after: () => router.push(queuesHref()),
  })
  return (
    <ActionDrawer
      title={`Delete ${queue.id}`}
      verb="Delete"
      right={useCanDeleteQueue(queue)}
      action={action}
      ready={!isWide || typed === queue.name}
    >
      <p data-testid="on-delete" data-policy={queue.onDelete}>
        {fateSentence(queue, waiting)} New workloads of its namespaces go to the scheduler at once from then on.
      </p>
      {queue.hold && <Warning>It is on hold, and its hold ends with it.</Warning>}
      <WorkloadList label="Workloads that wait" workloads={pendingWorkloads} total={waiting} moreHref={queueHref(queue.id)} />
      {isWide && (
        <TextField
          label={`This releases ${formatNumberOf(waiting, 'workload')} at once. Type ${queue.name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Disclosure summary="The same with kubectl">
        <KubectlBlock label="the command" text={`kubectl delete queues.evenkeel.io ${queue.name} -n ${queue.namespace}`} />
      </Disclosure>
    </ActionDrawer>
  )
}

/** What becomes of those who wait. */
function fateSentence({ onDelete }: QueueView, waiting: number): string {
  if (waiting === 0) return 'Nothing waits in it.'
  if (waiting === 1) return `1 workload waits in it; it ${onDelete === 'Release' ? 'is released, and the scheduler places it' : 'stays suspended until somebody resumes it'}.`
  return `${formatCount(waiting)} workloads wait in it; they ${ON_DELETE_MEANING[onDelete]}.`
}
