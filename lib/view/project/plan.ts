/** A rebalance preview for people, from the plan that the scheduling code made. */
import type { RebalancePlan, TargetPlan } from '@/lib/domain/rebalance'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { apiVersionOf } from '@/lib/kube/kind'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { PlanTargetView, RebalancePlanView, WorkloadRef } from '../model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'
import { writePlanRecord, CREATED_BY_ANNOTATION, PLAN_ANNOTATION } from './plan-record'

/** Names of rebalancers begin with this; the moment and chance follow. */
export const REBALANCER_PREFIX = 'rebalance-'

export interface PlanSnapshot {
  plan: RebalancePlan
  now: EpochMs
  createdBy?: string
  ttlSecondsAfterFinished?: number
}

/** What confirming creates; the server adds the rest of the name. */
export interface RebalancerManifest {
  apiVersion: string
  kind: 'WorkloadRebalancer'
  metadata: { generateName: string; annotations: Record<string, string> }
  spec: { workloads: WorkloadRef[]; ttlSecondsAfterFinished?: number }
}

/** The preview. Targets in the order asked for. */
export function projectPlan(snapshot: PlanSnapshot): RebalancePlanView {
  const { plan, now } = snapshot
  const { targets, moving, replicasMoved, clustersTouched } = plan.totals
  const rows = plan.targets.map(projectTarget)
  const manifest = manifestOf(rows, snapshot)
  return {
    base: plan.base,
    computedAt: formatTime(now),
    targets: rows,
    totals: { targets, moving, replicasMoved, clustersTouched: [...clustersTouched] },
    manifest,
    kubectl: kubectlFor(manifest),
  }
}

function projectTarget({ workload, verdict, before, after, moved, reason, notes }: TargetPlan): PlanTargetView {
  const { apiVersion, kind, namespace, name } = workload
  const ref = { apiVersion, kind, ...(namespace && { namespace }), name }
  return {
    id: workloadId(ref), ref, verdict, before: toReplicas([...before]), after: toReplicas([...after]), moved,
    reason: [reason, ...notes].map(({ text }) => text).join(' '),
  }
}

/** The rebalancer with the record of what was planned. */
function manifestOf(rows: readonly PlanTargetView[], snapshot: PlanSnapshot): RebalancerManifest {
  const { createdBy, ttlSecondsAfterFinished } = snapshot
  return {
    apiVersion: apiVersionOf(workloadRebalancer),
    kind: 'WorkloadRebalancer',
    metadata: {
      generateName: REBALANCER_PREFIX,
      annotations: {
        [PLAN_ANNOTATION]: writePlanRecord(rows), ...(createdBy && { [CREATED_BY_ANNOTATION]: createdBy }),
      },
    },
    spec: {
      workloads: rows.map(({ ref }) => ref), ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    },
  }
}

/** The same by hand, without the console's own annotations. */
function kubectlFor({ apiVersion, kind, metadata: { generateName }, spec }: RebalancerManifest): string {
  const manifest = { apiVersion, kind, metadata: { generateName }, spec }
  return `kubectl create -f - <<'EOF'\n${JSON.stringify(manifest, undefined, 2)}\nEOF`
}
