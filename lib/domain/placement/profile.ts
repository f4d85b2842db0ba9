/** Where our scheduler departs from upstream on purpose, each switchable. */

export interface SchedulerProfile {
  /** Bindings name their scheduler; this is our name. */
  schedulerName: string
  /** Also list selected clusters that get no replicas. Upstream flag, off by default. */
  propagateEmptyWorkloads: boolean
  /** Use resource models where a cluster has them. Upstream gate, on by default. */
  resourceModels: boolean
  /**
   * Keep workloads of one affinity group together and those of one anti-affinity group apart. Upstream gate, off by
   * default. The loop hands over the other members of the groups.
   */
  workloadAffinity: boolean
  /**
   * Deduct what was scheduled and has not arrived from the capacity of clusters. Upstream gate
   * SchedulingOvercommitProtection, off by default; only previews follow it, our scheduler does not have it.
   */
  overcommitProtection: boolean
  /** Test suspension again right before scheduling. Upstream tests it only when an event arrives, so a pause leaks. */
  holdSuspended: boolean
  /**
   * A trigger of the very second of the last success counts when it came after it, and a success is dated later than
   * the trigger that it knew, so that each counts once. Upstream loses such a trigger: both times have whole seconds.
   */
  sameSecondTriggers: boolean
  /** A fresh run that finds no cluster keeps what is placed. Upstream deletes the workload everywhere. */
  keepWhenNothingFits: boolean
  /** A fresh run that ends with fewer replicas than before keeps what is placed. Upstream removes copies. */
  keepWhenFewer: boolean
  /**
   * Clusters that a workload had to leave are free again when the reason is gone, also while the eviction task lasts; see
   * `predecessors.ts`. Upstream keeps them out until the task ends, which deletes the copies that still run there.
   */
  returnToPredecessors: boolean
  /** Keep a workload away from clusters where it failed, for as long as its policy says. Upstream forgets them with the eviction task. */
  evictionHistory: boolean
}

/** What upstream does, deviation by deviation. */
export const upstreamProfile: SchedulerProfile = {
  schedulerName: 'default-scheduler',
  propagateEmptyWorkloads: false,
  resourceModels: true,
  workloadAffinity: false,
  overcommitProtection: false,
  holdSuspended: false,
  sameSecondTriggers: false,
  keepWhenNothingFits: false,
  keepWhenFewer: false,
  returnToPredecessors: false,
  evictionHistory: false,
}

/** What we do. */
export const defaultProfile: SchedulerProfile = {
  ...upstreamProfile,
  holdSuspended: true,
  sameSecondTriggers: true,
  keepWhenNothingFits: true,
  keepWhenFewer: true,
  returnToPredecessors: true,
  evictionHistory: true,
}
