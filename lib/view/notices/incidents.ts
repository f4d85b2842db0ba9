/**
 * Which incidents run, read from the rows that the Incidents page lists. Browsers and receivers are told about the same
 * ones, because both ask here.
 */
import type { Message } from '../../messages/message'
import { parseTime, type EpochMs } from '../../std/clock'
import type { FailoverView } from '../failover-model'
import type { PlanRunView } from '../rebalance-model'

/**
 * `cluster`: a cluster is not ready. `failover`: workloads leave a cluster that is ready (taints, a drain), or one
 * workload leaves a cluster that the reader may not list. `application`: a workload fails in one cluster. `plan`: a
 * RebalancePlan is held.
 */
export const INCIDENT_KINDS = ['cluster', 'failover', 'application', 'plan'] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** An incident that runs. */
export interface RunningIncident {
  /** The same as long as it runs: `cluster NAME`, `failover NAME`, `application WORKLOAD CLUSTER`, `plan NAME`. */
  key: string
  kind: IncidentKind
  /** The first symptom, RFC 3339; absent where that is not known. */
  since?: string
  cluster?: string
  /** Workload id. */
  workload?: string
  plan?: string
  /** An operator asked for it: a drain. */
  requested: boolean
  /** The state as its row shows it. */
  state: Message | string
  /** Why it does not proceed by itself, of one workload. */
  blockedBy?: Message | string
  /** Of a cluster: workloads whose failover does not proceed by itself. */
  blocked: number
}

/** What the reader sees of failovers and plans. */
export interface IncidentRows {
  failovers: Iterable<FailoverView>
  plans: Iterable<PlanRunView>
  /** The reader may list clusters: the failovers of a cluster's workloads are then one incident. */
  byCluster: boolean
  now: EpochMs
}

/** An application is evicted as soon as its toleration is over: one that still waits after this time cannot leave. */
const OVERDUE_MS = 30_000

/** Reports whether the failover of a workload does not proceed by itself. */
export function isStuck({ kept, state, stage, deadline, cause }: FailoverView, now: EpochMs): boolean {
  if (kept) return false
  if (state.state === 'fail') return true
  if (stage === 'unhealthy') return deadline === undefined
  const isOverdue = stage === 'toleration' && deadline !== undefined && parseTime(deadline.at) + OVERDUE_MS <= now
  return isOverdue && cause === 'application'
}

/** The incidents that run, each once. */
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

/** After an outage its row is shown for an hour; what still leaves then belongs to the incident that is over. */
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

/** Only a hold counts: a plan that waits for approval, or that an operator paused or stopped, waits on purpose. */
function ofPlan({ name, phase, hold, state }: PlanRunView): RunningIncident[] {
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
