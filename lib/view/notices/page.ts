import type { RunningIncident } from './incidents'

/** Returns the page of an incident in the console: path with query. */
export function pageOfIncident({ kind, cluster = '', workload, plan = '' }: RunningIncident): string {
  if (kind === 'plan') return `/rebalancers/plan?name=${encodeURIComponent(plan)}`
  const query = `cluster=${encodeURIComponent(cluster)}`
  return `/failover/incident?${workload === undefined ? query : `${query}&workload=${encodeURIComponent(workload)}`}`
}
