/** Reads the facts about a binding's admission. */
import { findCondition } from '@/lib/kube/conditions'
import type { PriorityClass } from '@/lib/kube/kinds/priority-class'
import type { QueueSpec } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { keyOf } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { type Amounts, demandOf, NOTHING, sharedAmounts, usageOf } from './amounts'
import {
  RESUMED_BY_ANNOTATION,
  HELD_PLACED_ANNOTATION,
  parseSignature,
  parseUndone,
  PRIORITY_CLASS_ANNOTATION,
  QUEUE_ANNOTATION,
  RELEASE_REQUESTED_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  BYPASSED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  UNDONE_ANNOTATION,
} from './annotations'
import type { BindingState, QueuedBinding } from './snapshot-model'
import { suspenderOf, suspendingPolicyOf, writerOfSuspension } from './suspender'

/** Facts that do not depend on the queue. */
interface Facts extends Omit<QueuedBinding, 'state' | 'priority' | 'priorityClass'> {
  deleting: boolean
  /** No placement: the binding exists because another one depends on it. */
  dependent: boolean
  /** Suspended, but not by a queue. */
  byHand: boolean
}

const known = new WeakMap<ResourceBinding, Facts>()

/** Reads a binding; cached by object. */
function factsOf(binding: ResourceBinding): Facts {
  const found = known.get(binding)
  if (found) return found
  const facts = read(binding)
  known.set(binding, facts)
  return facts
}

/** Resources that a binding uses in the fleet; the only relevant fact about bindings without a queue. */
export interface Load {
  /** `coming`: not suspended, and not processed by the scheduler yet. */
  is: 'placed' | 'coming' | 'none'
  demand: Amounts
}

const loads = new WeakMap<ResourceBinding, Load>()

/** Reads as little as possible, because most bindings of a large fleet have no queue. Cached by object. */
export function loadOf(binding: ResourceBinding): Load {
  const found = loads.get(binding)
  if (found) return found
  const { spec } = binding
  const is = isPlaced(binding) ? 'placed' : isComing(binding) ? 'coming' : 'none'
  const load: Load = { is, demand: is === 'placed' ? usageOf(spec) : is === 'coming' ? demandOf(spec) : NOTHING }
  loads.set(binding, load)
  return load
}

const isPlaced = ({ spec }: ResourceBinding): boolean => (spec.clusters ?? []).length > 0
const isSuspended = ({ spec }: ResourceBinding): boolean => spec.suspension?.scheduling === true

/** Reports whether the binding is not placed and the scheduler reported why. */
function isRefused(binding: ResourceBinding): boolean {
  const scheduled = findCondition(binding.status?.conditions, 'Scheduled')
  return !isPlaced(binding) && scheduled !== undefined && scheduled.status !== 'True'
}

const isComing = (binding: ResourceBinding): boolean =>
  !isPlaced(binding) && !isSuspended(binding) && binding.spec.placement !== undefined && !isRefused(binding)

/**
 * Returns the queue that alone keeps a binding suspended, by its annotation. A suspension by a policy is never ended by
 * a queue.
 */
export function keeperOf(binding: ResourceBinding): string | undefined {
  const { annotations = {} } = binding.metadata
  if (!isSuspended(binding) || annotations[SUSPENDED_BY_ANNOTATION] || suspendingPolicyOf(binding)) return undefined
  return annotations[QUEUE_ANNOTATION] || undefined
}

function read(binding: ResourceBinding): Facts {
  const { metadata, spec, status } = binding
  const { namespace = '', name, resourceVersion, creationTimestamp, annotations = {} } = metadata
  const [placed, suspended] = [isPlaced(binding), isSuspended(binding)]
  const byHand = suspended && keeperOf(binding) === undefined
  return {
    key: keyOf({ namespace, name }),
    namespace,
    name,
    resourceVersion,
    ref: templateOf(binding),
    demand: sharedAmounts(placed ? usageOf(spec) : demandOf(spec)),
    since: creationTimestamp,
    sinceMs: parseTime(creationTimestamp),
    suspended,
    placed,
    deleting: metadata.deletionTimestamp !== undefined,
    dependent: spec.placement === undefined,
    byHand,
    refused: isRefused(binding),
    slippedThrough: annotations[BYPASSED_ANNOTATION] !== undefined,
    heldPlaced: annotations[HELD_PLACED_ANNOTATION] !== undefined,
    ...present({
      notedQueue: annotations[QUEUE_ANNOTATION] || undefined,
      releasedAt: annotations[RELEASED_AT_ANNOTATION] || undefined,
      releasedBy: annotations[RELEASED_BY_ANNOTATION] || undefined,
      releaseRequested: parseSignature(annotations[RELEASE_REQUESTED_ANNOTATION]),
      lastScheduledTime: status?.lastScheduledTime,
      undone: parseUndone(annotations[UNDONE_ANNOTATION]),
      suspensionWriter:
        (suspended ? undefined : parseSignature(annotations[RESUMED_BY_ANNOTATION]))
        ?? writerOfSuspension(metadata.managedFields),
      suspendedBy: byHand ? suspenderOf(binding) : undefined,
    }),
  }
}

/** Returns the fields that are not undefined. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function templateOf({
  metadata: { namespace },
  spec: {
    resource: { apiVersion, kind, name },
  },
}: ResourceBinding): QueuedBinding['ref'] {
  return { apiVersion, kind, ...(namespace && { namespace }), name }
}

/** What the facts of a binding in a queue depend on besides the binding. */
export interface QueueContext {
  /** Absent in namespaces without a queue. */
  queue?: { key: string; createdAt: string }
  priorities: PriorityContext
}

function stateOf(facts: Facts, queue: QueueContext['queue']): BindingState {
  if (facts.deleting) return 'Deleting'
  if (facts.dependent) return 'Dependent'
  if (facts.suspended) return suspendedState(facts)
  if (facts.placed) return 'Admitted'
  if (queue && facts.notedQueue === queue.key && !facts.releasedAt) return 'TakenOut'
  if (queue && !facts.notedQueue && !facts.releasedAt && facts.since >= queue.createdAt) return 'SlippedThrough'
  return facts.refused ? 'Refused' : 'InFlight'
}

/** A user's annotation takes precedence over that of a queue, because a user may suspend an admitted workload later. */
function suspendedState({ byHand, placed }: Facts): BindingState {
  if (placed) return byHand ? 'PlacedSuspended' : 'HeldPlaced'
  return byHand ? 'SuspendedByOther' : 'Waiting'
}

export interface PriorityContext {
  classes: QueueSpec['priorityClasses']
  /** By name. */
  clusterClasses: ReadonlyMap<string, PriorityClass>
}

type Priority = Pick<QueuedBinding, 'priority' | 'priorityClass'>

/**
 * Returns the priority that decides the position: that of the class set by a user, otherwise `schedulePriority`,
 * otherwise that of the pods' PriorityClass, otherwise that of the queue's default class, otherwise 0.
 */
function priorityOf(binding: ResourceBinding, { classes = [], clusterClasses }: PriorityContext): Priority {
  const named = (name: string | undefined): Priority | undefined => {
    if (name === undefined) return undefined
    const value = classes.find((each) => each.name === name)?.value ?? clusterClasses.get(name)?.value
    return value === undefined ? undefined : { priority: value, priorityClass: name }
  }
  const { spec, metadata } = binding
  const own = spec.schedulePriority?.priority
  const fallback = classes.find((each) => each.default)
  return (
    named(metadata.annotations?.[PRIORITY_CLASS_ANNOTATION])
    ?? (own === undefined ? undefined : { priority: own })
    ?? named(spec.replicaRequirements?.priorityClassName) ?? {
      priority: fallback?.value ?? 0,
      ...(fallback && { priorityClass: fallback.name }),
    }
  )
}

function factsAlone(binding: ResourceBinding): Omit<Facts, 'deleting' | 'dependent' | 'byHand'> {
  const { deleting: _, dependent: __, byHand: ___, ...facts } = factsOf(binding)
  return facts
}

const queued = new WeakMap<ResourceBinding, { context: QueueContext; read: QueuedBinding }>()

/** Returns a binding as its queue treats it: the same object as before, unless something changed. */
export function queuedBindingOf(binding: ResourceBinding, context: QueueContext): QueuedBinding {
  const before = queued.get(binding)
  if (before?.context === context) return before.read
  const state = stateOf(factsOf(binding), context.queue)
  const priority = priorityOf(binding, context.priorities)
  const isSame =
    before?.read.state === state
    && before.read.priority === priority.priority
    && before.read.priorityClass === priority.priorityClass
  const read = isSame ? before.read : { ...factsAlone(binding), state, ...priority }
  queued.set(binding, { context, read })
  return read
}
