/** View models of the activity: user actions with their objects and results. */
import type { z } from 'zod'
import type { activityQuery, activitySchema, changeSchema } from './schemas/activity'

export type ChangeView = z.infer<typeof changeSchema>

/** One user action. `id` sorts by time. */
export type ActivityView = z.infer<typeof activitySchema>

/** GET /api/v1/activity: filters by user, object, start and result. */
export type ActivityQuery = z.infer<typeof activityQuery>

/**
 * `accepted`: the change was written; its effect shows on its object. `refused`: the server rejected the request, for
 * example because of missing permission. `failed`: the request ended with a server error. `unknown`: the server does
 * not know whether the change was written.
 */
export type ActivityResult = ActivityView['result']
export const activityResults = ['accepted', 'refused', 'failed', 'unknown'] as const satisfies readonly ActivityResult[]

/** Returns `Queue/lab/main`, or `Cluster/member1`. */
export function objectPath({ kind, namespace, name }: NonNullable<ActivityView['object']>): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/')
}

/** Reports whether an action matches a query. */
export function answersActivity({ user, object, at, result }: ActivityView, query: ActivityQuery): boolean {
  if (query.user !== undefined && query.user !== user) return false
  if (query.result !== undefined && query.result !== result) return false
  if (query.since !== undefined && Date.parse(at) < Date.parse(query.since)) return false
  return (
    query.object === undefined
    || (object !== undefined && objectPath(object).toLowerCase().includes(query.object.toLowerCase()))
  )
}
