'use client'
import { useState } from 'react'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Drawer } from '../ui/drawer'
import { SkeletonRows } from '../ui/skeleton'
import { DeleteDrawer } from './delete-drawer'
import { HoldDrawer } from './hold-drawer'
import { EditQueueDrawer, NewQueueDrawer } from './queue-form-drawer'
import { parseAction, parseQueueId, type QueueAction } from '../hooks/queue-url'
import { ResumeDrawer } from './resume-drawer'
import { useCloseAction } from '../queue-actions/use-queue-action'
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

/** Starting over shows the panel anew, on the current state. */
function OfQueue(props: OfQueueProps) {
  const [round, setRound] = useState(0)
  return <ActionOnQueue key={round} {...props} onStartOver={() => setRound(round + 1)} />
}

function ActionOnQueue({ action, id, of, onStartOver }: OfQueueProps & { onStartOver: () => void }) {
  const text = useText()
  const topic = useCollection(`queue/${id}`)
  const detail = topic.byId.get(id)
  const pending = detail?.pendingWorkloads.find((each) => each.id === of)
  if (detail === undefined) {
    return <Unavailable title={id} why={topic.refused ?? (topic.loaded ? text('queues.action.noQueue') : undefined)} />
  }
  switch (action) {
    case 'hold':
      return <HoldDrawer detail={detail} onStartOver={onStartOver} />
    case 'resume':
      return <ResumeDrawer detail={detail} onStartOver={onStartOver} />
    case 'delete':
      return <DeleteDrawer detail={detail} />
    case 'edit':
      return detail.settings === undefined ? (
        <Unavailable title={id} why={text('queues.edit.hidden')} />
      ) : (
        <EditQueueDrawer id={detail.queue} settings={detail.settings} onStartOver={onStartOver} />
      )
    case 'release':
    case 'class': {
      if (!pending) return <Unavailable title={id} why={text('queues.action.notPending')} />
      const OnWorkload = action === 'release' ? ReleaseDrawer : PriorityDrawer
      return <OnWorkload detail={detail} pending={pending} />
    }
  }
}

/** While the queue is loading, and when the subject of the panel is gone. */
function Unavailable({ title, why }: { title: string; why: string | undefined }) {
  const text = useText()
  const close = useCloseAction()
  return (
    <Drawer open onClose={close} title={title}>
      {why === undefined ? <SkeletonRows rows={4} label={text('queues.loading')} /> : <p>{why}</p>}
    </Drawer>
  )
}
