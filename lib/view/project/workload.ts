/** A propagated template with its binding: a row of the fleet. */
import type { CellView, HeldView, WorkloadView } from '../model'
import { countsOf, sumCounts } from '../replica-sums'
import { workloadId } from '../workload-id'
import { type AnyBinding, conditionView, hasReplicas, policyOf, strategyOf, templateOf } from './binding-facts'
import { type CellsSnapshot, projectCells } from './cells'
import type { Answers } from './replica-counts'
import { workloadState } from './workload-state'

/** `held`: why it is not scheduled, from its queue or its binding. `drift`: replicas that a rebalance would move. */
export type WorkloadSnapshot = CellsSnapshot & { held?: HeldView | undefined; drift?: number | undefined }
export type Readiness = ReadonlyMap<string, Answers>

/** Returns the row of a workload. */
export function projectWorkload(snapshot: WorkloadSnapshot): WorkloadView {
  const { binding } = snapshot
  const { spec, status, metadata } = binding
  const cells = projectCells(snapshot)
  const ref = templateOf(binding)
  const counts = countsOf(desiredInAll(binding, cells), cells)
  return {
    id: workloadId(ref),
    ref,
    binding: bindingRef(binding),
    policy: policyOf(binding),
    strategy: strategyOf(binding),
    hasReplicas: hasReplicas(binding),
    ...counts,
    cells,
    state: workloadState({ binding, cells, counts, held: snapshot.held }),
    suspended: { scheduling: spec.suspension?.scheduling === true, dispatching: spec.suspension?.dispatching === true },
    ...(snapshot.held && { held: snapshot.held }),
    ...(snapshot.drift && { drift: snapshot.drift }),
    scheduled: conditionView(status?.conditions, 'Scheduled'),
    fullyApplied: conditionView(status?.conditions, 'FullyApplied'),
    lastScheduledTime: status?.lastScheduledTime,
    rescheduleTriggeredAt: spec.rescheduleTriggeredAt,
    createdAt: metadata.creationTimestamp,
  }
}

/** Returns the desired replicas: those of the template, times the clusters if duplicated. */
function desiredInAll(binding: AnyBinding, cells: readonly CellView[]): number {
  const strategy = strategyOf(binding)
  if (strategy === 'NotDivided' || strategy === 'Duplicated') return sumCounts(cells).desired
  return Math.max(0, binding.spec.replicas ?? 0)
}

function bindingRef({ kind, metadata: { namespace, name } }: AnyBinding): WorkloadView['binding'] {
  return { kind: kind === 'ClusterResourceBinding' ? kind : 'ResourceBinding', ...(namespace && { namespace }), name }
}
