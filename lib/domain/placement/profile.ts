/** Deviations of the scheduler from upstream, each with a switch. */

export interface SchedulerProfile {
  /** Name of this scheduler, which bindings refer to. */
  schedulerName: string
  /** Also list selected clusters without replicas. Upstream flag, off by default. */
  propagateEmptyWorkloads: boolean
  /** Use resource models if a cluster has them. Upstream feature gate, on by default. */
  resourceModels: boolean
  /**
   * Schedule workloads of an affinity group together and those of an anti-affinity group apart. Upstream feature gate,
   * off by default. The controller supplies the other members of the groups.
   */
  workloadAffinity: boolean
  /**
   * Place a workload of several components that goes to one cluster as a whole, where all of it fits. Upstream feature
   * gate MultiplePodTemplatesScheduling, off by default.
   */
  componentSets: boolean
  /**
   * Deduct scheduled workloads that clusters do not report yet. Upstream feature gate SchedulingOvercommitProtection,
   * off by default.
   */
  overcommitProtection: boolean
  /**
   * Ask estimators in the member clusters for their capacity, too. Only the scheduler can: a prediction does without.
   * Upstream flag, off by default.
   */
  asksEstimators: boolean
  /**
   * Check suspension again right before scheduling. Upstream checks it only when an event arrives, so a suspended
   * binding may still be scheduled.
   */
  holdSuspended: boolean
  /**
   * Honor a trigger in the same second as the last success if it came later, and date a success after the trigger that
   * it processed, so that each trigger counts once. Upstream loses such a trigger, because both times have a resolution
   * of one second.
   */
  sameSecondTriggers: boolean
  /** Keep the current result if a fresh run finds no cluster. Upstream deletes the workload everywhere. */
  keepWhenNothingFits: boolean
  /** Keep the current result if a fresh run assigns fewer replicas than before. Upstream removes replicas. */
  keepWhenFewer: boolean
  /**
   * Readmit clusters that a workload was evicted from when the reason is gone, even during the eviction task; see
   * `predecessors.ts`. Upstream excludes them until the task ends, which deletes the replicas that still run there.
   */
  returnToPredecessors: boolean
  /**
   * Exclude clusters where a workload failed, for as long as its policy says. Upstream forgets them with the eviction
   * task.
   */
  evictionHistory: boolean
}

/** All deviations off, as upstream. */
export const upstreamProfile: SchedulerProfile = {
  schedulerName: 'default-scheduler',
  propagateEmptyWorkloads: false,
  resourceModels: true,
  workloadAffinity: false,
  componentSets: false,
  overcommitProtection: false,
  asksEstimators: false,
  holdSuspended: false,
  sameSecondTriggers: false,
  keepWhenNothingFits: false,
  keepWhenFewer: false,
  returnToPredecessors: false,
  evictionHistory: false,
}

/** All deviations on: the default. */
export const defaultProfile: SchedulerProfile = {
  ...upstreamProfile,
  holdSuspended: true,
  sameSecondTriggers: true,
  keepWhenNothingFits: true,
  keepWhenFewer: true,
  returnToPredecessors: true,
  evictionHistory: true,
}
