/** Predicts one decision of the scheduler about a triggered workload. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Estimator } from '../estimate'
import { type Binding, scheduleBinding, type SchedulerProfile } from '../placement'

interface SchedulerState {
  /** Pass the same array while nothing changes, because derived values are cached by it. */
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
  /** Default: by the profile. */
  estimators?: readonly Estimator[] | undefined
}

/** Returns where the scheduler places the workload with these reports: nowhere, or as now, if that is what it does. */
export function expectedPlacement(
  binding: Binding,
  { clusters, profile, estimators }: SchedulerState,
): readonly TargetCluster[] {
  const verdict = scheduleBinding({
    binding,
    clusters,
    mode: 'Fresh',
    ...(profile && { profile }),
    ...(estimators && { estimators }),
  })
  return verdict.clusters ?? verdict.patch?.clusters ?? binding.spec.clusters ?? []
}
