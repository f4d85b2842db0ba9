/** The activity as schemas, for the HTTP API and its document. Apart from the views, which browsers load. */
import { z } from 'zod'
import { sentenceSchema } from './fleet'

/** One part of an object that an act changed; values as JSON, secrets left out. */
export const changeSchema = z
  .strictObject({
    path: z.string().meta({ description: '`hold.reason`, below the spec; empty for the whole of it.' }),
    before: z.string().optional().meta({ description: 'JSON; absent: it was not there.' }),
    after: z.string().optional().meta({ description: 'JSON; absent: it is gone.' }),
    withheld: z
      .literal(true)
      .optional()
      .meta({ description: 'The reader may not list such objects, so path and values are left out.' }),
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
    id: z.string().meta({ description: 'Sorts by time.' }),
    at: z.string().meta({ format: 'date-time' }),
    user: z.string(),
    via: z.enum(['local', 'bearer', 'token', 'oidc']).meta({ description: '`local`: nobody logs in there.' }),
    endpoint: z.string().meta({ description: '`POST /api/v1/queues/{namespace}/{name}/hold`' }),
    summary: sentenceSchema,
    object: auditedObjectSchema.optional(),
    changes: z.array(changeSchema),
    result: resultSchema,
    status: z.number().int(),
    reason: z.string().optional().meta({ description: 'Of the problem that was answered.' }),
    detail: sentenceSchema.optional(),
    requestId: z.string(),
    durationMs: z.number().int(),
  })
  .meta({ id: 'Activity' })

/** GET /api/v1/activity: whose, about what, since when, and what came of it. */
export const activityQuery = z.strictObject({
  user: z.string().min(1).optional(),
  object: z
    .string()
    .min(1)
    .optional()
    .meta({ description: '`Queue/lab/main`, or any part of `Kind/namespace/name`; capitals do not matter.' }),
  since: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
  result: resultSchema.optional(),
})
