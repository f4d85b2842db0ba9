/** Computes how many more replicas the clusters could take. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Demand, Estimator } from '../estimate'
import type { ClusterFacts } from './facts'

const unlimited = 2 ** 31 - 1

/**
 * Returns the lowest of all estimates, or the desired replicas if no estimator returns one. A workload with neither
 * replicas nor components is not estimated.
 */
export function compileAllocatable(
  spec: BindingSpec,
  estimators: readonly Estimator[],
  demand: Demand = { wholeSets: false },
): (facts: ClusterFacts) => number {
  const replicas = spec.replicas ?? 0
  if (replicas === 0 && !spec.components?.length) return () => unlimited
  const estimates = estimators.map((estimator) => estimator.compile(spec, demand))
  return (facts) => {
    let lowest = unlimited
    for (const estimate of estimates) lowest = Math.min(lowest, estimate(facts) ?? unlimited)
    return lowest === unlimited ? replicas : lowest
  }
}
