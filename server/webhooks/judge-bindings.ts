/** Bindings in namespaces that have a queue: they start suspended, and none is let go past a queue that is held. */
import { isWorkload } from '@/lib/domain/placement'
import { QUEUE_ANNOTATION } from '@/lib/domain/queue'
import { lateSuspensionRefusal } from '@/lib/kube/admission/suspension'
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import type { QueueHold, QueueObject } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { objectKey } from '@/lib/kube/object'
import type { JsonPatchOperation } from '@/lib/kube/patch'
import type { KubeClient } from '@/server/kube/client'
import { mayUser } from './access'
import type { Lines } from './lines'
import { type Decide, Refusal } from './review'

/** Suspends a new binding of a namespace that has a queue. */
export function suspendNewBindings(lines: Lines): Decide {
  return async ({ object, namespace = '' }) => {
    await lines.whenSynced()
    const queue = lines.queueOf(namespace)
    const binding = object as ResourceBinding
    return queue && waitsInLine(binding) ? suspension(binding, objectKey(queue)) : []
  }
}

/**
 * Workloads wait: what has replicas, or could have. What is only propagated (configuration, roles), what follows another
 * workload, and what comes with its clusters already passes.
 */
function waitsInLine({ spec }: ResourceBinding): boolean {
  return spec.placement !== undefined && isWorkload(spec) && !spec.clusters?.length
}

function suspension({ metadata, spec }: ResourceBinding, queue: string): JsonPatchOperation[] {
  const annotations = { ...metadata.annotations, [QUEUE_ANNOTATION]: queue }
  return [
    { op: 'add', path: '/spec/suspension', value: { ...spec.suspension, scheduling: true } },
    { op: 'add', path: '/metadata/annotations', value: annotations },
  ]
}

/** Refuses to suspend what has been scheduled. */
export const refuseLateSuspension: Decide = async ({ object, oldObject }) => {
  const refusal = lateSuspensionRefusal(object as ResourceBinding, oldObject as ResourceBinding)
  if (refusal) throw new Refusal(403, refusal)
  return []
}

/** Refuses to let a binding go while its queue is held, unless by somebody who could end the hold. */
export function refuseEvasion(client: KubeClient, lines: Lines): Decide {
  return async (request) => {
    await lines.whenSynced()
    const queue = lines.queueOf(request.namespace ?? '')
    const { hold } = queue?.spec ?? {}
    if (!queue || !hold || !isLetGo(request)) return []
    const { namespace = '', name } = queue.metadata
    if (await mayUser(client, request.userInfo, { verb: 'update', namespace, name })) return []
    throw new Refusal(403, evasion(queue, hold, request.userInfo.username))
  }
}

function isLetGo({ object, oldObject }: ReviewRequest): boolean {
  const [now, before] = [object, oldObject].map((state) => (state as ResourceBinding).spec.suspension?.scheduling === true)
  return !now && before === true
}

function evasion({ metadata }: QueueObject, { by, until, reason }: QueueHold, user: string): string {
  const who = `${by ? ` by ${by}` : ''}${until ? ` until ${until}` : ''}`
  return `spec.suspension.scheduling: queue ${metadata.namespace}/${metadata.name} is held${who} (${reason}), and ${user} may not `
    + `update that queue: nothing is let go past a hold. ${by ? `Ask ${by} to resume the queue` : 'Ask for the queue to be resumed'}`
}
