import type { RunningIncident } from './incidents'

/** Where the console shows an incident: a path with its query. */
export function pageOfIncident({ kind, cluster = '', workload, plan = '' }: RunningIncident): string {
  if (kind === 'plan') return `/rebalancers/plan?name=${encodeURIComponent(plan)}`
  const query = `cluster=${encodeURIComponent(cluster)}`
  return `/failover/incident?${workload === undefined ? query : `${query}&workload=${encodeURIComponent(workload)}`}`
}
