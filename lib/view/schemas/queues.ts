/**
 * Queues as schemas, for the HTTP API and its document: the views, from which `queue-model.ts` derives its types, and
 * what orders carry.
 */
import { z } from 'zod'
import { described } from '../described'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

export const amountSchema = z
  .strictObject({
    resource: z.string(),
    used: z.number(),
    /** Absent: without limit. */
    quota: z.number().optional(),
    /** Beyond the quota, from what others leave unused. */
    borrowed: z.number(),
  })
  .meta({ id: 'QueueAmount', ...described('queues.api.amount') })

export const holdSchema = z
  .strictObject({
    state: z.enum(['requested', 'effective', 'leaking', 'undone', 'resuming']),
    /** What the state means here, with numbers and names. */
    message: messageSchema,
    reason: z.string(),
    by: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    includePlaced: z.boolean(),
    /** Bindings that it holds. */
    affected: count,
    /** With `resuming`: how many at a time, how many are admitted, and the next one with its reason while none progresses. */
    resume: z
      .strictObject({
        step: count,
        done: count,
        next: z.strictObject({ id: z.string(), ref: refSchema, message: messageSchema }).optional(),
      })
      .optional(),
    leaks: z.array(z.strictObject({ workload: refSchema, at: z.string().optional(), message: messageSchema })),
    /** Who released held workloads last (absent: unknown), how often, and which of those that the reader sees. */
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
     * Part of the fleet that its admitted workloads take, by the resource that they take most of. `fair` depends on the
     * weights of all queues: absent for a reader who may not list them all.
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
    /** Pending workloads that have clusters although nothing admitted them; absent: none. */
    unadmitted: count.optional(),
    createdAt: time,
  })
  .meta({ id: 'Queue' })

export const pendingSchema = z
  .strictObject({
    /** Id of the workload, as in WorkloadView. */
    id: z.string(),
    ref: refSchema,
    /** From 1, in the order in which they will be released as things stand. */
    position: count,
    priority: count,
    priorityClass: z.string().optional(),
    since: z.string(),
    /** What it asks for. */
    demand: z.array(z.strictObject({ resource: z.string(), amount: z.number() })),
    /** The code of the reason, as in `lib/domain/queue`. */
    reason: z.string(),
    message: messageSchema,
    /** True when the controller would admit it now. */
    next: z.boolean(),
    /** When it is likely to be admitted: `between` two times, or why that is not known. Absent in previews. */
    estimate: z
      .strictObject({
        kind: z.enum(['now', 'between', 'held', 'suspended', 'never', 'unknown']),
        from: z.string().optional(),
        to: z.string().optional(),
        message: messageSchema,
      })
      .optional(),
    /** Who asked to admit it next; it is admitted as soon as the quota allows. */
    releaseAsked: z.strictObject({ who: z.string(), at: z.string().optional() }).optional(),
  })
  .meta({ id: 'PendingWorkload' })

const amounts = z.record(z.string().min(1), z.string().refine(isAmount, 'api.invalid.quantity'))

function isAmount(text: string): boolean {
  const quantity = tryParseQuantity(text)
  return quantity !== undefined && quantity.nano >= 0n
}

const settingFields = {
  /** Besides the namespace that the queue is in. */
  namespaces: z.array(z.string()),
  strategy: strategySchema,
  weight: count,
  priorityClasses: z.array(z.strictObject({ name: z.string(), value: count, default: z.boolean().optional() })),
  quota: z
    .strictObject({
      hard: z.record(z.string(), z.string()).optional(),
      federatedResourceQuota: z.string().optional(),
      /** Absent: nothing may be borrowed; empty: everything that others leave unused. */
      borrowingLimit: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  maxInFlight: count.optional(),
  onDelete: onDeleteSchema,
}

export const settingsSchema = z
  .strictObject({
    /** The resourceVersion that this was read at. */
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
    /** In the order of release; at most 500, `more` says how many follow. */
    pendingWorkloads: z.array(pendingSchema),
    more: count,
    /** Released and not yet scheduled. */
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
    /** What a hold would affect now: pending workloads, and placed ones (only with includePlaced). */
    holdPreview: z.strictObject({ waiting: count, placed: count }),
    /** Absent where the reader may not see the object. */
    settings: settingsSchema.optional(),
  })
  .meta({ id: 'QueueDetail' })

/** What a hold would do now. */
export const holdPreviewSchema = z
  .strictObject({ waiting: z.array(placed), inFlight: z.array(placed), placed: z.array(placed), message: z.string() })
  .meta({ id: 'QueueHoldPreview', ...described('queues.api.holdPreviewModel') })

/** In which order a resume would release what waits. */
export const resumePreviewSchema = z
  .strictObject({ order: z.array(pendingSchema.extend({ stage: count })), more: count, stages: count })
  .meta({ id: 'QueueResumePreview' })

/** What an order answers: what it is about, and what happens next. */
export const orderedSchema = z
  .strictObject({
    namespace: z.string(),
    name: z.string(),
    message: z.string().meta(described('queues.api.doneMessage')),
  })
  .meta({ id: 'Ordered' })

const MOST_LETTERS = 1024
const label = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'api.invalid.label')
const workload = z.string().min(1).max(1024).meta(described('queues.api.workloadId'))
const reason = z.string().trim().min(1).max(MOST_LETTERS)

/** POST …/hold. */
export const holdOrder = z.strictObject({
  reason,
  until: z.iso.datetime({ offset: true }).optional(),
  includePlaced: z.boolean().optional(),
})
/** POST …/resume. Without `step`: everything at once. */
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
/** PUT of a queue: its settings as a whole; its hold stays as it is. */
export const updateQueueOrder = z.strictObject({ spec: specOrder })
