/** Schemas of notices as receivers get them, and of receivers as the console shows them. */
import { z } from 'zod'
import { described } from '../described'
import { INCIDENT_KINDS } from '../notices/incidents'
import { NOTICE_EVENTS } from '../notices/notices'
import { count, refSchema, time } from './fleet'

const SEVERITIES = ['info', 'warning', 'critical'] as const

/** Body of a webhook. `docs/notice.schema.json` is generated from it. */
export const noticePayloadSchema = z
  .strictObject({
    version: z.literal('1').meta(described('api.schema.notice.version')),
    id: z.string().meta(described('api.schema.notice.id')),
    event: z.enum([...NOTICE_EVENTS, 'Test']),
    at: time.meta(described('api.schema.notice.at')),
    severity: z.enum(SEVERITIES),
    text: z.string().meta(described('api.schema.notice.text')),
    url: z.string().meta(described('api.schema.notice.url')),
    incident: z
      .strictObject({
        id: z.string().meta(described('api.schema.notice.incident.id')),
        kind: z.enum(INCIDENT_KINDS),
        since: time.meta(described('api.schema.notice.since')),
        requested: z.boolean().meta(described('api.schema.notice.requested')),
        cluster: z.string().optional(),
        workload: refSchema.optional(),
        plan: z.string().optional().meta(described('api.schema.notice.plan')),
        blockedWorkloads: count.meta(described('api.schema.notice.blockedWorkloads')),
      })
      .optional()
      .meta(described('api.schema.notice.incident')),
  })
  .meta({ title: 'NoticeOfEvenkeel' })
export type NoticePayload = z.infer<typeof noticePayloadSchema>

const outcome = z.strictObject({
  at: time,
  result: z.enum(['sent', 'retrying', 'failed']),
  /** HTTP status, if there was an answer. */
  status: count.optional(),
  /** Why it failed. Never contains the address or a secret. */
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
    /** Number of notices queued for this receiver. */
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
