'use client'
import { useState } from 'react'
import type { WorkloadView } from '@/lib/view/model'
import { suspendPatch, unsuspendPatch } from '@/lib/view/queue-patches'
import { ActButton } from '../commands/act-button'
import { nameOf } from '../hooks/filter'
import { useUrlState } from '../hooks/use-url-state'
import { ActionDrawer } from '../queues/action-drawer'
import { useAsked } from '../status/asked'
import { resumeBinding, suspendBinding } from '../queues/queue-api'
import { useRequester } from '../queues/use-requester'
import { useQueueAction } from '../queues/use-queue-action'
import { useCanSteerBindings } from '../queues/use-queue-permissions'
import { queueHref } from '../queues/queue-url'
import { AskedFor } from '../status/asked-for'
import { buttonClass } from '../ui/button'
import { TextArea } from '../ui/field'
import { Link } from '../ui/link'
import { suspensionAct } from './suspension'

const WORDS = { suspend: 'Suspend scheduling', resume: 'Resume scheduling' }

/** Suspends or resumes the scheduling of this one workload; says why where that cannot be. */
export function SuspensionButton({ workload }: { workload: WorkloadView }) {
  const { navigate } = useUrlState()
  const { action, refusal, queue } = suspensionAct(workload)
  const right = useCanSteerBindings(workload.binding.namespace ?? '', workload.binding.name)
  const asked = useAsked().askedOf(workload.id, workload.suspended)
  if (queue !== undefined) {
    return (
      <Link href={queueHref(queue)} className={buttonClass()} title={refusal}>
        Open its queue
      </Link>
    )
  }
  return (
    <>
      <AskedFor words={asked} />
      <ActButton
        command={`${WORDS[action]} of this workload…`}
        right={refusal === undefined ? right : { allowed: false, reason: refusal }}
        onAct={() => navigate({ do: action })}
      >
        {WORDS[action]}…
      </ActButton>
    </>
  )
}

/** The panel that the button opens, with `?do=`. */
export function SuspensionDrawer({ workload }: { workload: WorkloadView }) {
  const { get } = useUrlState()
  const { action, refusal } = suspensionAct(workload)
  const { namespace, name } = workload.binding
  if (get('do') !== action || refusal !== undefined || namespace === undefined) return null
  return action === 'suspend' ? (
    <Suspend workload={workload} binding={{ namespace, name }} />
  ) : (
    <Resume workload={workload} binding={{ namespace, name }} />
  )
}

interface ActProps {
  workload: WorkloadView
  binding: { namespace: string; name: string }
}

function Suspend({ workload, binding }: ActProps) {
  const [text, setText] = useState('')
  const requester = useRequester()
  const reason = text.trim()
  const action = useQueueAction({
    words: WORDS.suspend,
    about: workload.id,
    seen: workload.suspended,
    send: () => suspendBinding(binding, reason),
  })
  return (
    <ActionDrawer
      title={`${WORDS.suspend}: ${nameOf(workload.ref)}`}
      verb="Suspend"
      right={useCanSteerBindings(binding.namespace, binding.name)}
      action={action}
      ready={reason !== ''}
      patch={suspendPatch(binding, { ...requester, reason })}
    >
      <p>The scheduler leaves it alone until somebody resumes it. Nothing runs of it yet, so nothing stops.</p>
      <p className="text-ink-2">
        If the scheduler is faster than this order, the control plane refuses it: what has been scheduled cannot be
        suspended.
      </p>
      <TextArea
        label="Reason (required)"
        hint="Everybody who sees this workload reads it."
        value={text}
        maxLength={1024}
        required
        onChange={(event) => setText(event.target.value)}
      />
    </ActionDrawer>
  )
}

function Resume({ workload, binding }: ActProps) {
  const queue = workload.cells.some(({ role }) => role === 'placed') ? undefined : workload.held?.queue
  const action = useQueueAction({
    words: WORDS.resume,
    about: workload.id,
    seen: workload.suspended,
    send: () => resumeBinding(binding),
  })
  return (
    <ActionDrawer
      title={`${WORDS.resume}: ${nameOf(workload.ref)}`}
      verb="Resume"
      right={useCanSteerBindings(binding.namespace, binding.name)}
      action={action}
      ready
      patch={unsuspendPatch(binding, queue)}
    >
      <p>
        {queue === undefined
          ? 'The scheduler places it as soon as it can.'
          : `It takes its place in the line of ${queue}, which releases it in its turn.`}{' '}
        Once it is placed it cannot be suspended again.
      </p>
      {workload.held && <p className="text-ink-2">{workload.held.sentence}</p>}
    </ActionDrawer>
  )
}
