/** View models of the activity: who did what to which object, and what came of it. */
import { z } from 'zod'

/** One part of an object that an act changed; values as JSON, secrets left out. */
const changeSchema = z.strictObject({
  path: z.string().meta({ description: '`hold.reason`, below the spec; empty for the whole of it.' }),
  before: z.string().optional().meta({ description: 'JSON; absent: it was not there.' }),
  after: z.string().optional().meta({ description: 'JSON; absent: it is gone.' }),
}).meta({ id: 'Change' })
export type ChangeView = z.infer<typeof changeSchema>

export const activityResults = ['accepted', 'refused', 'failed', 'unknown'] as const
/**
 * `accepted`: it was written as asked; what comes of it shows on its object. `refused`: it was not permitted or made no
 * sense. `failed`: something broke. `unknown`: nobody can tell what became of it.
 */
export type ActivityResult = (typeof activityResults)[number]

export const auditedObjectSchema = z
  .strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
    uid: z.string().optional(),
  })
  .meta({ id: 'ActivityObject' })

export const activitySchema = z.strictObject({
  id: z.string().meta({ description: 'Sorts by time.' }),
  at: z.string().meta({ format: 'date-time' }),
  user: z.string(),
  via: z.enum(['local', 'bearer', 'token', 'oidc']).meta({ description: '`local`: nobody logs in there.' }),
  endpoint: z.string().meta({ description: '`POST /api/v1/queues/{namespace}/{name}/hold`' }),
  summary: z.string(),
  object: auditedObjectSchema.optional(),
  changes: z.array(changeSchema),
  result: z.enum(activityResults),
  status: z.number().int(),
  reason: z.string().optional().meta({ description: 'Of the problem that was answered.' }),
  detail: z.string().optional(),
  requestId: z.string(),
  durationMs: z.number().int(),
}).meta({ id: 'Activity' })

/** One act of a user. `id` sorts by time. */
export type ActivityView = z.infer<typeof activitySchema>

/** GET /api/v1/activity: whose, about what, since when, and what came of it. */
export const activityQuery = z.strictObject({
  user: z.string().min(1).optional(),
  object: z
    .string()
    .min(1)
    .optional()
    .meta({ description: '`Queue/lab/main`, or any part of `Kind/namespace/name`; capitals do not matter.' }),
  since: z.iso.datetime({ offset: true, error: 'is not a time such as 2026-11-21T09:00:00Z' }).optional(),
  result: z.enum(activityResults).optional(),
})
export type ActivityQuery = z.infer<typeof activityQuery>

/** `Queue/lab/main`, or `Cluster/member1`. */
export function objectPath({ kind, namespace, name }: NonNullable<ActivityView['object']>): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/')
}

/** Whether an act answers a question. */
export function answersActivity({ user, object, at, result }: ActivityView, query: ActivityQuery): boolean {
  if (query.user !== undefined && query.user !== user) return false
  if (query.result !== undefined && query.result !== result) return false
  if (query.since !== undefined && Date.parse(at) < Date.parse(query.since)) return false
  return (
    query.object === undefined
    || (object !== undefined && objectPath(object).toLowerCase().includes(query.object.toLowerCase()))
  )
}
