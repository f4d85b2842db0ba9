/** Actions of users on queues: one guarded write each, as the user. The controller does the rest. */
import { namespacesAskedFor, UNKNOWN_USER } from '@/lib/domain/queue'
import { queue as queueKind, type QueueObject, type QueueSpec } from '@/lib/kube/kinds/queue'
import { formatTime, parseTime } from '@/lib/std/clock'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages'
import { holdPatch, type HoldOrder, resumePatch } from '@/lib/view/queue-patches'
import type { Answered, Audited, EndpointCall } from '../http/endpoint'
import { changeObject, versionOf } from '../http/precondition'
import { refuse } from '../http/refusal'
import { type ApiDeps, userOf } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'

/** The response of an action. */
export interface Ordered {
  namespace: string
  name: string
  /** What happens next. */
  message: string
}

export type QueueCall<B> = EndpointCall<B>
type Ref = { namespace: string; name: string }

export const refIn = ({ params: { namespace = '', name = '' } }: Pick<EndpointCall, 'params'>): Ref => ({
  namespace,
  name,
})

/** Handles POST /api/v1/queues/{namespace}/{name}/hold. */
export async function holdQueue(deps: ApiDeps, call: QueueCall<HoldOrder>): Promise<Ordered> {
  const { reason, until, includePlaced } = call.body
  if (until !== undefined && parseTime(until) <= deps.clock.now()) {
    throw refuse(400, 'Invalid', message('queues.refused.untilPast'), { field: 'until' })
  }
  const ref = refIn(call)
  const order = {
    reason,
    ...(until !== undefined && { until: formatTime(parseTime(until)) }),
    ...(includePlaced !== undefined && { includePlaced }),
  }
  let replaced: QueueSpec['hold']
  await changeQueue(call, ({ metadata, spec }) => {
    replaced = spec?.hold
    return patchUnder(call, metadata, holdPatch(ref, order).patch)
  })
  return { ...ref, message: english('queues.done.held', { replaced: replaced?.reason ?? 'none' }) }
}

/** Handles POST /api/v1/queues/{namespace}/{name}/resume. Also notes the user, for the record of the last hold. */
export async function resumeQueue(deps: ApiDeps, call: QueueCall<{ step?: number | undefined }>): Promise<Ordered> {
  const ref = refIn(call)
  const { step } = call.body
  const who = userOf(call, deps) ?? UNKNOWN_USER
  const at = formatTime(deps.clock.now())
  await changeQueue(call, ({ metadata, spec }) => {
    if (!spec?.hold)
      throw refuse(409, 'NothingToDo', message('queues.refused.notHeld', { queue: `${ref.namespace}/${ref.name}` }))
    return patchUnder(call, metadata, resumePatch(ref, step, { who, at }).patch)
  })
  return {
    ...ref,
    message: step === undefined ? english('queues.done.resumed') : english('queues.done.resuming', { step }),
  }
}

/** Handles POST /api/v1/queues. */
export async function createQueue({
  principal: { client },
  body,
  concerns,
}: QueueCall<Ref & { spec: QueueSpec }>): Promise<Answered<Ordered>> {
  const { namespace, name, spec } = body
  const { apiVersion, kind } = identity
  concerns({ object: { apiVersion, kind, namespace, name } })
  const created = await client.create(
    queueKind,
    { apiVersion, kind, metadata: { namespace, name }, spec },
    { fieldManager: FIELD_MANAGER },
  )
  concerns({ object: objectOf(created), after: created.spec })
  const done = english('queues.done.created', { namespaces: namespacesAskedFor(created) })
  return { body: { namespace, name, message: done }, status: 201, version: versionOf(created.metadata) }
}

/** Handles PUT /api/v1/queues/{namespace}/{name}: replaces all settings. The hold has its own actions and is kept. */
export async function updateQueue(call: QueueCall<{ spec: QueueSpec }>): Promise<Answered<Ordered>> {
  const after = await changeQueue(call, (found) => {
    const spec = { ...call.body.spec, ...(found.spec?.hold && { hold: found.spec.hold }) }
    return call.principal.client.update(queueKind, { ...found, spec }, { fieldManager: FIELD_MANAGER })
  })
  const body = { ...refIn(call), message: english('queues.done.updated') }
  return { body, version: versionOf(after.metadata) }
}

/**
 * Handles DELETE /api/v1/queues/{namespace}/{name}. The controller handles the suspended bindings before the queue is
 * removed.
 */
export async function deleteQueue(call: QueueCall<undefined>): Promise<Ordered> {
  const {
    principal: { client },
    concerns,
  } = call
  const onDelete = await changeObject(call, { kind: queueKind, ref: refIn(call) }, async ({ object, lock }) => {
    concerns({ object: objectOf(object), before: object.spec })
    refuseWhenLeaving(object)
    await client.delete(queueKind, refIn(call), { preconditions: { uid: object.metadata.uid, ...lock } })
    return object.spec?.onDelete
  })
  return { ...refIn(call), message: english(`queues.done.deleted${onDelete ?? 'Release'}`) }
}

const identity = { apiVersion: `${queueKind.group}/${queueKind.version}`, kind: queueKind.kind }
const objectOf = ({ metadata: { namespace, name, uid } }: QueueObject): Audited['object'] => ({
  ...identity,
  ...(namespace && { namespace }),
  name,
  uid,
})

/** Changes a queue that is not being deleted; the audit record holds the spec before and after. */
function changeQueue(
  call: EndpointCall<unknown>,
  write: (found: QueueObject) => Promise<QueueObject>,
): Promise<QueueObject> {
  let first: QueueObject | undefined
  return changeObject(call, { kind: queueKind, ref: refIn(call), guarded: true }, async ({ object }) => {
    first ??= object
    call.concerns({ object: objectOf(object), before: first.spec })
    refuseWhenLeaving(object)
    const after = await write(object)
    call.concerns({ object: objectOf(object), before: first.spec, after: after.spec })
    return after
  })
}

function refuseWhenLeaving({ metadata: { deletionTimestamp } }: QueueObject): void {
  if (deletionTimestamp) throw refuse(409, 'NothingToDo', message('queues.refused.deleting'))
}

/** Applies a merge patch only to the version that was read. */
function patchUnder(
  { principal: { client }, ...call }: EndpointCall<unknown>,
  { resourceVersion }: QueueObject['metadata'],
  patch: Record<string, unknown>,
): Promise<QueueObject> {
  const value = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } }
  return client.patch(queueKind, refIn(call), { type: 'merge', value }, { fieldManager: FIELD_MANAGER })
}
