/**
 * Queues as schemas, for the HTTP API and its document: the views of `queue-model.ts` to the letter, and what orders
 * carry.
 */
import { z } from 'zod'
import { described } from '../described'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

const amountSchema = z
  .strictObject({ resource: z.string(), used: z.number(), quota: z.number().optional(), borrowed: z.number() })
  .meta({ id: 'QueueAmount', ...described('queues.api.amount') })

const holdSchema = z
  .strictObject({
    state: z.enum(['requested', 'effective', 'leaking', 'undone', 'resuming']),
    message: messageSchema,
    reason: z.string(),
    by: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    includePlaced: z.boolean(),
    affected: count,
    resume: z
      .strictObject({
        step: count,
        done: count,
        next: z.strictObject({ id: z.string(), ref: refSchema, message: messageSchema }).optional(),
      })
      .optional(),
    leaks: z.array(z.strictObject({ workload: refSchema, at: z.string().optional(), message: messageSchema })),
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
    unadmitted: count.optional(),
    createdAt: time,
  })
  .meta({ id: 'Queue' })

const pendingSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    position: count,
    priority: count,
    priorityClass: z.string().optional(),
    since: z.string(),
    demand: z.array(z.strictObject({ resource: z.string(), amount: z.number() })),
    reason: z.string(),
    message: messageSchema,
    next: z.boolean(),
    releaseAsked: z.strictObject({ who: z.string(), at: z.string().optional() }).optional(),
  })
  .meta({ id: 'PendingWorkload' })

const amounts = z.record(z.string().min(1), z.string().refine(isAmount, 'api.invalid.quantity'))

function isAmount(text: string): boolean {
  const quantity = tryParseQuantity(text)
  return quantity !== undefined && quantity.nano >= 0n
}

const settingFields = {
  namespaces: z.array(z.string()),
  strategy: strategySchema,
  weight: count,
  priorityClasses: z.array(z.strictObject({ name: z.string(), value: count, default: z.boolean().optional() })),
  quota: z
    .strictObject({
      hard: z.record(z.string(), z.string()).optional(),
      federatedResourceQuota: z.string().optional(),
      borrowingLimit: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  maxInFlight: count.optional(),
  onDelete: onDeleteSchema,
}

const settingsSchema = z.strictObject({ version: z.string(), ...settingFields }).meta({ id: 'QueueSettings' })

const placed = z.strictObject({ id: z.string(), ref: refSchema })

export const queueDetailSchema = z
  .strictObject({
    id: z.string(),
    queue: queueSchema,
    priorityClasses: z.array(z.strictObject({ name: z.string(), value: count, default: z.boolean() })),
    pendingWorkloads: z.array(pendingSchema),
    more: count,
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
    holdPreview: z.strictObject({ waiting: count, placed: count }),
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
