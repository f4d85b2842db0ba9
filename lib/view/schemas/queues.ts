/**
 * Schemas of queues, for the HTTP API and its document: the views, from which `queue-model.ts` derives its types, and
 * the bodies of actions.
 */
import { z } from 'zod'
import { described } from '../described'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

export const amountSchema = z
  .strictObject({
    resource: z.string(),
    used: z.number(),
    /** Absent: unlimited. */
    quota: z.number().optional(),
    /** Usage beyond the quota, borrowed from other queues. */
    borrowed: z.number(),
  })
  .meta({ id: 'QueueAmount', ...described('queues.api.amount') })

export const holdSchema = z
  .strictObject({
    state: z.enum(['requested', 'effective', 'leaking', 'undone', 'resuming']),
    /** Explanation of the state, with numbers and names. */
    message: messageSchema,
    reason: z.string(),
    by: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    includePlaced: z.boolean(),
    /** Number of bindings that it holds. */
    affected: count,
    /**
     * With `resuming`: the step size, how many are admitted, and the next workload with its reason if there is no
     * progress.
     */
    resume: z
      .strictObject({
        step: count,
        done: count,
        next: z.strictObject({ id: z.string(), ref: refSchema, message: messageSchema }).optional(),
      })
      .optional(),
    leaks: z.array(z.strictObject({ workload: refSchema, at: z.string().optional(), message: messageSchema })),
    /** The last user who resumed held workloads (absent: unknown), how often, and the visible workloads. */
    undoneBy: z
      .strictObject({
        who: z.string().optional(),
        times: count,
        released: z.array(
          z.strictObject({
            id: z.string(),
            ref: refSchema,
            who: z.string().optional(),
            times: count,
            /** False once it is held again. */
            free: z.boolean(),
          }),
        ),
      })
      .optional(),
  })
  .meta({ id: 'QueueHold', ...described('queues.api.holdModel') })

const strategySchema = z.enum(['StrictFIFO', 'BestEffortFIFO'])
const onDeleteSchema = z.enum(['Release', 'Hold'])

export const queueSchema = z
  .strictObject({
    id: z.string(),
    namespace: z.string(),
    name: z.string(),
    namespaces: z.array(z.string()),
    state: stateViewSchema,
    strategy: strategySchema,
    weight: count,
    /**
     * Share of its admitted workloads in the fleet, by their dominant resource. `fair` depends on the weights of all
     * queues: absent for a reader who may not list them all.
     */
    share: z.strictObject({ resource: z.string(), part: z.number(), fair: z.number().optional() }).optional(),
    amounts: z.array(amountSchema),
    pending: count,
    inFlight: count,
    admitted: count,
    head: z.strictObject({ id: z.string(), ref: refSchema, message: messageSchema }).optional(),
    oldestWaitSince: z.string().optional(),
    hold: holdSchema.optional(),
    onDelete: onDeleteSchema,
    deleting: z.boolean(),
    slippedThrough: count,
    /** Number of pending workloads that have clusters although they were not admitted; absent: none. */
    unadmitted: count.optional(),
    createdAt: time,
  })
  .meta({ id: 'Queue' })

export const pendingSchema = z
  .strictObject({
    /** Workload ID, as in WorkloadView. */
    id: z.string(),
    ref: refSchema,
    /** From 1, in the current order of admission. */
    position: count,
    priority: count,
    priorityClass: z.string().optional(),
    since: z.string(),
    /** Requested resources. */
    demand: z.array(z.strictObject({ resource: z.string(), amount: z.number() })),
    /** Code of the reason, as in `lib/domain/queue`. */
    reason: z.string(),
    message: messageSchema,
    /** True when the controller would admit it now. */
    next: z.boolean(),
    /** Estimated admission: `between` two times, or why it is unknown. Absent in previews. */
    estimate: z
      .strictObject({
        kind: z.enum(['now', 'between', 'held', 'suspended', 'never', 'unknown']),
        from: z.string().optional(),
        to: z.string().optional(),
        message: messageSchema,
      })
      .optional(),
    /** Who requested to admit it next; it is admitted as soon as the quota allows. */
    releaseAsked: z.strictObject({ who: z.string(), at: z.string().optional() }).optional(),
  })
  .meta({ id: 'PendingWorkload' })

const amounts = z.record(z.string().min(1), z.string().refine(isAmount, 'api.invalid.quantity'))

function isAmount(text: string): boolean {
  const quantity = tryParseQuantity(text)
  return quantity !== undefined && quantity.nano >= 0n
}

const settingFields = {
  /** In addition to the namespace of the queue. */
  namespaces: z.array(z.string()),
  strategy: strategySchema,
  weight: count,
  priorityClasses: z.array(z.strictObject({ name: z.string(), value: count, default: z.boolean().optional() })),
  quota: z
    .strictObject({
      hard: z.record(z.string(), z.string()).optional(),
      federatedResourceQuota: z.string().optional(),
      /** Absent: borrowing is disabled; empty: all unused quota of other queues. */
      borrowingLimit: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  maxInFlight: count.optional(),
  onDelete: onDeleteSchema,
}

export const settingsSchema = z
  .strictObject({
    /** Version of the settings that were read. */
    version: z.string(),
    ...settingFields,
  })
  .meta({ id: 'QueueSettings' })

const placed = z.strictObject({ id: z.string(), ref: refSchema })

export const queueDetailSchema = z
  .strictObject({
    id: z.string(),
    queue: queueSchema,
    priorityClasses: z.array(z.strictObject({ name: z.string(), value: count, default: z.boolean() })),
    /** In the order of admission; at most 500, `more` is the number of the others. */
    pendingWorkloads: z.array(pendingSchema),
    more: count,
    /** Admitted and not yet scheduled. */
    inFlight: z.array(placed.extend({ releasedAt: z.string().optional() })),
    lastHold: z
      .strictObject({
        reason: z.string(),
        by: z.string().optional(),
        since: z.string().optional(),
        endedAt: z.string().optional(),
        endedBy: z.string().optional(),
      })
      .optional(),
    /** Workloads that a hold would affect now: pending ones, and placed ones (only with includePlaced). */
    holdPreview: z.strictObject({ waiting: count, placed: count }),
    /** Absent without permission to view the object. */
    settings: settingsSchema.optional(),
  })
  .meta({ id: 'QueueDetail' })

/** Effect of a hold now. */
export const holdPreviewSchema = z
  .strictObject({ waiting: z.array(placed), inFlight: z.array(placed), placed: z.array(placed), message: z.string() })
  .meta({ id: 'QueueHoldPreview', ...described('queues.api.holdPreviewModel') })

/** Order in which a resume would admit pending workloads. */
export const resumePreviewSchema = z
  .strictObject({ order: z.array(pendingSchema.extend({ stage: count })), more: count, stages: count })
  .meta({ id: 'QueueResumePreview' })

/** Answer to an action: its object, and what happens next. */
export const orderedSchema = z
  .strictObject({
    namespace: z.string(),
    name: z.string(),
    message: z.string().meta(described('queues.api.doneMessage')),
  })
  .meta({ id: 'Ordered' })

const MAX_LETTERS = 1024
const label = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'api.invalid.label')
const workload = z.string().min(1).max(1024).meta(described('queues.api.workloadId'))
const reason = z.string().trim().min(1).max(MAX_LETTERS)

/** POST …/hold. */
export const holdOrder = z.strictObject({
  reason,
  until: z.iso.datetime({ offset: true }).optional(),
  includePlaced: z.boolean().optional(),
})
/** POST …/resume. Without `step`: all at once. */
export const resumeOrder = z.strictObject({ step: z.number().int().min(1).max(2147483647).optional() })
/** POST …/release. */
export const releaseOrder = z.strictObject({ workload })
/** POST …/priority. */
export const priorityOrder = z.strictObject({ workload, priorityClass: z.string().min(1).max(253) })
/** POST …/suspend of a binding. */
export const suspendOrder = z.strictObject({ reason })

const specOrder = z
  .strictObject({
    namespaces: z.array(label).max(200).optional(),
    strategy: strategySchema.optional(),
    weight: z.number().int().min(1).max(1000).optional(),
    priorityClasses: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(253),
          value: z.number().int().min(-2147483648).max(2147483647),
          default: z.boolean().optional(),
        }),
      )
      .max(50)
      .optional(),
    quota: z
      .strictObject({
        hard: amounts.optional(),
        federatedResourceQuota: z.string().min(1).max(253).optional(),
        borrowingLimit: amounts.optional(),
      })
      .optional(),
    maxInFlight: z.number().int().min(1).max(2147483647).optional(),
    onDelete: onDeleteSchema.optional(),
  })
  .meta({ id: 'QueueOrder', ...described('queues.api.order') })

/** POST /api/v1/queues. */
export const createQueueOrder = z.strictObject({ namespace: label, name: label, spec: specOrder })
/** PUT of a queue: all of its settings; its hold is not changed. */
export const updateQueueOrder = z.strictObject({ spec: specOrder })
