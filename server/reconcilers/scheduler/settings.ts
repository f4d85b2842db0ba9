/** What an operator can choose about the scheduler, and what it comes to. */
import type { SchedulerProfile } from '@/lib/domain/placement'
import { evenkeelProfile, type SchedulerSwitches } from '../shared/compatibility'

export interface SchedulerOptions extends Partial<SchedulerSwitches> {
  /** Departures from Karmada in the decisions themselves; see `lib/domain/placement`. */
  profile?: Partial<SchedulerProfile>
  /** Bindings scheduled at the same time. Default 16; 1 as in Karmada and with workload affinity. */
  concurrency?: number
  /** Look at unschedulable bindings again after this anyway. Default 5 minutes, as in Karmada. */
  unschedulableRetryMs?: number
  /** ResourceQuotas that were propagated to members limit what is placed there. Default false, as in Karmada. */
  quotaEstimate?: boolean
}

/** All options decided. */
export type SchedulerSettings = Required<Omit<SchedulerOptions, 'profile'>> & { profile: SchedulerProfile }

const UNSCHEDULABLE_RETRY_MS = 5 * 60_000

/** Options over the defaults. */
export function settingsOf({ profile: given, ...options }: SchedulerOptions): SchedulerSettings {
  const defaults = evenkeelProfile.scheduler
  const profile = { ...defaults.profile, ...given }
  const { concurrent = defaults.concurrent } = options
  return {
    ...defaults,
    // Members of a group decide by each other's results, so they have to go one after the other.
    concurrency: concurrent && !profile.workloadAffinity ? 16 : 1,
    unschedulableRetryMs: UNSCHEDULABLE_RETRY_MS,
    quotaEstimate: false,
    ...options,
    profile,
  }
}
