/** Notices as receivers get them, and receivers as the console shows them. */
import { z } from 'zod'
import { INCIDENT_KINDS } from '../notices/incidents'
import { NOTICE_EVENTS } from '../notices/notices'
import { count, refSchema, time } from './fleet'

export const SEVERITIES = ['info', 'warning', 'critical'] as const

/** The body of a webhook. `docs/notice.schema.json` is made of it. */
export const noticePayloadSchema = z
  .strictObject({
    version: z.literal('1').describe('Version of this schema. New optional fields do not change it.'),
    id: z.string().describe('Names this event; a repeated delivery has the same one, also as header Idempotency-Key.'),
    event: z.enum([...NOTICE_EVENTS, 'Test']),
    at: time.describe('When the console noticed the event.'),
    severity: z.enum(SEVERITIES),
    text: z.string().describe('The event as one English sentence.'),
    url: z.string().describe('The page of the incident in the console.'),
    incident: z
      .strictObject({
        id: z.string().describe('The same in all events of one incident.'),
        kind: z.enum(INCIDENT_KINDS),
        since: time.describe('The first symptom.'),
        requested: z.boolean().describe('An operator requested it: a drain.'),
        cluster: z.string().optional(),
        workload: refSchema.optional(),
        plan: z.string().optional().describe('Name of the RebalancePlan.'),
        blockedWorkloads: count.describe('Workloads whose failover does not proceed by itself.'),
      })
      .optional()
      .describe('Absent in a test.'),
  })
  .meta({ title: 'Notice of Evenkeel' })
export type NoticePayload = z.infer<typeof noticePayloadSchema>

const outcome = z.strictObject({
  at: time,
  result: z.enum(['sent', 'retrying', 'failed']),
  /** HTTP status, if there was an answer. */
  status: count.optional(),
  /** Why it failed. Never the address or a secret. */
  error: z.string().optional(),
  attempts: count,
})
export type NoticeOutcome = z.infer<typeof outcome>

/** A receiver of notices, without its address and secrets. */
export const noticeReceiverSchema = z
  .strictObject({
    name: z.string(),
    type: z.enum(['webhook', 'alertmanager']),
    /** Host and port. */
    host: z.string(),
    kinds: z.array(z.enum(INCIDENT_KINDS)),
    events: z.array(z.enum(NOTICE_EVENTS)),
    /** Notices that wait for this receiver. */
    waiting: count,
    /** Absent before the first delivery. */
    last: outcome.optional(),
  })
  .meta({ id: 'NoticeReceiver' })
export type NoticeReceiverView = z.infer<typeof noticeReceiverSchema>

export const noticeReceiversSchema = z
  .strictObject({ receivers: z.array(noticeReceiverSchema) })
  .meta({ id: 'NoticeReceivers' })

export const noticeTestSchema = outcome.meta({ id: 'NoticeTest' })
