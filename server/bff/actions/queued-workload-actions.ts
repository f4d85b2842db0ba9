/** Actions on single workloads: admit one, change its priority class, suspend or resume one binding. */
import {
  parseSignature,
  PRIORITY_CLASS_ANNOTATION,
  QUEUE_ANNOTATION,
  type QueuedBinding,
  type QueuePlan,
  RELEASE_REQUESTED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  suspensionMessage,
  suspenderOf,
  suspendingPolicyOf,
  UNKNOWN_USER,
} from '@/lib/domain/queue'
import { english } from '@/lib/messages/english'
import { message, type Message } from '@/lib/messages'
import { isConflict } from '@/lib/kube/errors'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { parseKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { priorityPatch, releasePatch, suspendPatch, unsuspendPatch } from '@/lib/view/queue-patches'
import { workloadId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { QUEUES } from '../access/resources'
import type { EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { type Refusal, refuse } from '../http/refusal'
import { type ApiDeps, scopeIn, userOf } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { missing } from './fleet-endpoints'
import { type Ordered, refIn } from './queue-actions'

type Ref = { namespace: string; name: string }
type Call<B> = EndpointCall<B>

/**
 * Handles POST /api/v1/queues/{namespace}/{name}/release: the workload is admitted next, regardless of its position, if
 * the quota allows.
 */
export async function releaseWorkload(deps: ApiDeps, call: Call<{ workload: string }>): Promise<Ordered> {
  const { queue, waiting } = await waitingIn(deps, call, call.body.workload)
  const held = queue.spec.hold && !queue.spec.hold.resume ? 'yes' : 'no'
  await changeBinding(call, waiting, (binding) => {
    refuseUnlessPending(binding)
    refuseTwice(binding)
    return releasePatch(waiting, requesterOf(deps, call)).patch
  })
  return { ...refOf(waiting), message: english('queues.done.released', { held }) }
}

/** Handles POST /api/v1/queues/{namespace}/{name}/priority. */
export async function changePriority(
  deps: ApiDeps,
  call: Call<{ workload: string; priorityClass: string }>,
): Promise<Ordered> {
  const { workload, priorityClass } = call.body
  const { queue, waiting } = await waitingIn(deps, call, workload)
  refuseUnknownClass(deps, queue, priorityClass)
  await changeBinding(call, waiting, ({ metadata: { annotations = {} } }) => {
    if (annotations[PRIORITY_CLASS_ANNOTATION] === priorityClass) {
      throw nothing(message('queues.refused.sameClass', { class: priorityClass }))
    }
    return priorityPatch(waiting, priorityClass).patch
  })
  return { ...refOf(waiting), message: english('queues.done.prioritized', { class: priorityClass }) }
}

const nothing = (detail: Message): Refusal => refuse(409, 'NothingToDo', detail)

/** Handles POST /api/v1/bindings/{namespace}/{name}/suspend. */
export async function suspendBinding(deps: ApiDeps, call: Call<{ reason: string }>): Promise<Ordered> {
  const ref = refIn(call)
  await changeBinding(call, ref, (binding) => {
    const {
      spec: { clusters = [], suspension },
    } = binding
    if (clusters.length > 0) throw nothing(message('queues.refused.scheduled'))
    if (suspension?.scheduling && isByHand(binding)) {
      throw nothing(suspensionMessage(suspenderOf(binding)))
    }
    return suspendPatch(ref, { ...requesterOf(deps, call), reason: call.body.reason }).patch
  })
  return { ...ref, message: english('queues.done.suspended') }
}

/** Names the queue of a namespace only to readers who may list queues there: it may be in another namespace. */
function visibleQueue(queue: string | undefined, scope: Scope): Message {
  const { namespace } = parseKey(queue ?? '')
  return queue !== undefined && namespace !== undefined && scope.sees({ ...QUEUES, namespace })
    ? message('queues.named', { queue })
    : message('queues.itsQueue')
}

/** Handles POST /api/v1/bindings/{namespace}/{name}/resume. In a namespace with a queue the binding is queued again. */
export async function resumeBinding(deps: ApiDeps, call: Call<unknown>): Promise<Ordered> {
  const ref = refIn(call)
  const queue = deps.views.queuePlans.ownerOf(ref.namespace)
  const visible = visibleQueue(queue, await scopeIn(call))
  let done = english('queues.done.unsuspended')
  await changeBinding(call, ref, (binding) => {
    if (binding.spec.suspension?.scheduling !== true) throw nothing(message('queues.refused.notSuspended'))
    refuseIfByPolicy(binding)
    if (queue !== undefined && !isByHand(binding)) {
      throw nothing(message('queues.refused.pending', { queue: visible }))
    }
    if (queue === undefined || (binding.spec.clusters ?? []).length > 0) return unsuspendPatch(ref).patch
    done = english('queues.done.requeued', { queue: visible })
    return unsuspendPatch(ref, queue).patch
  })
  return { ...ref, message: done }
}

function isByHand({ metadata: { annotations = {} } }: ResourceBinding): boolean {
  return !annotations[QUEUE_ANNOTATION] || annotations[SUSPENDED_BY_ANNOTATION] !== undefined
}

/** A suspension by a policy is lifted in the policy; admission refuses to lift it on the binding. */
function refuseIfByPolicy(binding: ResourceBinding): void {
  if (suspendingPolicyOf(binding)) throw nothing(suspensionMessage(suspenderOf(binding)))
}

function refuseUnlessPending(binding: ResourceBinding): void {
  if (binding.spec.suspension?.scheduling !== true) throw nothing(message('queues.refused.notPending'))
  refuseIfByPolicy(binding)
  if (isByHand(binding)) throw nothing(message('queues.refused.byUser'))
}

/** The first user who requested the release stays on record. */
function refuseTwice({ metadata: { annotations = {} } }: ResourceBinding): void {
  const asked = parseSignature(annotations[RELEASE_REQUESTED_ANNOTATION])
  if (!asked) return
  throw nothing(message('queues.refused.requestedTwice', { who: asked.who, at: asked.at ?? 'none' }))
}

function refuseUnknownClass({ cache }: ApiDeps, { spec }: QueuePlan['queue'], name: string): void {
  const classes = spec.priorityClasses ?? []
  if (classes.some((each) => each.name === name) || cache.priorityClasses.get(name)) return
  const detail = message('queues.refused.unknownClass', {
    class: name,
    known: classes.length,
    classes: classes.map((each) => each.name),
  })
  throw refuse(400, 'Invalid', detail, { field: 'priorityClass' })
}

interface Waiting {
  queue: QueuePlan['queue']
  waiting: QueuedBinding
}

/** Returns a workload of a queue when the caller may see both; invisible objects count as missing. */
async function waitingIn(
  { views: { queues, queuePlans } }: ApiDeps,
  call: Call<unknown>,
  id: string,
): Promise<Waiting> {
  const { namespace, name } = refIn(call)
  const scope = await call.access.whenReviewed()
  const plan = queues.row(`${namespace}/${name}`, scope) && queuePlans.queue(`${namespace}/${name}`)
  if (!plan) throw missing('Queue', `${namespace}/${name}`)
  const waiting = plan.queue.bindings.find((each) => workloadId(each.ref) === id)
  if (!waiting) {
    throw refuse(404, 'NotFound', message('queues.refused.noWorkload', { workload: id }), { field: 'workload' })
  }
  return { queue: plan.queue, waiting }
}

/** Returns a merge patch, or throws a refusal. */
type PatchFor = (binding: ResourceBinding) => Record<string, unknown>

const TRIES = 4

/**
 * Performs one guarded write of a binding as the user. After a conflict the patch is computed again, because members
 * report all the time.
 */
async function changeBinding(call: Call<unknown>, { namespace, name }: Ref, patchFor: PatchFor): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await changeObject(call, { kind: resourceBinding, ref: { namespace, name } }, ({ object }) =>
        writeBinding(call, object, patchFor),
      )
    } catch (error) {
      if (!isConflict(error) || left <= 1) throw error
    }
  }
}

async function writeBinding(
  { principal: { client }, concerns }: Call<unknown>,
  object: ResourceBinding,
  patchFor: PatchFor,
): Promise<void> {
  const {
    apiVersion,
    kind,
    metadata: { namespace = '', name, uid, resourceVersion },
  } = object
  const about = { apiVersion, kind, namespace, name, uid }
  concerns({ object: about, before: suspensionOf(object) })
  const patch = patchFor(object)
  const value = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } }
  const after = await client.patch(
    resourceBinding,
    { namespace, name },
    { type: 'merge', value },
    { fieldManager: FIELD_MANAGER },
  )
  concerns({ object: about, before: suspensionOf(object), after: suspensionOf(after) })
}

/** The parts of a binding that these actions change. */
const suspensionOf = ({ spec, metadata: { annotations = {} } }: ResourceBinding) => ({
  suspension: spec.suspension ?? {},
  annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => key.startsWith('queue.evenkeel.io/'))),
})

const refOf = ({ namespace, name }: Ref): Ref => ({ namespace, name })

const requesterOf = (deps: ApiDeps, call: Call<unknown>) => ({
  who: userOf(call, deps) ?? UNKNOWN_USER,
  at: formatTime(deps.clock.now()),
})
