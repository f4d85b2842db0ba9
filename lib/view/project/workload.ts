/** One propagated template with its binding: a row of the fleet. */
import type { HeldView } from '../held-model'
import type { ClusterView, WorkloadView } from '../model'
import { workloadId } from '../workload-id'
import {
  type AnyBinding, conditionView, hasReplicas, policyOf, strategyOf, templateOf,
} from './binding-facts'
import { type CellsSnapshot, projectCells } from './cells'
import { workloadState } from './workload-state'

/** `held`: what keeps it back, as its queue or its binding tells. */
export type WorkloadSnapshot = CellsSnapshot & { held?: HeldView | undefined }
export type Readiness = ReadonlyMap<string, ClusterView['ready']>

/** The row of a workload. */
export function projectWorkload(snapshot: WorkloadSnapshot): WorkloadView {
  const { binding } = snapshot
  const { spec, status, metadata } = binding
  const cells = projectCells(snapshot)
  const ref = templateOf(binding)
  const sum = (value: (cell: (typeof cells)[number]) => number) => cells.reduce((total, cell) => total + value(cell), 0)
  const wants = wantedInAll(binding, sum((cell) => cell.wants))
  const sums = { wants, now: sum((cell) => cell.now ?? 0), ready: sum((cell) => cell.ready ?? 0) }
  return {
    id: workloadId(ref),
    ref,
    binding: bindingRef(binding),
    policy: policyOf(binding),
    strategy: strategyOf(binding),
    hasReplicas: hasReplicas(binding),
    ...sums,
    cells,
    state: workloadState({ binding, cells, wants, held: snapshot.held }),
    suspended: { scheduling: spec.suspension?.scheduling === true, dispatching: spec.suspension?.dispatching === true },
    ...(snapshot.held && { held: snapshot.held }),
    scheduled: conditionView(status?.conditions, 'Scheduled'),
    fullyApplied: conditionView(status?.conditions, 'FullyApplied'),
    lastScheduledTime: status?.lastScheduledTime,
    rescheduleTriggeredAt: spec.rescheduleTriggeredAt,
    createdAt: metadata.creationTimestamp,
  }
}

/** What the template asks for: all its replicas, in every chosen cluster when they are duplicated. */
function wantedInAll(binding: AnyBinding, placed: number): number {
  const strategy = strategyOf(binding)
  if (strategy === 'NotDivided' || strategy === 'Duplicated') return placed
  return binding.spec.replicas ?? 0
}

function bindingRef({ kind, metadata: { namespace, name } }: AnyBinding): WorkloadView['binding'] {
  return { kind: kind === 'ClusterResourceBinding' ? kind : 'ResourceBinding', ...(namespace && { namespace }), name }
}
