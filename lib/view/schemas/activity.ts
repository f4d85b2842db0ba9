/** Schemas of the activity, for the HTTP API and its document. Separate from the views, which browsers load. */
import { z } from 'zod'
import { described } from '../described'
import { sentenceSchema } from './fleet'

/** A part of an object that an action changed; values are JSON, without secrets. */
export const changeSchema = z
  .strictObject({
    path: z.string().meta(described('api.schema.change.path')),
    before: z.string().optional().meta(described('api.schema.change.before')),
    after: z.string().optional().meta(described('api.schema.change.after')),
    withheld: z.literal(true).optional().meta(described('api.schema.change.withheld')),
  })
  .meta({ id: 'Change' })

const resultSchema = z.enum(['accepted', 'refused', 'failed', 'unknown'])

const auditedObjectSchema = z
  .strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
    uid: z.string().optional(),
  })
  .meta({ id: 'ActivityObject' })

export const activitySchema = z
  .strictObject({
    id: z.string().meta(described('api.schema.activity.id')),
    at: z.string().meta({ format: 'date-time' }),
    user: z.string(),
    via: z.enum(['local', 'bearer', 'token', 'oidc']).meta(described('api.schema.activity.via')),
    endpoint: z.string().meta(described('api.schema.activity.endpoint')),
    summary: sentenceSchema,
    object: auditedObjectSchema.optional(),
    changes: z.array(changeSchema),
    result: resultSchema,
    status: z.number().int(),
    reason: z.string().optional().meta(described('api.schema.activity.reason')),
    detail: sentenceSchema.optional(),
    requestId: z.string(),
    durationMs: z.number().int(),
    /** Known only from the Event on its object. */
    reported: z.literal(true).optional(),
  })
  .meta({ id: 'Activity' })

/** GET /api/v1/activity: filters by user, object, start and result. */
export const activityQuery = z.strictObject({
  user: z.string().min(1).optional(),
  object: z.string().min(1).optional().meta(described('api.schema.activity.object')),
  since: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
  result: resultSchema.optional(),
})
