/** Bindings in namespaces that have a queue: they start suspended, and none bypasses its queue. */
import { isWorkload } from '@/lib/domain/placement'
import { formatSignature, RESUMED_BY_ANNOTATION, QUEUE_ANNOTATION, RELEASED_AT_ANNOTATION } from '@/lib/domain/queue'
import { suspensionRefusal } from '@/lib/kube/admission/suspension'
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import type { QueueObject } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { objectKey } from '@/lib/kube/object'
import type { JsonPatchOperation } from '@/lib/kube/patch'
import { english } from '@/lib/messages/english'
import { type Clock, formatTime } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { mayUser } from './access'
import type { QueueLookup } from './queue-lookup'
import { becomesFree, type BindingWrite, type QueueBypass, queueBypass } from './queue-bypass'
import { type Decide, Refusal } from './review'

/** Suspends a new binding of a namespace that has a queue. */
export function suspendNewBindings(lookup: QueueLookup): Decide {
  return async ({ object, namespace = '' }) => {
    await lookup.whenSynced()
    const queue = lookup.queueOf(namespace)
    const binding = object as ResourceBinding
    return queue && isQueued(binding) ? suspension(binding, objectKey(queue)) : []
  }
}

/**
 * Only workloads are queued: they have replicas, or could have. Propagated configuration and roles, dependent bindings
 * and bindings with clusters pass.
 */
function isQueued({ spec }: ResourceBinding): boolean {
  return spec.placement !== undefined && isWorkload(spec) && !spec.clusters?.length
}

function suspension({ metadata, spec }: ResourceBinding, queue: string): JsonPatchOperation[] {
  const annotations = { ...metadata.annotations, [QUEUE_ANNOTATION]: queue }
  return [
    { op: 'add', path: '/spec/suspension', value: { ...spec.suspension, scheduling: true } },
    { op: 'add', path: '/metadata/annotations', value: annotations },
  ]
}

/**
 * Records who resumed a binding that a queue suspends; a removed field has no owner that could be named. Checks the
 * change itself, because API servers before 1.28 ignore match conditions and send every update.
 */
export function recordResumer({ now }: Pick<Clock, 'now'>): Decide {
  return async ({ object, oldObject, userInfo, options }) => {
    if (!isResumedWithoutAdmission(object as ResourceBinding, oldObject as ResourceBinding)) return []
    const { fieldManager } = (options ?? {}) as { fieldManager?: string }
    const { metadata } = object as ResourceBinding
    const who = fieldManager ? `${userInfo.username} (${fieldManager})` : userInfo.username
    const note = formatSignature({ who, at: formatTime(now()) })
    const value = { ...metadata.annotations, [RESUMED_BY_ANNOTATION]: note }
    return [{ op: 'add', path: '/metadata/annotations', value }]
  }
}

/** A binding that a queue suspended becomes free without the note of a release, which queues always write. */
function isResumedWithoutAdmission(object: ResourceBinding, old: ResourceBinding): boolean {
  const releasedAt = ({ metadata }: ResourceBinding): string | undefined =>
    metadata.annotations?.[RELEASED_AT_ANNOTATION]
  const ofQueue = Boolean(old.metadata.annotations?.[QUEUE_ANNOTATION])
  return ofQueue && becomesFree(object, old) && releasedAt(object) === releasedAt(old)
}

/** Refuses to suspend a scheduled binding, and to resume one that a policy suspends. */
export const refuseSuspensionChange: Decide = async ({ object, oldObject }) => {
  const refusal = suspensionRefusal(object as ResourceBinding, oldObject as ResourceBinding)
  if (refusal) throw new Refusal(403, refusal)
  return []
}

/** Refuses what bypasses the hold or the order of a queue, unless the user may update that queue. */
export function refuseQueueBypass(client: KubeClient, lookup: QueueLookup): Decide {
  return async (request) => {
    await lookup.whenSynced()
    const queue = lookup.queueOf(request.namespace ?? '')
    const finding = queue && queueBypass(writeOf(request), queue.spec?.hold !== undefined)
    if (!queue || !finding) return []
    const { namespace = '', name } = queue.metadata
    if (await mayUser(client, request.userInfo, { verb: 'update', namespace, name })) return []
    throw new Refusal(403, refusalOf(queue, finding, request.userInfo.username))
  }
}

function writeOf({ object, oldObject }: ReviewRequest): BindingWrite {
  return { object: object as ResourceBinding, old: (oldObject ?? undefined) as ResourceBinding | undefined }
}

function refusalOf(
  { metadata: { namespace, name }, spec = {} }: QueueObject,
  { field, effect }: QueueBypass,
  user: string,
): string {
  const about = { field, user, queue: `${namespace}/${name}` }
  if (!spec.hold) return english('queues.bypass.refused', { ...about, effect })
  const { by = 'none', until = 'none', reason } = spec.hold
  return english('queues.bypass.refusedHeld', { ...about, by, until, reason })
}
