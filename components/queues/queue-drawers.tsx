'use client'
import { useState } from 'react'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { Drawer } from '../ui/drawer'
import { SkeletonRows } from '../ui/skeleton'
import { DeleteDrawer } from './delete-drawer'
import { HoldDrawer } from './hold-drawer'
import { EditQueueDrawer, NewQueueDrawer } from './queue-form-drawer'
import { parseAction, parseQueueId, type QueueAction } from './queue-url'
import { ResumeDrawer } from './resume-drawer'
import { useCloseAction } from './use-queue-action'
import { PriorityDrawer, ReleaseDrawer } from './workload-drawers'

/** The panel of the action that the address names, with `?do=`. */
export function QueueDrawers() {
  const { get } = useUrlState()
  const action = parseAction(get('do'))
  const id = get('queue')
  if (action === undefined) return null
  if (action === 'new') return <NewQueueDrawer />
  return parseQueueId(id) === undefined || id === undefined ? null : (
    <OfQueue key={`${action} ${id} ${get('of')}`} action={action} id={id} of={get('of')} />
  )
}

interface OfQueueProps {
  action: Exclude<QueueAction, 'new'>
  id: string
  of: string | undefined
}

/** Starting over shows the panel anew, on what there is now. */
function OfQueue(props: OfQueueProps) {
  const [round, setRound] = useState(0)
  return <Act key={round} {...props} onStartOver={() => setRound(round + 1)} />
}

function Act({ action, id, of, onStartOver }: OfQueueProps & { onStartOver: () => void }) {
  const topic = useCollection(`queue/${id}`)
  const detail = topic.byId.get(id)
  const waiting = detail?.pendingWorkloads.find((each) => each.id === of)
  if (detail === undefined)
    return (
      <NotYet title={id} sentence={topic.refused ?? (topic.loaded ? 'There is no such queue any more.' : undefined)} />
    )
  switch (action) {
    case 'hold':
      return <HoldDrawer detail={detail} onStartOver={onStartOver} />
    case 'resume':
      return <ResumeDrawer detail={detail} onStartOver={onStartOver} />
    case 'delete':
      return <DeleteDrawer detail={detail} />
    case 'edit':
      return <Edit detail={detail} onStartOver={onStartOver} />
    case 'release':
      return waiting ? (
        <ReleaseDrawer detail={detail} waiting={waiting} />
      ) : (
        <NotYet title={id} sentence="This workload does not wait in the pendingWorkloads any more." />
      )
    case 'class':
      return waiting ? (
        <PriorityDrawer detail={detail} waiting={waiting} />
      ) : (
        <NotYet title={id} sentence="This workload does not wait in the pendingWorkloads any more." />
      )
  }
}

function Edit({
  detail: { queue, settings },
  onStartOver,
}: {
  detail: QueueDetailView
  onStartOver: () => void
}) {
  if (settings === undefined) return <NotYet title={queue.id} sentence="You may not read what was set on this queue." />
  return <EditQueueDrawer id={queue} settings={settings} onStartOver={onStartOver} />
}

/** While the queue is not known, and when what the panel is about is gone. */
function NotYet({ title, sentence }: { title: string; sentence: string | undefined }) {
  const close = useCloseAction()
  return (
    <Drawer open onClose={close} title={title}>
      {sentence === undefined ? <SkeletonRows rows={4} label="Loading the queue" /> : <p>{sentence}</p>}
    </Drawer>
  )
}
