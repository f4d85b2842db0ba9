/** Options of the scheduler with their defaults. */
import type { SchedulerProfile } from '@/lib/domain/placement'
import { evenkeelProfile, type SchedulerSwitches } from '../shared/compatibility'

export interface SchedulerOptions extends Partial<SchedulerSwitches> {
  /** Deviations from Karmada in the decisions; see `lib/domain/placement`. */
  profile?: Partial<SchedulerProfile>
  /** Bindings scheduled concurrently. Default 16; 1 as in Karmada, with workload affinity and with overcommit protection. */
  concurrency?: number
  /** Interval after which unschedulable bindings are always tried again. Default 5 minutes, as in Karmada. */
  unschedulableRetryMs?: number
  /** ResourceQuotas that were propagated to members limit what is placed there. Default false, as in Karmada. */
  quotaEstimate?: boolean
}

/** Options with all defaults applied. */
export type SchedulerSettings = Required<Omit<SchedulerOptions, 'profile'>> & { profile: SchedulerProfile }

const UNSCHEDULABLE_RETRY_MS = 5 * 60_000

/** Applies the defaults. */
export function settingsOf({ profile: given, ...options }: SchedulerOptions): SchedulerSettings {
  const defaults = evenkeelProfile.scheduler
  const profile = { ...defaults.profile, ...given }
  const { concurrent = defaults.concurrent } = options
  return {
    ...defaults,
    // With these, a decision depends on earlier results, so bindings must be scheduled one after the other.
    concurrency: concurrent && !profile.workloadAffinity && !profile.overcommitProtection ? 16 : 1,
    unschedulableRetryMs: UNSCHEDULABLE_RETRY_MS,
    quotaEstimate: false,
    ...options,
    profile,
  }
}
