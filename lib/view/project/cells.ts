/** One workload in one cluster: desired and actual replicas, and their state. */
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Work } from '@/lib/kube/kinds/work'
import type { CellView, ReplicaCounts, StateView } from '../model'
import { withoutZeros } from '../replica-sums'
import {
  type AnyBinding,
  byCluster,
  clusterOfWork,
  conditionView,
  hasReplicas,
  requiredClusters,
} from './binding-facts'
import { type Answers, countReplicas, isSilentCluster, replicasReported } from './replica-counts'
import { rejection } from './rejection'
import { notify } from './say'

export interface CellsSnapshot {
  binding: AnyBinding
  /** Works of this binding; undefined if Works cannot be read. */
  works: readonly Work[] | undefined
  /** Readiness by cluster name; undefined if Clusters cannot be read. */
  readiness: ReadonlyMap<string, Answers> | undefined
  /** The spec changed recently, so replicas that are not ready may just be starting. Default false. */
  settling?: boolean
}

interface CellFacts {
  cluster: string
  resource: AnyBinding['spec']['resource']
  role: CellView['role']
  desired: number
  counted: boolean
  report: AggregatedStatusItem | undefined
  work: Work | undefined
  worksKnown: boolean
  /** Undefined if readiness is unknown. */
  ready: Answers | undefined
  suspended: boolean
  kept: boolean
  evictionReason: string | undefined
  settling: boolean
}

/**
 * Returns the cells of a workload, sorted by cluster: where it is placed, where it is being evicted, and where replicas
 * are left.
 */
export function projectCells(snapshot: CellsSnapshot): CellView[] {
  return factsOf(snapshot).map(toCell).sort(byCluster)
}

function factsOf({ binding, works, readiness, settling = false }: CellsSnapshot): CellFacts[] {
  const { spec, status } = binding
  const reports = new Map((status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  const workIn = new Map((works ?? []).map((work) => [clusterOfWork(work) ?? '', work]))
  const desired = desiredByCluster(binding)
  const tasks = new Map((spec.gracefulEvictionTasks ?? []).map((task) => [task.fromCluster, task]))
  const present = works ? workIn.keys() : reports.keys()
  const clusters = new Set([...desired.keys(), ...tasks.keys(), ...present])
  clusters.delete('')
  return [...clusters].map((cluster) => {
    const task = desired.has(cluster) ? undefined : tasks.get(cluster)
    return {
      cluster,
      resource: spec.resource,
      role: desired.has(cluster) ? 'placed' : task ? 'evicting' : 'leaving',
      desired: desired.get(cluster) ?? 0,
      counted: hasReplicas(binding),
      report: reports.get(cluster),
      work: workIn.get(cluster),
      worksKnown: works !== undefined,
      ready: readiness && (readiness.get(cluster) ?? 'Missing'),
      suspended: isDispatchSuspended(binding, cluster),
      kept: task?.suppressDeletion === true,
      evictionReason: task?.reason,
      settling,
    }
  })
}

/** Returns desired replicas by cluster; 1 per cluster for templates without replicas. */
export function desiredByCluster(binding: AnyBinding): Map<string, number> {
  const counted = hasReplicas(binding)
  const desired = new Map<string, number>()
  const put = (cluster: string, replicas = 0): void => void desired.set(cluster, counted ? Math.max(0, replicas) : 1)
  for (const cluster of requiredClusters(binding)) put(cluster, binding.spec.replicas)
  for (const { name, replicas } of binding.spec.clusters ?? []) put(name, replicas)
  return desired
}

/** Reports whether changes are not dispatched to that cluster. */
function isDispatchSuspended({ spec: { suspension } }: AnyBinding, cluster: string): boolean {
  return suspension?.dispatching === true || (suspension?.dispatchingOnClusters?.clusterNames ?? []).includes(cluster)
}

function toCell(facts: CellFacts): CellView {
  const { cluster, role } = facts
  const applied = isApplied(facts)
  const isSilent = isSilentCluster(facts.ready)
  const counts = facts.counted ? countReplicas({ ...facts, isSilent }) : presence(facts, { applied, isSilent })
  const health = facts.report?.health ?? 'Unknown'
  const cell = { cluster, ...counts, role, applied, health }
  return { ...cell, state: cellState(facts, cell) }
}

function isApplied({ work, worksKnown, report }: CellFacts): boolean {
  if (!worksKnown) return report?.applied === true
  return conditionView(work?.status?.conditions, 'Applied')?.status === 'True'
}

/** Counts a template without replicas: one copy that exists or not; ready if it is reported healthy. */
function presence(
  { desired, report }: CellFacts,
  { applied, isSilent }: { applied: boolean; isSilent: boolean },
): ReplicaCounts {
  const there = applied ? 1 : 0
  if (isSilent) return withoutZeros({ desired, current: 0, ready: 0, unknown: desired, oldUnknown: there - desired })
  if (desired === 0) return withoutZeros({ desired, current: 0, ready: 0, old: there })
  const health = report?.health ?? 'Unknown'
  const unknown = health === 'Unknown' ? there : 0
  return withoutZeros({ desired, current: there, ready: health === 'Healthy' ? there : 0, unknown })
}

type Counts = Omit<CellView, 'state'>

function cellState(facts: CellFacts, cell: Counts): StateView {
  if (facts.role === 'evicting') return evictingState(facts)
  if (isSilentCluster(facts.ready)) return silentState(facts)
  if (facts.role === 'leaving') return notify('active', 'workload.cell.removing')
  return dispatchState(facts, cell) ?? runningState(facts, cell)
}

function silentState({ ready, report, role }: CellFacts): StateView {
  if (ready === 'Recovering') return notify('unknown', 'workload.cell.recovering')
  if (role === 'leaving') return notify('unknown', 'workload.cell.mayRemain')
  if (ready === 'Missing') return notify('unknown', 'workload.cell.clusterUnknown')
  return notify('unknown', report ? 'workload.cell.staleReport' : 'workload.cell.noReport')
}

function evictingState({ kept, evictionReason: reason }: CellFacts): StateView {
  if (kept) return notify('held', 'workload.cell.kept')
  return reason
    ? notify('active', 'workload.cell.evicting', { reason })
    : notify('active', 'workload.cell.evictingWithoutReason')
}

/** Returns undefined once the current manifest is applied in the member. */
function dispatchState(facts: CellFacts, { applied }: Counts): StateView | undefined {
  const { suspended, work, worksKnown, report } = facts
  if (suspended) return notify('held', 'workload.cell.dispatchSuspended')
  if (applied) return undefined
  const condition = conditionView(work?.status?.conditions, 'Applied')
  if (condition?.status === 'False')
    return notify('fail', 'workload.cell.rejected', { why: rejection(condition.message || condition.reason) })
  if (!worksKnown && report?.appliedMessage)
    return notify('fail', 'workload.cell.rejected', { why: rejection(report.appliedMessage) })
  return notify('active', 'workload.cell.notApplied')
}

function runningState(facts: CellFacts, cell: Counts): StateView {
  return (facts.counted ? (reportState(facts) ?? countState(facts, cell)) : undefined) ?? healthState(facts, cell)
}

/** Returns undefined if there is a valid report. */
function reportState(facts: CellFacts): StateView | undefined {
  const { settling, report } = facts
  const reported = replicasReported(facts)
  if (reported.type === 'invalid') return notify('warn', 'workload.cell.invalidReport', { problem: reported.problem })
  if (reported.type === 'none')
    return settling ? notify('active', 'workload.cell.awaitingReport') : notify('unknown', 'workload.cell.unreported')
  const reason = jobFailure(facts.resource, report?.status)
  if (reason) return notify('fail', 'workload.cell.jobFailed', { reason })
  return isOutdated(report?.status) && !settling ? notify('warn', 'workload.cell.outdated') : undefined
}

/** Reports whether the member changed the object and its controller has not observed the change yet. */
const isOutdated = ({ generation, observedGeneration }: Record<string, unknown> = {}): boolean =>
  typeof generation === 'number' && typeof observedGeneration === 'number' && observedGeneration < generation

/** Returns why a Job failed. As upstream, it still counts as Healthy, because it has no health rule. */
function jobFailure({ kind }: CellFacts['resource'], { conditions }: Record<string, unknown> = {}): string | undefined {
  if (kind !== 'Job' || !Array.isArray(conditions)) return undefined
  const failed = (conditions as (Record<string, unknown> | null)[]).find((each) => each?.['type'] === 'Failed')
  return failed?.['status'] === 'True' ? String(failed['reason'] || 'Failed') : undefined
}

/** Returns undefined if the numbers are as desired. */
function countState(
  { settling }: CellFacts,
  { desired, current, ready, unknown = 0, old = 0, health }: Counts,
): StateView | undefined {
  if (old > 0) return notify('active', 'workload.cell.surplus', { n: old })
  // A healthy report with fewer replicas than desired refers to the previous manifest.
  if (current < desired && health === 'Healthy')
    return notify('active', 'workload.cell.creating', { n: desired - current })
  const n = desired - ready - unknown
  if (n <= 0) return undefined
  return settling ? notify('active', 'workload.cell.starting', { n }) : notify('warn', 'workload.cell.short', { n })
}

/** Shared objects, because most cells of a list have the same state. */
const READY = notify('ok', 'workload.cell.ready')
const HEALTHY = notify('ok', 'workload.cell.healthy')

function healthState({ counted, settling }: CellFacts, { health, desired, unknown = 0 }: Counts): StateView {
  if (health === 'Unhealthy')
    return settling ? notify('active', 'workload.cell.notYetHealthy') : notify('warn', 'workload.cell.unhealthy')
  if (health === 'Unknown') return notify('unknown', 'workload.cell.healthUnknown')
  if (unknown > 0) return notify('ok', 'workload.cell.readyUnreported')
  return counted && desired > 0 ? READY : HEALTHY
}
