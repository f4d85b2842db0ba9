/** One workload in one cluster: what is wanted there, what runs there, and whether that is well. */
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Work } from '@/lib/kube/kinds/work'
import { formatNumberOf } from '@/lib/format/numbers'
import { refusalInWords } from '@/lib/format/refusals'
import type { CellView, ClusterView, StateView } from '../model'
import {
  type AnyBinding, byCluster, clusterOfWork, conditionView, hasReplicas, requiredClusters,
} from './binding-facts'
import { say } from './say'

export interface CellsSnapshot {
  binding: AnyBinding
  /** The Works of this binding; undefined when Works cannot be read here. */
  works: readonly Work[] | undefined
  /** Readiness by cluster name; undefined when Clusters cannot be read here. */
  readiness: ReadonlyMap<string, ClusterView['ready']> | undefined
  /** What is asked for changed a moment ago, so that replicas which are not ready may just be starting. Default false. */
  settling?: boolean
}

interface CellFacts {
  cluster: string
  role: CellView['role']
  wants: number
  counted: boolean
  report: AggregatedStatusItem | undefined
  work: Work | undefined
  worksKnown: boolean
  /** Undefined when readiness is not known here. */
  ready: ClusterView['ready'] | undefined
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
  const wants = wantsByCluster(binding)
  const tasks = new Map((spec.gracefulEvictionTasks ?? []).map((task) => [task.fromCluster, task]))
  const present = works ? workIn.keys() : reports.keys()
  const clusters = new Set([...wants.keys(), ...tasks.keys(), ...present])
  clusters.delete('')
  return [...clusters].map((cluster) => {
    const task = wants.has(cluster) ? undefined : tasks.get(cluster)
    return {
      cluster,
      role: wants.has(cluster) ? 'placed' : task ? 'evicting' : 'leaving',
      wants: wants.get(cluster) ?? 0,
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

/** Replicas wanted per cluster; 1 per cluster for templates without replicas. */
function wantsByCluster(binding: AnyBinding): Map<string, number> {
  const counted = hasReplicas(binding)
  const wants = new Map<string, number>()
  for (const cluster of requiredClusters(binding)) wants.set(cluster, counted ? (binding.spec.replicas ?? 0) : 1)
  for (const { name, replicas = 0 } of binding.spec.clusters ?? []) wants.set(name, counted ? replicas : 1)
  return wants
}

/** True when changes are not sent to that cluster. */
function isDispatchSuspended({ spec: { suspension } }: AnyBinding, cluster: string): boolean {
  return suspension?.dispatching === true || (suspension?.dispatchingOnClusters?.clusterNames ?? []).includes(cluster)
}

function toCell(facts: CellFacts): CellView {
  const applied = isApplied(facts)
  const counts = facts.counted ? reportedCounts(facts.report?.status) : presence(facts, applied)
  const health = facts.report?.health ?? 'Unknown'
  const { cluster, wants, role } = facts
  const cell = { cluster, wants, ...counts, role, applied, health }
  return { ...cell, state: cellState(facts, cell) }
}

function isApplied({ work, worksKnown, report }: CellFacts): boolean {
  if (!worksKnown) return report?.applied === true
  return conditionView(work?.status?.conditions, 'Applied')?.status === 'True'
}

/** For templates without replicas: one copy, there or not. */
function presence({ report }: CellFacts, applied: boolean): { now: number; ready: number } {
  const now = applied ? 1 : 0
  return { now, ready: report?.health === 'Unhealthy' ? 0 : now }
}

/** Replicas that a member reported. Members leave out zeros, so a report without numbers means none. */
export function reportedCounts(status: Record<string, unknown> | undefined): { now?: number; ready?: number } {
  if (!status) return {}
  if (typeof status.succeeded === 'number' || typeof status.active === 'number') return jobCounts(status)
  return { now: numberIn(status, 'replicas'), ready: numberIn(status, 'readyReplicas') }
}

function jobCounts(status: Record<string, unknown>): { now: number; ready: number } {
  const succeeded = numberIn(status, 'succeeded')
  const active = numberIn(status, 'active')
  return { now: active + succeeded, ready: (typeof status.ready === 'number' ? status.ready : active) + succeeded }
}

const numberIn = (status: Record<string, unknown>, field: string): number => {
  const value = status[field]
  return typeof value === 'number' ? value : 0
}

type Counts = Omit<CellView, 'state'>

function cellState(facts: CellFacts, cell: Counts): StateView {
  if (facts.role === 'evicting') return evictingState(facts)
  if (facts.ready !== undefined && facts.ready !== 'True') return say('unknown', silentReason(facts))
  if (facts.role === 'leaving') return say('active', `leaving ${facts.cluster}, no longer wanted there`)
  return dispatchState(facts, cell) ?? runningState(facts, cell)
}

function silentReason({ cluster, ready, report, role }: CellFacts): string {
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

function runningState({ cluster, counted, settling }: CellFacts, cell: Counts): StateView {
  if (counted && cell.now === undefined) return say('active', `waiting for the first report of ${cluster}`)
  const place = { cluster, settling }
  return (counted ? countState(place, cell) : undefined) ?? healthState(place, cell)
}

interface Place {
  cluster: string
  settling: boolean
}

/** Undefined when the numbers are as wanted. */
function countState(
  { cluster, settling }: Place,
  { wants, now = 0, ready = 0, health }: Counts,
): StateView | undefined {
  if (now > wants) return say('active', `${now - wants} too many in ${cluster}`)
  // A healthy report about fewer replicas than wanted is about the manifest before this one.
  if (now < wants && health === 'Healthy') return say('active', `${wants - now} more to come in ${cluster}`)
  if (ready >= wants) return undefined
  return settling
    ? say('active', `${wants - ready} of ${wants} starting in ${cluster}`)
    : say('warn', `${wants - ready} of ${wants} short in ${cluster}`)
}

function healthState({ cluster, settling }: Place, { health, wants }: Counts): StateView {
  if (health === 'Unhealthy')
    return settling ? say('active', `not yet healthy in ${cluster}`) : say('warn', `unhealthy in ${cluster}`)
  if (health === 'Unknown') return say('unknown', `health in ${cluster} is not known`)
  return say('ok', wants > 1 ? `${formatNumberOf(wants, 'replica')} ready in ${cluster}` : `healthy in ${cluster}`)
}
