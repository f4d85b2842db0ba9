import type { RunningIncident } from './incidents'

/** Where the console shows an incident: a path with its query. */
export function pageOfIncident({ kind, cluster, workload, plan }: RunningIncident): string {
  if (kind === 'plan') return `/rebalancers/plan?${new URLSearchParams({ name: plan ?? '' })}`
  return `/failover/incident?${new URLSearchParams({ cluster: cluster ?? '', ...(workload !== undefined && { workload }) })}`
}
