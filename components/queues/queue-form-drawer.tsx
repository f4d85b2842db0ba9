'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { QueueSettingsView } from '@/lib/view/queue-model'
import { message } from '@/lib/messages'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { Disclosure, Manifest } from '../plan/manifest'
import { ActionDrawer } from '../queue-actions/action-drawer'
import { createQueue, updateQueue } from '../queue-actions/queue-api'
import { checkDraft, draftOf, NEW_QUEUE, type QueueDraft, settingsOf } from './queue-form'
import { QueueFields } from './queue-fields'
import { queueHref } from '../hooks/queue-url'
import { ChangedMeanwhile, useOpened } from './use-opened'
import { useQueueAction } from '../queue-actions/use-queue-action'
import { useCanEditQueue, useCanCreateQueue } from '../queue-actions/use-queue-permissions'

const SETTLE_MS = 400
const UNKNOWN = { allowed: true, known: false }

/** The text once typing stopped for a moment, so that not every letter sends a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Creates a queue. */
export function NewQueueDrawer() {
  const text = useText()
  const router = useRouter()
  const [draft, setDraft] = useState(NEW_QUEUE)
  const errors = checkDraft(draft)
  const namespace = useSettled(draft.namespace)
  const right = useCanCreateQueue(namespace)
  const id = `${draft.namespace}/${draft.name}`
  const action = useQueueAction({
    words: text('queues.new.done', { queue: id }),
    about: id,
    seen: undefined,
    send: () => createQueue(draft, settingsOf(draft)),
    after: () => router.push(queueHref(id)),
  })
  const taken = useTakenNamespaces(draft, undefined)
  return (
    <ActionDrawer
      title={text('queues.new.title')}
      verb={text('queues.new.verb')}
      right={namespace === '' || namespace !== draft.namespace ? UNKNOWN : right}
      action={action}
      ready={Object.keys(errors).length === 0}
    >
      <QueueFields draft={draft} errors={errors} isNew taken={taken} onChange={setDraft} />
      <ManifestPreview draft={draft} valid={Object.keys(errors).length === 0} />
    </ActionDrawer>
  )
}

/** Changes a queue and keeps its hold. Says when another user changed the queue meanwhile. */
export function EditQueueDrawer({
  id,
  settings,
  onStartOver,
}: {
  id: { namespace: string; name: string }
  settings: QueueSettingsView
  onStartOver: () => void
}) {
  const text = useText()
  const { isSame } = useOpened({ ...settings, version: undefined })
  const [draft, setDraft] = useState(() => draftOf(id, settings))
  const errors = checkDraft(draft)
  const name = `${id.namespace}/${id.name}`
  const action = useQueueAction({
    words: text('queues.edit.verb'),
    about: name,
    seen: settings.version,
    send: () => updateQueue(id, { settings: settingsOf(draft), version: settings.version }),
  })
  const taken = useTakenNamespaces(draft, name)
  return (
    <ActionDrawer
      title={text('queues.edit.title', { queue: name })}
      verb={text('queues.edit.verb')}
      right={useCanEditQueue(id)}
      action={action}
      ready={isSame && Object.keys(errors).length === 0}
    >
      {!isSame && !action.asked && <ChangedMeanwhile now={message('queues.changed.queue')} onStartOver={onStartOver} />}
      <QueueFields draft={draft} errors={errors} isNew={false} taken={taken} onChange={setDraft} />
      <ManifestPreview draft={draft} valid={Object.keys(errors).length === 0} />
    </ActionDrawer>
  )
}

/** Namespaces of the draft that another queue includes already; admission refuses them. */
function useTakenNamespaces({ namespace, namespaces }: QueueDraft, own: string | undefined): string[] {
  const queues = useCollection('queues')
  const wanted = new Set([namespace, ...namespaces.split(/[\s,]+/)].filter((each) => each !== ''))
  return queues.items
    .filter(({ id }) => id !== own)
    .flatMap((queue) => queue.namespaces.filter((each) => wanted.has(each)).map((each) => `${each} (${queue.id})`))
}

/** The object that would be written. */
function ManifestPreview({ draft, valid }: { draft: QueueDraft; valid: boolean }) {
  const text = useText()
  if (!valid) return null
  const { namespace, name } = draft
  const object = {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'Queue',
    metadata: { name, namespace },
    spec: settingsOf(draft),
  }
  return (
    <Disclosure summary={text('queues.form.manifest')}>
      <Manifest value={object} label={text('queues.form.manifestLabel')} />
    </Disclosure>
  )
}
