/** Which writes of a binding bypass the hold or the order of its queue, for any user. */
import { isSchedulingSuspended } from '@/lib/domain/placement'
import { RESUMED_BY_ANNOTATION, ORDER_ANNOTATIONS } from '@/lib/domain/queue'
import { message, type Message } from '@/lib/messages'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { deepEqual } from '@/lib/std/equal'

/** Requests and priority of a pending binding, as the control plane derived them from template and policy. */
export const ASKED_FIELDS = ['replicas', 'replicaRequirements', 'components', 'placement', 'schedulePriority'] as const

/** Annotations that require a permission. Who made a binding free is noted by admission only. */
export const GUARDED_NOTES: readonly string[] = [...ORDER_ANNOTATIONS, RESUMED_BY_ANNOTATION]

/** A write of a binding: `old` is absent when it is created. */
export interface BindingWrite {
  object: ResourceBinding
  old?: ResourceBinding | undefined
}

/** What a write would do past its queue. */
export interface QueueBypass {
  field: string
  /** A clause. */
  effect: Message
}

/**
 * The first change that requires permission to update the queue; undefined for a write that leaves its order as it is.
 * Resuming what a user suspended while it ran changes no order, unless the queue is on hold.
 */
export function queueBypass({ object, old }: BindingWrite, isHeld: boolean): QueueBypass | undefined {
  const note = ORDER_ANNOTATIONS.find((name) => isNewNote(name, object, old))
  if (note) return { field: `metadata.annotations[${note}]`, effect: message('queues.bypass.order') }
  if (!old) return isSuspended(object) ? undefined : { field: 'spec', effect: message('queues.bypass.unqueued') }
  if (isOfAnother(object, old)) {
    return { field: 'spec.resource', effect: message('queues.bypass.otherWorkload') }
  }
  if (becomesFree(object, old) && (isHeld || !isPlaced(old))) {
    return { field: 'spec.suspension.scheduling', effect: message('queues.bypass.outOfOrder') }
  }
  if (!becomesFree(object, old) && isNewNote(RESUMED_BY_ANNOTATION, object, old)) {
    return { field: `metadata.annotations[${RESUMED_BY_ANNOTATION}]`, effect: message('queues.bypass.freedBy') }
  }
  const asked = isSuspended(old) && ASKED_FIELDS.find((field) => !deepEqual(object.spec[field], old.spec[field]))
  if (asked) return { field: `spec.${asked}`, effect: message('queues.bypass.request') }
  if (!isSuspended(object) || !isPlaced(object) || isPlaced(old)) return undefined
  return {
    field: object.spec.clusters?.length ? 'spec.clusters' : 'spec.requiredBy',
    effect: message('queues.bypass.placed'),
  }
}

const noteOf = (binding: ResourceBinding | undefined, name: string): string =>
  binding?.metadata.annotations?.[name] ?? ''
const isSuspended = ({ spec }: ResourceBinding): boolean => isSchedulingSuspended(spec)

/** True for a write after which the scheduler may place what it had to leave before. */
export const becomesFree = (object: ResourceBinding, old: ResourceBinding): boolean =>
  isSuspended(old) && !isSuspended(object)

const isNewNote = (name: string, object: ResourceBinding, old: ResourceBinding | undefined): boolean =>
  noteOf(object, name) !== noteOf(old, name)

/** What is required by others is sent to their clusters, too. */
const isPlaced = ({ spec: { clusters = [], requiredBy = [] } }: ResourceBinding): boolean =>
  clusters.length + requiredBy.length > 0

function isOfAnother(
  { spec: { resource } }: ResourceBinding,
  { spec: { resource: before } }: ResourceBinding,
): boolean {
  return resource.kind !== before.kind || resource.name !== before.name
}
