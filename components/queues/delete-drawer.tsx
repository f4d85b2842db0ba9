'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { useText } from '../messages/use-text'
import { TextField } from '../ui/field'
import { ActionDrawer, KubectlDisclosure, Warning } from '../queue-actions/action-drawer'
import { deleteQueue } from '../queue-actions/queue-api'
import { queueHref, queuesHref } from '../hooks/queue-url'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanDeleteQueue } from '../queue-actions/use-queue-permissions'
import { WorkloadList } from './workload-list'

/** Admitting more than this at once is confirmed by typing: what is placed cannot be put back. */
const MAX_UNCONFIRMED = 10

/** Deletes a queue, after a preview of what becomes of its pending workloads. */
export function DeleteDrawer({ detail: { queue, pendingWorkloads, holdPreview } }: { detail: QueueDetailView }) {
  const text = useText()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { waiting } = holdPreview
  const needsName = queue.onDelete === 'Release' && waiting > MAX_UNCONFIRMED
  const action = useQueueAction({
    words: text('queues.delete.verb'),
    about: queue.id,
    seen: queue.deleting,
    send: () => deleteQueue(queue),
    after: () => router.push(queuesHref()),
  })
  return (
    <ActionDrawer
      title={text('queues.delete.title', { queue: queue.id })}
      verb={text('queues.delete.verb')}
      right={useCanDeleteQueue(queue)}
      action={action}
      ready={!needsName || typed === queue.name}
    >
      <p data-testid="on-delete" data-policy={queue.onDelete}>
        {text(`queues.delete.on${queue.onDelete}`, { count: waiting })} {text('queues.delete.newWorkloads')}
      </p>
      {queue.hold && <Warning>{text('queues.delete.endsHold')}</Warning>}
      <WorkloadList
        label={text('queues.pendingWorkloads')}
        workloads={pendingWorkloads}
        total={waiting}
        moreHref={queueHref(queue.id)}
      />
      {needsName && (
        <TextField
          label={text('queues.delete.confirm', { count: waiting, name: queue.name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <KubectlDisclosure command={`kubectl delete queues.evenkeel.io ${queue.name} -n ${queue.namespace}`} />
    </ActionDrawer>
  )
}
