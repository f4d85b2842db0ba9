/** One workload in one cluster: what is wanted there, what runs there, and whether that is well. */
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Work } from '@/lib/kube/kinds/work'
import { formatNumberOf } from '@/lib/format/numbers'
import { refusalInWords } from '@/lib/format/refusals'
import type { CellView, ReplicaCounts, StateView } from '../model'
import { withoutZeros } from '../replica-sums'
import {
  type AnyBinding, byCluster, clusterOfWork, conditionView, hasReplicas, requiredClusters,
} from './binding-facts'
import { type Answers, countReplicas, isSilentCluster, replicasReported } from './replica-counts'
import { say } from './say'

export interface CellsSnapshot {
  binding: AnyBinding
  /** The Works of this binding; undefined when Works cannot be read here. */
  works: readonly Work[] | undefined
  /** Readiness by cluster name; undefined when Clusters cannot be read here. */
  readiness: ReadonlyMap<string, Answers> | undefined
  /** What is asked for changed a moment ago, so that replicas which are not ready may just be starting. Default false. */
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
  /** Undefined when readiness is not known here. */
  ready: Answers | undefined
  suspended: boolean
  kept: boolean
  evictionReason: string | undefined
  settling: boolean
}

/** The cells of a workload, sorted by cluster: where it is placed, where it is being evicted, and what is left over. */
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

/** Replicas desired per cluster; 1 per cluster for templates without replicas. */
export function desiredByCluster(binding: AnyBinding): Map<string, number> {
  const counted = hasReplicas(binding)
  const desired = new Map<string, number>()
  const put = (cluster: string, replicas = 0): void => void desired.set(cluster, counted ? Math.max(0, replicas) : 1)
  for (const cluster of requiredClusters(binding)) put(cluster, binding.spec.replicas)
  for (const { name, replicas } of binding.spec.clusters ?? []) put(name, replicas)
  return desired
}

/** True when changes are not sent to that cluster. */
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

/** For templates without replicas: one copy, there or not; ready is what is reported healthy. */
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
  if (isSilentCluster(facts.ready)) return say('unknown', silentReason(facts))
  if (facts.role === 'leaving') return say('active', `leaving ${facts.cluster}, no longer wanted there`)
  return dispatchState(facts, cell) ?? runningState(facts, cell)
}

function silentReason({ cluster, ready, report, role }: CellFacts): string {
  if (ready === 'Recovering') return `waiting for a fresh report from ${cluster}, which is ready again`
  if (role === 'leaving') return `a copy may be left in ${cluster}, which is not ready`
  if (ready === 'Missing') return `no report from ${cluster}, which is not known or never reported`
  return `no ${report ? 'fresh ' : ''}report from ${cluster}, which is not ready`
}

function evictingState({ cluster, kept, evictionReason }: CellFacts): StateView {
  if (kept) return say('held', `kept in ${cluster}, its deletion is suppressed`)
  return say('active', `being evicted from ${cluster} (${evictionReason ?? 'no reason given'})`)
}

/** Undefined once the present manifest is in the member. */
function dispatchState(facts: CellFacts, { applied }: Counts): StateView | undefined {
  const { cluster, suspended, work, worksKnown, report } = facts
  if (suspended) return say('held', `dispatching to ${cluster} is suspended`)
  if (applied) return undefined
  const refused = conditionView(work?.status?.conditions, 'Applied')
  if (refused?.status === 'False')
    return say('fail', `refused by ${cluster}: ${refusalInWords(refused.message || refused.reason)}`)
  if (!worksKnown && report?.appliedMessage)
    return say('fail', `refused by ${cluster}: ${refusalInWords(report.appliedMessage)}`)
  return say('active', `not yet applied in ${cluster}`)
}

function runningState(facts: CellFacts, cell: Counts): StateView {
  return (facts.counted ? (reportState(facts) ?? countState(facts, cell)) : undefined) ?? healthState(facts, cell)
}

/** Undefined when there is a report that can be counted. */
function reportState(facts: CellFacts): StateView | undefined {
  const { cluster, settling, report } = facts
  const reported = replicasReported(facts)
  if (reported.type === 'invalid') return say('warn', `impossible report from ${cluster}: ${reported.problem}`)
  if (reported.type === 'none')
    return settling
      ? say('active', `waiting for the first report of ${cluster}`)
      : say('unknown', `no report from ${cluster} yet`)
  const problem = jobFailure(facts.resource, report?.status)
  if (problem) return say('fail', `failed in ${cluster}: ${problem}`)
  return isOutdated(report?.status) && !settling
    ? say('warn', `latest change not yet observed in ${cluster}`)
    : undefined
}

/** The member changed the object, and its controller has not looked at it since. */
const isOutdated = ({ generation, observedGeneration }: Record<string, unknown> = {}): boolean =>
  typeof generation === 'number' && typeof observedGeneration === 'number' && observedGeneration < generation

/** Why a Job will not go on; it counts as Healthy all the same (as upstream, which has no health rule for it). */
function jobFailure({ kind }: CellFacts['resource'], { conditions }: Record<string, unknown> = {}): string | undefined {
  if (kind !== 'Job' || !Array.isArray(conditions)) return undefined
  const failed = (conditions as (Record<string, unknown> | null)[]).find((each) => each?.['type'] === 'Failed')
  return failed?.['status'] === 'True' ? String(failed['reason'] || 'no reason given') : undefined
}

/** Undefined when the numbers are as desired. */
function countState(
  { cluster, settling }: CellFacts,
  { desired, current, ready, unknown = 0, old = 0, health }: Counts,
): StateView | undefined {
  if (old > 0) return say('active', `${old} too many in ${cluster}`)
  // A healthy report about fewer replicas than desired is about the manifest before this one.
  if (current < desired && health === 'Healthy') return say('active', `${desired - current} more to come in ${cluster}`)
  const missing = desired - ready - unknown
  if (missing <= 0) return undefined
  return settling
    ? say('active', `${missing} of ${desired} starting in ${cluster}`)
    : say('warn', `${missing} of ${desired} short in ${cluster}`)
}

function healthState({ cluster, settling }: CellFacts, { health, desired, unknown = 0 }: Counts): StateView {
  if (health === 'Unhealthy')
    return settling ? say('active', `not yet healthy in ${cluster}`) : say('warn', `unhealthy in ${cluster}`)
  if (health === 'Unknown') return say('unknown', `health in ${cluster} is not known`)
  if (unknown > 0) return say('ok', `healthy in ${cluster}, ready replicas are not reported`)
  return say('ok', desired > 1 ? `${formatNumberOf(desired, 'replica')} ready in ${cluster}` : `healthy in ${cluster}`)
}
