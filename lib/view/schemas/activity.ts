/** The activity as schemas, for the HTTP API and its document. Apart from the views, which browsers load. */
import { z } from 'zod'
import { described } from '../described'
import { sentenceSchema } from './fleet'

/** One part of an object that an act changed; values as JSON, secrets left out. */
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
    /** Known by the Event on its object only. */
    reported: z.literal(true).optional(),
  })
  .meta({ id: 'Activity' })

/** GET /api/v1/activity: whose, about what, since when, and what came of it. */
export const activityQuery = z.strictObject({
  user: z.string().min(1).optional(),
  object: z.string().min(1).optional().meta(described('api.schema.activity.object')),
  since: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
  result: resultSchema.optional(),
})
