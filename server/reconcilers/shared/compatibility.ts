/**
 * Deliberate deviations from Karmada, one switch each, grouped by component. `--upstream` selects `karmadaProfile`
 * once, in the configuration; every component receives only its own switches.
 */
import { defaultFailoverProfile, type FailoverProfile, upstreamFailoverProfile } from '@/lib/domain/failover'
import type { InterpreterOptions } from '@/lib/domain/interpreter'
import { defaultProfile, type SchedulerProfile, upstreamProfile } from '@/lib/domain/placement'

export interface CompatibilityProfile {
  /** The API server admits what Karmada's webhooks admit, without the product's additional rules. */
  admission: { upstream: boolean }
  interpreter: InterpreterOptions
  detector: {
    /**
     * A binding that was deleted, or resumed despite its policy, is recreated at once; otherwise with the next change
     * of its template.
     */
    recreateBindings: boolean
  }
  scheduler: SchedulerSwitches & {
    /** Deviations in the decisions; see `lib/domain/placement`. */
    profile: SchedulerProfile
  }
  binding: {
    /** A deleted Work is recreated at once; otherwise when the binding changes. */
    recreateWorks: boolean
    /** A reconcile that wrote nothing also records `SyncWorkSucceed`, and one follows a mere trigger for rescheduling. */
    recordEveryPass: boolean
  }
  execution: {
    /** `Dispatching` is set in a separate write before anything is sent, and every reconcile records events. */
    dispatchFirst: boolean
  }
  bindingStatus: {
    /**
     * Items contain what the preconditions of application failover need: when a cluster first reported, and whether it
     * was ever Healthy.
     */
    failoverFacts: boolean
    /** The template of a Deployment gets the conditions `Available` and `Progressing`. */
    deploymentConditions: boolean
  }
  taintManager: {
    /** A task gets its creation time at the eviction; otherwise when the graceful eviction controller observes it. */
    datedTasks: boolean
    /**
     * New replicas get what `failover.cluster` preserves (feature gate StatefulFailoverInjection, off by default in
     * Karmada).
     */
    preserveState: boolean
    /** State that the status lacks is omitted; otherwise nothing is evicted until it exists. */
    skipMissingState: boolean
  }
  applicationFailover: {
    profile: FailoverProfile
    /** New replicas get what the rule preserves (feature gate StatefulFailoverInjection, off by default in Karmada). */
    preserveState: boolean
  }
  /** See `evictionRules` in `lib/domain/eviction`. */
  gracefulEviction: { upstreamEviction: boolean }
  workloadRebalancer: {
    /**
     * Triggers are dated so that the scheduler ignores none; otherwise each has the creation time of its rebalancer.
     */
    lastingTriggers: boolean
  }
  queueWebhooks: {
    /** Suspensions of placed bindings are rejected even if the API server admits them. */
    refuseLateSuspension: boolean
  }
}

export interface SchedulerSwitches {
  /** Bindings are scheduled concurrently; otherwise one at a time, as always with workload affinity. */
  concurrent: boolean
  /** Pending bindings are retried as soon as a cluster's capacity, taints, labels or kinds change. */
  wakeOnCapacity: boolean
  /**
   * Bindings rejected by a quota are retried when a quota of their namespace gains room. Requires that
   * FederatedResourceQuota is served: the scheduler waits for its cache.
   */
  watchQuotas: boolean
  /** `lastScheduledTime` never decreases and is never earlier than the processed trigger. */
  forwardTimes: boolean
  /** A reconcile that changes nothing writes nothing, not even a newer time. */
  leaveSettled: boolean
  /**
   * The generation that results from the scheduler's own write counts as observed at once; otherwise another reconcile
   * reports it.
   */
  countOwnWrite: boolean
  /** An event is not recorded if the status already contains the same message. */
  emitOnce: boolean
  /** Bindings report suspension and its end in the condition `SchedulingSuspended`. */
  publishSuspension: boolean
}

/** The defaults of Evenkeel. */
export const evenkeelProfile: CompatibilityProfile = {
  admission: { upstream: false },
  interpreter: {},
  detector: { recreateBindings: true },
  scheduler: {
    profile: defaultProfile,
    concurrent: true,
    wakeOnCapacity: true,
    watchQuotas: true,
    forwardTimes: true,
    leaveSettled: true,
    countOwnWrite: true,
    emitOnce: true,
    publishSuspension: true,
  },
  binding: { recreateWorks: true, recordEveryPass: false },
  execution: { dispatchFirst: false },
  bindingStatus: { failoverFacts: true, deploymentConditions: true },
  taintManager: { datedTasks: true, preserveState: true, skipMissingState: true },
  applicationFailover: { profile: defaultFailoverProfile, preserveState: true },
  gracefulEviction: { upstreamEviction: false },
  workloadRebalancer: { lastingTriggers: true },
  queueWebhooks: { refuseLateSuspension: true },
}

/** All deviations off, as Karmada. */
export const karmadaProfile: CompatibilityProfile = {
  admission: { upstream: true },
  interpreter: { likeUpstream: true },
  detector: { recreateBindings: false },
  scheduler: {
    profile: upstreamProfile,
    concurrent: false,
    wakeOnCapacity: false,
    watchQuotas: false,
    forwardTimes: false,
    leaveSettled: false,
    countOwnWrite: false,
    emitOnce: false,
    publishSuspension: false,
  },
  binding: { recreateWorks: false, recordEveryPass: true },
  execution: { dispatchFirst: true },
  bindingStatus: { failoverFacts: false, deploymentConditions: false },
  taintManager: { datedTasks: false, preserveState: false, skipMissingState: false },
  applicationFailover: { profile: upstreamFailoverProfile, preserveState: false },
  gracefulEviction: { upstreamEviction: true },
  workloadRebalancer: { lastingTriggers: false },
  queueWebhooks: { refuseLateSuspension: false },
}
