/** Explains why a workload had to leave a cluster. */
import type { GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import { decideNoExecute, DRAIN_TAINT, drainedBy, isProtection, noExecuteTaints } from '../eviction'
import { APPLICATION_FAILURE } from '../failover'
import type { Binding } from '../placement'
import type { CauseCluster, CauseFacts, PlacementCause } from './cause'

/** Producer and reason of eviction tasks that a user requested for one workload. */
export const BY_HAND = { producer: 'evenkeel', reason: 'AskedFor' } as const

const TAINT = 'TaintUntolerated'
const ASKED_BY = /^asked for by (.+)$/

/** Returns the message of a task that a user requested; `causesOfTask` reads the user from it. */
export const askedForBy = (user: string | undefined): string => `asked for${user === undefined ? '' : ` by ${user}`}`

/**
 * Returns why a task was created, provided that its cluster still has the taints of that time. Returns several causes
 * if taints of a failure and of a drain evicted together, and `unknown cause` for an unknown producer.
 */
export function causesOfTask(
  task: GracefulEvictionTask,
  binding: Pick<Binding, 'metadata'>,
  facts: Pick<CauseFacts, 'cluster' | 'plan'>,
): PlacementCause[] {
  const { fromCluster: cluster, reason, producer, message = '' } = task
  if (isProtection(task)) return []
  if (reason === TAINT) return causesOfTaints(task, binding, facts.cluster(cluster))
  if (reason === APPLICATION_FAILURE) return [{ code: 'application failover', cluster }]
  if (producer !== BY_HAND.producer) return [{ code: 'unknown cause', cluster }]
  const by = ASKED_BY.exec(message)?.[1]
  return [{ code: 'eviction', cluster, ...(by !== undefined && { by }) }]
}

/** Returns the causes for those taints that the applied placement no longer tolerated. */
function causesOfTaints(
  { fromCluster: cluster, creationTimestamp }: GracefulEvictionTask,
  { metadata }: Pick<Binding, 'metadata'>,
  found: CauseCluster | undefined,
): PlacementCause[] {
  // An unreadable placement tolerates no taint.
  const appliedPlacement = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] || '{}'
  const now = creationTimestamp === undefined ? Infinity : parseTime(creationTimestamp)
  const acting = noExecuteTaints((found?.spec.taints ?? []) as Parameters<typeof noExecuteTaints>[0])
    .filter((taint) => decideNoExecute({ now, taints: [taint], appliedPlacement }).decision === 'evict')
    .map(({ key }) => key)
  const others = acting.filter((key) => key !== DRAIN_TAINT.key)
  const by = found && drainedBy(found as Parameters<typeof drainedBy>[0])
  const drain: PlacementCause = { code: 'drain', cluster, ...(by !== undefined && { by }) }
  const failover: PlacementCause = {
    code: 'cluster failover',
    cluster,
    ...(others[0] !== undefined && { taint: others[0] }),
  }
  if (!acting.includes(DRAIN_TAINT.key)) return [failover]
  return others.length > 0 ? [failover, drain] : [drain]
}
