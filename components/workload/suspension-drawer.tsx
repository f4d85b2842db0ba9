'use client'
import { useState } from 'react'
import type { WorkloadView } from '@/lib/view/model'
import { suspendPatch, unsuspendPatch } from '@/lib/view/queue-patches'
import { nameOf } from '@/lib/view/workload-id'
import { ActButton } from '../commands/act-button'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { ActionDrawer } from '../queue-actions/action-drawer'
import { useAsked } from '../status/asked'
import { resumeBinding, suspendBinding } from '../queue-actions/queue-api'
import { useRequester } from '../queue-actions/use-requester'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanSteerBindings } from '../queue-actions/use-queue-permissions'
import { queueHref } from '../hooks/queue-url'
import { AskedFor } from '../status/asked-for'
import { buttonClass } from '../ui/button'
import { TextArea } from '../ui/field'
import { Link } from '../ui/link'
import { suspensionAction } from './suspension-action'

/** Suspends or resumes the scheduling of this one workload; says why where that is not possible. */
export function SuspensionButton({ workload }: { workload: WorkloadView }) {
  const text = useText()
  const { navigate } = useUrlState()
  const { action, refusal, queue } = suspensionAction(workload)
  const right = useCanSteerBindings(workload.binding.namespace ?? '', workload.binding.name)
  const asked = useAsked().askedOf(workload.id, workload.suspended)
  if (queue !== undefined) {
    return (
      <Link href={queueHref(queue)} className={buttonClass()} title={refusal && text.of(refusal)}>
        {text('suspension.openQueue')}
      </Link>
    )
  }
  return (
    <>
      <AskedFor words={asked} />
      <ActButton
        command={text(`suspension.${action}.command`)}
        right={refusal === undefined ? right : { allowed: false, known: true, reason: text.of(refusal) }}
        onAct={() => navigate({ do: action })}
      >
        {text(`suspension.${action}.open`)}
      </ActButton>
    </>
  )
}

/** The panel that the button opens, with `?do=`. */
export function SuspensionDrawer({ workload }: { workload: WorkloadView }) {
  const { get } = useUrlState()
  const { action, refusal } = suspensionAction(workload)
  const { namespace, name } = workload.binding
  if (get('do') !== action || refusal !== undefined || namespace === undefined) return null
  return action === 'suspend' ? (
    <Suspend workload={workload} binding={{ namespace, name }} />
  ) : (
    <Resume workload={workload} binding={{ namespace, name }} />
  )
}

interface ActionProps {
  workload: WorkloadView
  binding: { namespace: string; name: string }
}

function Suspend({ workload, binding }: ActionProps) {
  const text = useText()
  const [typed, setTyped] = useState('')
  const requester = useRequester()
  const reason = typed.trim()
  const action = useQueueAction({
    words: text('suspension.suspend.done'),
    about: workload.id,
    seen: workload.suspended,
    send: () => suspendBinding(binding, reason),
  })
  return (
    <ActionDrawer
      title={text('suspension.suspend.title', { name: nameOf(workload.ref) })}
      verb={text('suspension.suspend.verb')}
      right={useCanSteerBindings(binding.namespace, binding.name)}
      action={action}
      ready={reason !== ''}
      patch={suspendPatch(binding, { ...requester, reason })}
    >
      <p>{text('suspension.suspend.effect')}</p>
      <p className="text-ink-2">{text('suspension.suspend.race')}</p>
      <TextArea
        label={text('queues.hold.reasonLabel')}
        hint={text('suspension.suspend.reasonHint')}
        value={typed}
        maxLength={1024}
        required
        onChange={(event) => setTyped(event.target.value)}
      />
    </ActionDrawer>
  )
}

function Resume({ workload, binding }: ActionProps) {
  const text = useText()
  const queue = workload.cells.some(({ role }) => role === 'placed') ? undefined : workload.held?.queue
  const action = useQueueAction({
    words: text('suspension.resume.done'),
    about: workload.id,
    seen: workload.suspended,
    send: () => resumeBinding(binding),
  })
  return (
    <ActionDrawer
      title={text('suspension.resume.title', { name: nameOf(workload.ref) })}
      verb={text('suspension.resume.verb')}
      right={useCanSteerBindings(binding.namespace, binding.name)}
      action={action}
      ready
      patch={unsuspendPatch(binding, queue)}
    >
      <p>{queue === undefined ? text('suspension.resume.effect') : text('suspension.resume.requeued', { queue })}</p>
      {workload.held && <p className="text-ink-2">{text.of(workload.held.message)}</p>}
    </ActionDrawer>
  )
}
