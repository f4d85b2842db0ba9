/**
 * Where Evenkeel departs from Karmada on purpose: one switch for each departure, by the part that heeds it. `--upstream`
 * chooses `karmadaProfile` once, in the configuration; every part is then given its own switches and nothing else.
 */
import { defaultFailoverProfile, type FailoverProfile, upstreamFailoverProfile } from '@/lib/domain/failover'
import type { InterpreterOptions } from '@/lib/domain/interpreter'
import { defaultProfile, type SchedulerProfile, upstreamProfile } from '@/lib/domain/placement'

export interface CompatibilityProfile {
  /** The API server admits what Karmada's webhooks admit, also where rules of ours refuse it. */
  admission: { upstream: boolean }
  interpreter: InterpreterOptions
  detector: {
    /** A binding that was deleted, or resumed past its policy, is made again at once; else with the next change of its template. */
    recreateBindings: boolean
  }
  scheduler: SchedulerSwitches & {
    /** Departures in the decisions themselves; see `lib/domain/placement`. */
    profile: SchedulerProfile
  }
  binding: {
    /** A Work that was deleted is made again at once; else when the binding changes. */
    recreateWorks: boolean
    /** A pass that wrote nothing records `SyncWorkSucceed`, too. */
    recordEveryPass: boolean
  }
  execution: {
    /** `Dispatching` is written before anything is sent, in a write of its own, and every pass records events. */
    dispatchFirst: boolean
  }
  bindingStatus: {
    /** Items have what the preconditions of application failover ask for: since when a cluster reports, and was Healthy once. */
    failoverFacts: boolean
    /** The template of a Deployment gets the conditions `Available` and `Progressing`. */
    deploymentConditions: boolean
  }
  taintManager: {
    /** A task has its time from the eviction on; else from when the eviction loop sees it. */
    datedTasks: boolean
    /** Successors are given what `failover.cluster` preserves (gate StatefulFailoverInjection, off by default in Karmada). */
    preserveState: boolean
    /** State that the status does not have is left out; else nothing is evicted before it is there. */
    skipMissingState: boolean
  }
  applicationFailover: {
    profile: FailoverProfile
    /** Successors are given what the rule preserves (gate StatefulFailoverInjection, off by default in Karmada). */
    preserveState: boolean
  }
  /** See `evictionRules` in `lib/domain/eviction`. */
  gracefulEviction: { upstreamEviction: boolean }
  workloadRebalancer: {
    /** Triggers are dated so that the scheduler overlooks none; else each has the time of its rebalancer. */
    lastingTriggers: boolean
  }
  queueWebhooks: {
    /** Suspensions of placed bindings are refused where the API server admits them. */
    refuseLateSuspension: boolean
  }
}

export interface SchedulerSwitches {
  /** Bindings are scheduled side by side; else one at a time, as always with workload affinity. */
  concurrent: boolean
  /** Pending bindings are looked at as soon as a cluster changes its capacity, taints, labels or kinds. */
  wakeOnCapacity: boolean
  /**
   * Bindings that a quota refused are looked at as soon as one of their namespace leaves more room. Needs the kind
   * FederatedResourceQuota to be served: the scheduler does not begin before its cache is complete.
   */
  watchQuotas: boolean
  /** `lastScheduledTime` never goes back and is never earlier than the trigger that was served. */
  forwardTimes: boolean
  /** A pass that finds everything as it should be writes nothing, not even a newer time. */
  leaveSettled: boolean
  /** The generation that the result itself makes counts as seen at once; else a second pass says so. */
  countOwnWrite: boolean
  /** What the status says already, word for word, is not recorded in an event again. */
  tellOnce: boolean
  /** Suspended bindings say so in the condition `SchedulingSuspended`, and when they are resumed. */
  tellSuspension: boolean
}

/** What Evenkeel does. */
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
    tellOnce: true,
    tellSuspension: true,
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

/** What Karmada does, departure by departure. */
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
    tellOnce: false,
    tellSuspension: false,
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
