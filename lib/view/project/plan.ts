/** The view of a rebalance preview. */
import type { RebalancePlan, TargetPlan } from '@/lib/domain/rebalance'
import { rebalancePlan, type RebalancePlanSpec } from '@/lib/kube/kinds/rebalance-plan'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { apiVersionOf } from '@/lib/kube/kind'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { Rollout } from '../actions'
import type { WorkloadRef } from '../model'
import type { PlanTargetView, RebalancePlanView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'
import { writePlanRecord, CREATED_BY_ANNOTATION, PLAN_ANNOTATION } from './plan-record'
import { nameFor, narrowTarget } from './narrow-preview'

/** Prefix of the names of rebalancers; a time and a random part follow. */
export const REBALANCER_PREFIX = 'rebalance-'

export interface PlanSnapshot {
  plan: RebalancePlan
  now: EpochMs
  createdBy?: string
  ttlSecondsAfterFinished?: number
  /** Absent: without waves. */
  rollout?: Rollout
  /** For a reader who may not list clusters: the clusters of their bindings. */
  knownClusters?: ReadonlySet<string>
}

interface Manifest<K extends string, S> {
  apiVersion: string
  kind: K
  metadata: { generateName: string; annotations: Record<string, string> }
  spec: S
}

/** The object that a confirmation creates; the server completes the name. */
export type RebalancerManifest = Manifest<
  'WorkloadRebalancer',
  { workloads: WorkloadRef[]; ttlSecondsAfterFinished?: number }
>
export type PlanManifest = Manifest<'RebalancePlan', RebalancePlanSpec>

/** Returns the preview. Targets are in the requested order. */
export function projectPlan(snapshot: PlanSnapshot): RebalancePlanView {
  const { plan, now, rollout } = snapshot
  const { targets, moving, replicasMoved, clustersTouched } = plan.totals
  const { knownClusters: known } = snapshot
  const all = plan.targets.map((target) => projectTarget(target, rollout !== undefined))
  const rows = known ? all.map((row) => narrowTarget(row, known)) : all
  const touched = known ? new Set([...clustersTouched].map(nameFor(known))) : clustersTouched
  const manifest = rollout
    ? planManifest({ workloads: rows.map(({ ref }) => ref), base: plan.base }, { ...snapshot, rollout })
    : rebalancerManifest(rows, snapshot)
  return {
    base: plan.base,
    computedAt: formatTime(now),
    targets: rows,
    totals: { targets, moving, replicasMoved, clustersTouched: [...touched] },
    headroom: known ? [] : plan.headroom.map((line) => ({ ...line })),
    manifest,
    kubectl: kubectlFor(manifest),
  }
}

function projectTarget(
  { workload, verdict, before, after, moved, reason, notes, ready, uncertain }: TargetPlan,
  inWaves: boolean,
): PlanTargetView {
  const { apiVersion, kind, namespace, name } = workload
  const ref = { apiVersion, kind, ...(namespace && { namespace }), name }
  const removed = verdict === 'moves' && after.length === 0
  const lowest = removed ? 0 : inWaves ? ready.expected : ready.unprotected
  return {
    id: workloadId(ref),
    ref,
    verdict,
    before: toReplicas([...before]),
    after: toReplicas([...after]),
    moved,
    reason: reason.text,
    notes: notes.map(({ text }) => text),
    // A WorkloadRebalancer deletes old replicas before new ones are ready.
    ready: { now: ready.now, lowest, floor: ready.floor },
    ...(removed && { removed }),
    ...(uncertain && { uncertain }),
  }
}

/**
 * Returns the rebalancer with the record of the preview. It lists only moving workloads, because it triggers all it
 * lists, and when it runs the scheduler might move those that stay now, or remove those that fit nowhere.
 */
function rebalancerManifest(all: readonly PlanTargetView[], snapshot: PlanSnapshot): RebalancerManifest {
  const rows = all.filter(({ verdict }) => verdict === 'moves')
  const { createdBy, ttlSecondsAfterFinished } = snapshot
  return {
    apiVersion: apiVersionOf(workloadRebalancer),
    kind: 'WorkloadRebalancer',
    metadata: {
      generateName: REBALANCER_PREFIX,
      annotations: {
        [PLAN_ANNOTATION]: writePlanRecord(rows),
        ...(createdBy && { [CREATED_BY_ANNOTATION]: createdBy }),
      },
    },
    spec: {
      workloads: rows.map(({ ref }) => ref),
      ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    },
  }
}

/** The fields of a plan besides its rollout. */
export type PlanSubject = Pick<RebalancePlanSpec, 'workloads' | 'selection' | 'undoOf' | 'base'>

/** Returns a plan that runs in waves. Without `base` it waits for approval. */
export function planManifest(
  subject: PlanSubject,
  {
    rollout,
    createdBy,
    ttlSecondsAfterFinished,
  }: Pick<PlanSnapshot, 'createdBy' | 'ttlSecondsAfterFinished'> & { rollout?: Rollout },
): PlanManifest {
  return {
    apiVersion: apiVersionOf(rebalancePlan),
    kind: 'RebalancePlan',
    metadata: { generateName: REBALANCER_PREFIX, annotations: createdBy ? { [CREATED_BY_ANNOTATION]: createdBy } : {} },
    spec: {
      ...subject,
      ...(rollout && rolloutSpec(rollout)),
      ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    },
  }
}

function rolloutSpec({
  waveSize,
  soakSeconds,
  minReady,
  makeBeforeBreak,
  onRegression,
  allowFewerReplicas,
}: Rollout): Partial<RebalancePlanSpec> {
  return {
    waves: { size: waveSize, soakSeconds },
    minReady,
    makeBeforeBreak,
    onRegression,
    ...(allowFewerReplicas && { allowFewerReplicas }),
  }
}

/** Returns the equivalent kubectl command, without the console's own annotations. */
function kubectlFor({ apiVersion, kind, metadata: { generateName }, spec }: RebalancerManifest | PlanManifest): string {
  const manifest = { apiVersion, kind, metadata: { generateName }, spec }
  return `kubectl create -f - <<'EOF'\n${JSON.stringify(manifest, undefined, 2)}\nEOF`
}
