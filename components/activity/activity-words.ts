/** Results, filters and addresses of the activity log. */
import type { ActivityQuery, ActivityResult, ActivityView } from '@/lib/view/activity-model'
import { activityResults } from '@/lib/view/activity-model'
import type { State } from '@/lib/view/model'
import { parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { queueHref } from '../hooks/queue-url'

/** How each result is marked. */
export const RESULT_STATES: Readonly<Record<ActivityResult, State>> = {
  accepted: 'ok',
  refused: 'held',
  failed: 'fail',
  unknown: 'unknown',
}

export const parseResult = (text: string | undefined): ActivityResult | undefined =>
  activityResults.find((result) => result === text)

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const AGE = /^(\d{1,4})([mhd])$/

/**
 * Parses the filter into the server's query: `user=jane`, `since=2h`, and for the object `object=queue/lab` or any
 * word. The last of several words for the same field counts; unknown words are returned.
 */
export function activityQueryOf(filter: string, now: number): { query: ActivityQuery; unknown: string[] } {
  const query: ActivityQuery = {}
  const unknown: string[] = []
  for (const { field = 'object', text, negated } of parseFilter(filter)) {
    const since = field === 'since' ? sinceOf(text, now) : undefined
    if (negated || text === '') unknown.push(`${negated ? '-' : ''}${field}=${text}`)
    else if (field === 'user' || field === 'object') query[field] = text
    else if (since !== undefined) query.since = since
    else unknown.push(`${field}=${text}`)
  }
  return { query, unknown }
}

/** `2h` before now, to the full minute, so that the same filter asks the same question for a while. */
function sinceOf(text: string, now: number): string | undefined {
  const [, count, unit] = AGE.exec(text) ?? []
  if (count === undefined) return undefined
  const at = now - Number(count) * UNITS[unit as keyof typeof UNITS]
  return new Date(Math.floor(at / 60_000) * 60_000).toISOString()
}

/** Where the console shows an object; undefined where it has no page for it. */
export function objectHref({ kind, namespace, name }: NonNullable<ActivityView['object']>): string | undefined {
  switch (kind) {
    case 'Cluster':
      return href.cluster(name)
    case 'WorkloadRebalancer':
      return href.rebalancer(name)
    case 'RebalancePlan':
      return href.planRun(name)
    case 'Queue':
      return namespace === undefined ? undefined : queueHref(`${namespace}/${name}`)
    // The binding of Deployment web is called web-deployment.
    case 'ResourceBinding':
      return href.workloads({ q: `ns=${namespace ?? ''} ${name.slice(0, Math.max(0, name.lastIndexOf('-')))}` })
    case 'ClusterResourceBinding':
      return href.workloads({ q: name.slice(0, Math.max(0, name.lastIndexOf('-'))) })
    default:
      return undefined
  }
}
