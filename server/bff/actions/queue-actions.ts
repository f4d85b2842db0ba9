/** What people ask of queues: one guarded write each, as the user. The loop does the rest. */
import { namespacesAskedFor } from '@/lib/domain/queue'
import { queue as queueKind, type QueueObject, type QueueSpec } from '@/lib/kube/kinds/queue'
import { formatTime, parseTime } from '@/lib/std/clock'
import { formatNumberOf } from '@/lib/format/numbers'
import { holdPatch, type HoldOrder, resumePatch } from '@/lib/view/queue-patches'
import type { Answered, Audited, EndpointCall } from '../http/endpoint'
import { changeObject, versionOf } from '../http/precondition'
import { refuse } from '../http/refusal'
import { type ApiDeps, userOf } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'

/** What an order answers. */
export interface Ordered {
  namespace: string
  name: string
  /** What happens next. */
  message: string
}

export type QueueCall<B> = EndpointCall<B>
type Ref = { namespace: string; name: string }

export const refIn = ({ params: { namespace = '', name = '' } }: Pick<EndpointCall, 'params'>): Ref => ({
  namespace, name,
})

/** POST /api/v1/queues/{namespace}/{name}/hold. */
export async function holdQueue(deps: ApiDeps, call: QueueCall<HoldOrder>): Promise<Ordered> {
  const { reason, until, includePlaced } = call.body
  if (until !== undefined && parseTime(until) <= deps.clock.now()) {
    throw refuse(400, 'Invalid', 'until: lies in the past. Choose a later end, or none.', { field: 'until' })
  }
  const ref = refIn(call)
  const order = {
    reason, ...(until !== undefined && { until: formatTime(parseTime(until)) }),
    ...(includePlaced !== undefined && { includePlaced }),
  }
  let replaced: QueueSpec['hold']
  await changeQueue(call, ({ metadata, spec }) => {
    replaced = spec?.hold
    return patchUnder(call, metadata, holdPatch(ref, order).patch)
  })
  return {
    ...ref,
    message: `The pause is asked for.${replacing(replaced)} It is effective once the loop has suspended what is still on `
      + 'its way; the page says when.',
  }
}

/** Who pauses what is paused already should know whose reason is no longer shown. */
function replacing(hold: QueueSpec['hold']): string {
  return hold ? ` It takes the place of the pause${hold.by ? ` by ${hold.by}` : ''}: ${hold.reason}.` : ''
}

/** POST /api/v1/queues/{namespace}/{name}/resume. Who did it is noted beside, for the record of the last hold. */
export async function resumeQueue(deps: ApiDeps, call: QueueCall<{ step?: number | undefined }>): Promise<Ordered> {
  const ref = refIn(call)
  const { step } = call.body
  const who = userOf(call, deps) ?? 'somebody'
  const at = formatTime(deps.clock.now())
  await changeQueue(call, ({ metadata, spec }) => {
    if (!spec?.hold) throw refuse(409, 'NothingToDo', `The queue ${ref.namespace}/${ref.name} is not paused.`)
    return patchUnder(call, metadata, resumePatch(ref, step, { who, at }).patch)
  })
  const message = step === undefined
    ? 'The pause is lifted. What waits is released in its order, as far as quota and room allow.'
    : `The pause is being lifted: ${formatNumberOf(step, 'workload')} at a time, the next when the scheduler has `
      + 'answered for the last.'
  return { ...ref, message }
}

/** POST /api/v1/queues. */
export async function createQueue(
  { principal: { client }, body, concerns }: QueueCall<Ref & { spec: QueueSpec }>,
): Promise<Answered<Ordered>> {
  const { namespace, name, spec } = body
  const { apiVersion, kind } = identity
  concerns({ object: { apiVersion, kind, namespace, name } })
  const created = await client.create(
    queueKind, { apiVersion, kind, metadata: { namespace, name }, spec }, { fieldManager: FIELD_MANAGER },
  )
  concerns({ object: objectOf(created), after: created.spec })
  const message =
    `New workloads in ${namespacesAskedFor(created).join(', ')} wait in this line from now on; those that are placed stay.`
  return { body: { namespace, name, message }, status: 201, version: versionOf(created.metadata) }
}

/** PUT /api/v1/queues/{namespace}/{name}: the settings as a whole. The hold has its own orders and stays. */
export async function updateQueue(call: QueueCall<{ spec: QueueSpec }>): Promise<Answered<Ordered>> {
  const after = await changeQueue(call, (found) => {
    const spec = { ...call.body.spec, ...(found.spec?.hold && { hold: found.spec.hold }) }
    return call.principal.client.update(queueKind, { ...found, spec }, { fieldManager: FIELD_MANAGER })
  })
  const body = { ...refIn(call), message: 'The queue is changed. The line is planned anew at once.' }
  return { body, version: versionOf(after.metadata) }
}

/** DELETE /api/v1/queues/{namespace}/{name}. What waits is seen to before it goes. */
export async function deleteQueue(call: QueueCall<undefined>): Promise<Ordered> {
  const { principal: { client }, concerns } = call
  const onDelete = await changeObject(call, { kind: queueKind, ref: refIn(call) }, async ({ object, lock }) => {
    concerns({ object: objectOf(object), before: object.spec })
    refuseWhenLeaving(object)
    await client.delete(queueKind, refIn(call), { preconditions: { uid: object.metadata.uid, ...lock } })
    return object.spec?.onDelete
  })
  const message = onDelete === 'Hold'
    ? 'The queue is being deleted. What waits stays suspended until somebody resumes each of them.'
    : 'The queue is being deleted. What waits is released first, in its order.'
  return { ...refIn(call), message }
}

const identity = { apiVersion: `${queueKind.group}/${queueKind.version}`, kind: queueKind.kind }
const objectOf = ({ metadata: { namespace, name, uid } }: QueueObject): Audited['object'] =>
  ({ ...identity, ...(namespace && { namespace }), name, uid })

/** What is asked of a queue that is there to stay, on record with the spec before and after. */
function changeQueue(
  call: EndpointCall<unknown>, write: (found: QueueObject) => Promise<QueueObject>,
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
  if (deletionTimestamp) throw refuse(409, 'NothingToDo', 'The queue is being deleted already. Wait until it is gone.')
}

/** A merge patch that meets only the version that was read. */
function patchUnder(
  { principal: { client }, ...call }: EndpointCall<unknown>, { resourceVersion }: QueueObject['metadata'],
  patch: Record<string, unknown>,
): Promise<QueueObject> {
  const value = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } }
  return client.patch(queueKind, refIn(call), { type: 'merge', value }, { fieldManager: FIELD_MANAGER })
}
