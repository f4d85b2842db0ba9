/** Queues: defaulting, validation, and changes that need more than the right to update. */
import { CAPACITY_ANNOTATION, namespacesAskedFor } from '@/lib/domain/queue'
import { duplicateField, type FieldError, forbiddenField, invalidField } from '@/lib/kube/field-error'
import type { QueueObject, QueueSpec } from '@/lib/kube/kinds/queue'
import { compareQuantity, tryParseQuantity, ZERO } from '@/lib/kube/quantity'
import { english } from '@/lib/messages/english'
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'

/** A write of a queue: `old` is absent when it is created. */
export interface QueueWrite {
  object: QueueObject
  old?: QueueObject | undefined
}

export interface Writer {
  user: string
  now: EpochMs
}

/**
 * Returns the queue with the author and time of its hold. Claims of the writer are dropped: both values stay while
 * reason and scope of the hold stay, and are otherwise set to the writer and the current time. Returns the same object
 * if nothing changes.
 */
export function stampHold({ object, old }: QueueWrite, { user, now }: Writer): QueueObject {
  const { hold } = object.spec ?? {}
  if (!hold) return object
  const before = old?.spec?.hold
  const same =
    before && before.reason === hold.reason && (before.includePlaced ?? false) === (hold.includePlaced ?? false)
  const { by, since } = same && before.by && before.since ? before : { by: user, since: formatTime(now) }
  if (hold.by === by && hold.since === since) return object
  return { ...object, spec: { ...object.spec, hold: { ...hold, by, since } } }
}

/** What is wrong with a queue. `others` are the queues that there are; the queue itself may be among them. */
export function validateQueueWrite(
  write: QueueWrite,
  { now, others }: { now: EpochMs; others: readonly QueueObject[] },
): FieldError[] {
  const { spec = {} } = write.object
  return [
    ...validateHold(write, now),
    ...validateAmounts('spec.quota.hard', spec.quota?.hard),
    ...validateAmounts('spec.quota.borrowingLimit', spec.quota?.borrowingLimit),
    ...validateClasses(spec.priorityClasses),
    ...validateNamespaces(write, others),
  ]
}

/** A hold that ended meanwhile must not stand in the way of other changes. */
function validateHold({ object, old }: QueueWrite, now: EpochMs): FieldError[] {
  const until = object.spec?.hold?.until
  if (until === undefined || until === old?.spec?.hold?.until || parseTime(until) > now) return []
  return [invalidField('spec.hold.until', until, english('queues.invalid.untilPast', { now: formatTime(now) }))]
}

function validateAmounts(field: string, amounts: Record<string, string | number> = {}): FieldError[] {
  return Object.entries(amounts).flatMap(([resource, amount]) => {
    const parsed = tryParseQuantity(amount)
    if (!parsed) return [invalidField(`${field}.${resource}`, amount, english('queues.invalid.quantity'))]
    return compareQuantity(parsed, ZERO) < 0
      ? [invalidField(`${field}.${resource}`, amount, english('queues.invalid.negative'))]
      : []
  })
}

function validateClasses(classes: NonNullable<QueueSpec>['priorityClasses'] = []): FieldError[] {
  const repeated = classes.flatMap(({ name }, index) =>
    classes.findIndex((other) => other.name === name) < index
      ? [duplicateField(`spec.priorityClasses[${index}].name`, name)]
      : [],
  )
  const defaults = classes.flatMap((one, index) => (one.default ? [index] : []))
  return [
    ...repeated,
    ...defaults
      .slice(1)
      .map((index) =>
        invalidField(
          `spec.priorityClasses[${index}].default`,
          true,
          english('queues.invalid.secondDefault', { name: classes[defaults[0]!]!.name }),
        ),
      ),
  ]
}

/** Other changes are allowed even if two queues already claim one namespace. */
function validateNamespaces({ object, old }: QueueWrite, others: readonly QueueObject[]): FieldError[] {
  const before = new Set(old ? namespacesAskedFor(old) : [])
  return namespacesAskedFor(object)
    .filter((namespace) => !before.has(namespace))
    .flatMap((namespace) => {
      const other = others.find((queue) => !isSame(queue, object) && namespacesAskedFor(queue).includes(namespace))
      return other ? [refusedClaim(object, namespace, other)] : []
    })
}

/** The other queue is named only if it lives in a namespace that this one claims: it may belong to another tenant. */
function refusedClaim(object: QueueObject, namespace: string, { metadata: other }: QueueObject): FieldError {
  const { metadata, spec = {} } = object
  const field =
    namespace === metadata.namespace ? 'metadata.namespace' : `spec.namespaces[${spec.namespaces?.indexOf(namespace)}]`
  const owner = namespacesAskedFor(object).includes(other.namespace ?? '') ? `${other.namespace}/${other.name}` : 'none'
  return invalidField(field, namespace, english('queues.invalid.namespaceTaken', { owner }))
}

function isSame(a: QueueObject, b: QueueObject): boolean {
  return a.metadata.namespace === b.metadata.namespace && a.metadata.name === b.metadata.name
}

/** A change that takes the right to create queues in `namespaces`. */
export interface GuardedChange {
  field: string
  namespaces: readonly string[]
}

const GUARDED = ['weight', 'quota', 'onDelete'] as const

/**
 * What a tenant may not change about its own queue: share, quota, what becomes of pending workloads, and whether the
 * capacity of the fleet counts require permission to create queues in its namespace; adding or removing a namespace
 * requires it there, too.
 */
export function guardedChanges({ object, old }: QueueWrite): GuardedChange[] {
  const home = object.metadata.namespace ?? ''
  const plain = GUARDED.filter((field) => old && !deepEqual(object.spec?.[field], old.spec?.[field]))
  const [before, after] = [old?.spec?.namespaces ?? [], object.spec?.namespaces ?? []]
  const moved = [...after.filter((name) => !before.includes(name)), ...before.filter((name) => !after.includes(name))]
  return [
    ...plain.map((field) => ({ field: `spec.${field}`, namespaces: [home] })),
    ...(old && capacityOf(object) !== capacityOf(old)
      ? [{ field: `metadata.annotations[${CAPACITY_ANNOTATION}]`, namespaces: [home] }]
      : []),
    ...(moved.length > 0 ? [{ field: 'spec.namespaces', namespaces: [...new Set([home, ...moved])] }] : []),
  ]
}

/** A queue that ignores capacity fills the scheduler with what does not fit, ahead of the workloads of other queues. */
const capacityOf = ({ metadata: { annotations = {} } }: QueueObject): string => annotations[CAPACITY_ANNOTATION] ?? ''

/** The refusal of a guarded change. */
export function refusedChange({ field }: GuardedChange, user: string, namespace: string): FieldError {
  return forbiddenField(field, english('queues.invalid.guarded', { user, namespace }))
}
