/**
 * Determines running incidents from the rows of the Incidents page. Browsers and notices both use this, so they report
 * the same incidents.
 */
import type { Message } from '../../messages/message'
import { parseTime, type EpochMs } from '../../std/clock'
import type { FailoverView } from '../failover-model'
import type { PlanRowView } from '../rebalance-model'

/**
 * `cluster`: a cluster is not ready. `failover`: workloads leave a ready cluster (taints, a drain), or one workload
 * leaves a cluster that the reader may not list. `application`: a workload fails in one cluster. `plan`: a
 * RebalancePlan is held.
 */
export const INCIDENT_KINDS = ['cluster', 'failover', 'application', 'plan'] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** A running incident. */
export interface RunningIncident {
  /** Constant while it runs: `cluster NAME`, `failover NAME`, `application WORKLOAD CLUSTER`, `plan NAME`. */
  key: string
  kind: IncidentKind
  /** Time of the first symptom, RFC 3339; absent if unknown. */
  since?: string
  cluster?: string
  /** Workload ID. */
  workload?: string
  plan?: string
  /** Requested by an operator: a drain. */
  requested: boolean
  /** State as in its row. */
  state: Message | string
  /** Blocker of a workload's failover. */
  blockedBy?: Message | string
  /** For a cluster: number of workloads with a blocked failover. */
  blocked: number
}

/** Failovers and plans that the reader may view. */
export interface IncidentRows {
  failovers: Iterable<FailoverView>
  plans: Iterable<PlanRowView>
  /** Whether the reader may list clusters: the failovers of a cluster's workloads then form one incident. */
  byCluster: boolean
  now: EpochMs
}

/** Workloads are evicted as soon as their toleration ends; one that still waits after this time is blocked. */
const OVERDUE_MS = 30_000

/** Reports whether the failover of a workload is blocked. */
export function isStuck({ kept, state, stage, deadline, cause }: FailoverView, now: EpochMs): boolean {
  if (kept) return false
  if (state.state === 'fail') return true
  if (stage === 'unhealthy') return deadline === undefined
  const isOverdue = stage === 'toleration' && deadline !== undefined && parseTime(deadline.at) + OVERDUE_MS <= now
  return isOverdue && cause === 'application'
}

/** Returns the running incidents without duplicates. */
export function runningIncidents({ failovers, plans, byCluster, now }: IncidentRows): RunningIncident[] {
  const rows = [...failovers]
  const workloads = rows.filter(({ kind }) => kind === 'workload')
  const stuckIn = new Map<string, number>()
  for (const row of workloads) {
    if (row.cause !== 'application' && isStuck(row, now)) stuckIn.set(row.cluster, (stuckIn.get(row.cluster) ?? 0) + 1)
  }
  const clusters = rows.filter(({ kind }) => kind === 'cluster')
  return [
    ...(byCluster ? clusters.flatMap((row) => ofCluster(row, stuckIn.get(row.cluster) ?? 0)) : []),
    ...workloads.flatMap((row) => ofWorkload(row, byCluster, now)),
    ...[...plans].flatMap(ofPlan),
  ]
}

/**
 * The row of an outage is shown for an hour after its end; workloads that still leave then belong to the finished
 * incident.
 */
function ofCluster(row: FailoverView, blocked: number): RunningIncident[] {
  const { cluster, incident, cause, since, workloads } = row
  const requested = cause === 'request'
  const isLost = incident !== undefined && incident.endedAt === undefined
  const leaving = Object.values(workloads ?? {}).some((count) => count > 0)
  const isFailover = incident === undefined || requested ? leaving : false
  if (!isLost && !isFailover) return []
  const kind = isLost ? 'cluster' : 'failover'
  return [
    {
      key: `${kind} ${cluster}`,
      kind,
      ...(since !== undefined && { since }),
      cluster,
      requested: requested && !isLost,
      state: row.state.reason,
      blocked,
    },
  ]
}

function ofWorkload(row: FailoverView, byCluster: boolean, now: EpochMs): RunningIncident[] {
  const { cluster, workload, cause, since, kept, stage } = row
  const kind = cause === 'application' ? 'application' : 'failover'
  if (workload === undefined || kept || stage === 'done' || (kind === 'failover' && byCluster)) return []
  const isBlocked = isStuck(row, now)
  return [
    {
      key: `${kind} ${workload} ${cluster}`,
      kind,
      ...(since !== undefined && { since }),
      cluster,
      workload,
      requested: cause === 'request',
      state: row.state.reason,
      ...(isBlocked && { blockedBy: row.state.reason }),
      blocked: isBlocked ? 1 : 0,
    },
  ]
}

/** Only a hold counts, because waiting for approval, pausing and stopping are intended. */
function ofPlan({ name, phase, hold, state }: PlanRowView): RunningIncident[] {
  if (phase !== 'Held') return []
  return [
    {
      key: `plan ${name}`,
      kind: 'plan',
      ...(hold?.at !== undefined && { since: hold.at }),
      plan: name,
      requested: false,
      state: state.reason,
      blocked: 0,
    },
  ]
}
