/** Changes to the parameters of an address; undefined takes a parameter away. */
export type UrlChanges = Record<string, string | undefined>

/** The address with the changes applied. Parameters keep their order, and empty ones disappear. */
export function withChanges(pathname: string, search: string, changes: UrlChanges): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  const query = readable(parameters.toString())
  return query === '' ? pathname : `${pathname}?${query}`
}

/** Keeps characters unescaped where a query permits it, because users read and share URLs. */
function readable(query: string): string {
  return query
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/')
    .replaceAll('%7E', '~')
    .replaceAll('%3D', '=')
    .replaceAll('%40', '@')
    .replaceAll('%3A', ':')
}

/** Addresses of the pages. */
export const href = {
  /** `cluster`: its part in that cluster is shown first. */
  workload: (id: string, cluster?: string) => withChanges('/workloads/detail', '', { id, cluster }),
  cluster: (name: string) => withChanges('/clusters', '', { cluster: name }),
  rebalancer: (name: string) => withChanges('/rebalancers/detail', '', { name }),
  /** What would become of the fleet without these clusters. */
  whatIf: (clusters: string | readonly string[], cause: 'fails' | 'drained') =>
    withChanges('/clusters/what-if', '', { cluster: String(clusters), cause }),
  /** Failovers that run, or with `show: 'history'` those that are over. */
  failover: (changes: UrlChanges = {}) => withChanges('/failover', '', changes),
  /** The outage of a cluster, or the failover of a workload from it; without `since`, the latest. */
  incident: (incident: { cluster: string; workload?: string | undefined; since?: string | undefined }) =>
    withChanges('/failover/incident', '', incident),
  /** One rehearsal. */
  rehearsal: (id: string) => withChanges('/rehearsals/run', '', { id }),
  /** An incident of a rehearsal, by its number in the result. */
  rehearsedIncident: (id: string, n: number, incident: { cluster: string; workload?: string | undefined }) =>
    withChanges('/rehearsals/incident', '', { id, n: String(n), ...incident }),
  /** A plan that ran in a rehearsal. */
  rehearsedPlan: (id: string, name: string) => withChanges('/rehearsals/plan', '', { id, name }),
  /** A new rehearsal of the loss of these clusters. */
  rehearseLoss: (clusters: readonly string[]) => withChanges('/rehearsals', '', { lose: String(clusters) }),
  /** A RebalancePlan. */
  planRun: (name: string) => withChanges('/rebalancers/plan', '', { name }),
  /** A propagation policy, by its id. */
  policy: (id: string, changes: UrlChanges = {}) => withChanges('/policies/detail', '', { id, ...changes }),
  /** A WorkloadSpread, by `namespace/name`. */
  spread: (id: string) => withChanges('/spread', '', { id }),
  fleet: (changes: UrlChanges = {}) => withChanges('/fleet', '', changes),
  workloads: (changes: UrlChanges = {}) => withChanges('/workloads', '', changes),
  /** A fresh plan for these workloads. */
  plan: (selection: string | undefined) => withChanges('/fleet', '', { sel: selection, plan: 'rebalance' }),
}
