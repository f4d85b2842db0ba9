/** Dependencies of the endpoints. The user comes with each call: no endpoint has a client of its own. */
import { message } from '@/lib/messages/message'
import type { FailoverSettings } from '@/lib/domain/failover'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Clock } from '@/lib/std/clock'
import type { ResourceName, Scope } from '../access/access'
import { nameOfResource } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { AuditLog } from '../audit/audit-log'
import type { EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { Hub } from '../live/hub'
import type { Journal } from '../recorder/journal'
import type { ClusterRows } from '../views/clusters'
import type { WorkloadDetails } from '../views/details'
import type { FailoverRows } from '../views/failover'
import type { PlanRunRows } from '../views/plan-runs'
import type { PolicyRows } from '../views/policies'
import type { QueuePlanCache } from '../cache/queue-plan-cache'
import type { QueueRows } from '../views/queues'
import type { ExpectedPlacements } from '../cache/expected-placements'
import type { RebalancerRows } from '../views/rebalancers'
import type { SpreadRows } from '../views/spreads'
import type { WorkloadRows } from '../views/workloads'
import type { RehearsalParts } from '../rehearsals/rehearsals'
import type { ReadModels } from '../read-model/read-model'
import { unreadOf } from '../read-model/unread-kinds'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { NoticeReceivers } from '../notices/receivers'
import type { AboutFacts } from './about'

/** The rows that the live stream sends too. */
export interface ApiViews {
  clusters: ClusterRows
  workloads: WorkloadRows
  rebalancers: RebalancerRows
  plans: PlanRunRows
  policies: PolicyRows
  spreads: SpreadRows
  details: WorkloadDetails
  failovers: FailoverRows
  queues: QueueRows
  queuePlans: QueuePlanCache
  models: ReadModels
  expected: ExpectedPlacements
}

export interface ApiDeps {
  cache: ControlPlaneCache
  views: ApiViews
  /** The collections of the live stream. */
  hub: Hub
  journal: Journal
  audit: AuditLog
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  about: AboutFacts
  /** The behaviour of the active scheduler. Default: that of Evenkeel. */
  profile?: SchedulerProfile | undefined
  failover?: FailoverSettings | undefined
  /** Absent: no receivers are configured. */
  notices?: NoticeReceivers | undefined
  /** Absent: this instance runs no rehearsals. */
  rehearsals?: RehearsalParts | undefined
}

/** Returns the scope of the caller. Throws a refusal while the scope is unknown. */
export async function scopeIn({ access }: Pick<EndpointCall, 'access'>): Promise<Scope> {
  const scope = await access.whenReviewed()
  if (scope.problem !== undefined) throw refuse(503, 'Unreachable', scope.problem)
  return scope
}

/**
 * Returns the scope of a caller who may see at least one of these resources. A list that the caller may not read is
 * refused, not returned empty.
 */
export async function scopeWith(call: Pick<EndpointCall, 'access'>, ...resources: ResourceName[]): Promise<Scope> {
  const scope = await scopeIn(call)
  const { unread, isAll } = unreadOf(resources, scope, (kind) => call.access.whyUnread(kind))
  if (!isAll) return scope
  const withheld = unread.find(({ reason }) => reason !== 'NoPermission')
  if (withheld) throw refuse(503, 'Unavailable', withheld.sentence)
  throw refuse(403, 'Forbidden', message('api.refused.list', { resources: resources.map(nameOfResource) }))
}

/** Returns the visible objects if the console reads the kind: an object of an unread kind is not called missing. */
export async function scopeReading(call: Pick<EndpointCall, 'access'>, ...resources: ResourceName[]): Promise<Scope> {
  const scope = await scopeIn(call)
  const { unread, isAll } = unreadOf(resources, EVERYTHING, (kind) => call.access.whyUnread(kind))
  if (isAll && unread[0]) throw refuse(503, 'Unavailable', unread[0].sentence)
  return scope
}

/** Returns the name of the caller for fields that the console writes on objects. */
export const userOf = (
  { principal: { identity } }: Pick<EndpointCall, 'principal'>,
  { about }: Pick<ApiDeps, 'about'>,
): string | undefined => identity.user || about.user
