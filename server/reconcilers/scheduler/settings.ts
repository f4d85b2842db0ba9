/** What an operator can choose about the scheduler, and what it comes to. */
import { defaultProfile, type SchedulerProfile, upstreamProfile } from '@/lib/domain/placement'

export interface SchedulerOptions {
  /** Switch every deviation off that can be switched; single options given besides it still count. Default false. */
  upstream?: boolean
  /** Departures from upstream in the decisions themselves; see `lib/domain/placement`. */
  profile?: Partial<SchedulerProfile>
  /** Bindings scheduled at the same time. Default 16; 1 as upstream and with workload affinity. */
  concurrency?: number
  /** Look at waiting bindings as soon as a cluster changes its capacity, taints, labels or kinds. Default true. */
  wakeOnCapacity?: boolean
  /**
   * Look at bindings that a quota refused as soon as one of their namespace leaves more room. Default true. Needs the
   * kind FederatedResourceQuota to be served: the scheduler does not begin before its cache is complete.
   */
  watchQuotas?: boolean
  /** Look at unschedulable bindings again after this anyway. Default 5 minutes, as upstream. */
  unschedulableRetryMs?: number
  /** `lastScheduledTime` never goes back and is never earlier than the trigger that was served. Default true. */
  forwardTimes?: boolean
  /** A pass that finds everything as it should be writes nothing, not even a newer time. Default true. */
  leaveSettled?: boolean
  /** The generation that the result itself makes counts as seen at once; else a second pass says so. Default true. */
  countOwnWrite?: boolean
  /** What the status says already, word for word, is not told in an event again. Default true. */
  tellOnce?: boolean
  /** Suspended bindings say so in the condition `SchedulingSuspended`, and when they are resumed. Default true. */
  tellSuspension?: boolean
}

/** All options decided. */
export type SchedulerSettings = Required<Omit<SchedulerOptions, 'upstream' | 'profile'>> & { profile: SchedulerProfile }

const UNSCHEDULABLE_RETRY_MS = 5 * 60_000

/** Options over the defaults, or over upstream's behaviour where that is asked for. */
export function settingsOf({ upstream = false, profile: given, ...options }: SchedulerOptions): SchedulerSettings {
  const profile = { ...(upstream ? upstreamProfile : defaultProfile), ...given }
  return {
    // Members of a group decide by each other's results, so they have to go one after the other.
    concurrency: upstream || profile.workloadAffinity ? 1 : 16,
    unschedulableRetryMs: UNSCHEDULABLE_RETRY_MS,
    wakeOnCapacity: !upstream,
    watchQuotas: !upstream,
    forwardTimes: !upstream,
    leaveSettled: !upstream,
    countOwnWrite: !upstream,
    tellOnce: !upstream,
    tellSuspension: !upstream,
    ...options,
    profile,
  }
}
