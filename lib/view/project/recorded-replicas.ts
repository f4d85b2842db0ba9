/** Ready replicas of a workload by cluster for the journal, recorded only during a failover or move. */
import { isOpen, readRunRecord } from '@/lib/domain/rebalance/run/record'
import { deepEqual } from '@/lib/std/equal'
import type { ReplicasFact } from '../journal'
import { type AnyBinding, hasReplicas, strategyOf } from './binding-facts'
import { desiredByCluster } from './cells'
import { countReplicas } from './replica-counts'

interface Recording {
  /** The workload's facts in the journal, by name. */
  known?: ReadonlyMap<string, unknown> | undefined
  /** Returns undefined for an unknown cluster, which does not end a recording. */
  isTroubled?: ((cluster: string) => boolean | undefined) | undefined
}

const PREFIX = 'replicas '

/** Returns the cluster of a fact about recorded replicas, by its name; undefined for other facts. */
export const clusterOfReplicas = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined

/**
 * Returns facts by cluster; none without a failover or move. Rollouts of healthy workloads are not recorded: with 200
 * changes per second they would displace a week of failovers within half an hour.
 */
export function recordedReplicas(binding: AnyBinding, recording: Recording): Map<string, ReplicasFact> {
  const recorded = [...(recording.known?.keys() ?? [])].flatMap((name) => clusterOfReplicas(name) ?? [])
  const isRecorded = recorded.length > 0
  if (!isRecorded && !isConcerned(binding, recording)) return new Map()
  const facts = replicasByCluster(binding, recorded)
  const { isTroubled = () => false } = recording
  const isUnknown = (binding.spec.clusters ?? []).some(({ name }) => isTroubled(name) === undefined)
  const isOver = !isConcerned(binding, recording) && !isUnknown && isSettled(facts, isTroubled)
  return isOver && isRecordedAs(facts, recording) ? new Map() : facts
}

/** The final state is recorded as an entry before the recording ends, because it may have been reached unobserved. */
function isRecordedAs(facts: ReadonlyMap<string, ReplicasFact>, { known }: Recording): boolean {
  return [...facts].every(([cluster, fact]) => deepEqual(known?.get(`${PREFIX}${cluster}`), fact))
}

/**
 * Reports whether the workload leaves a cluster, is about to, fails, or is moved by a plan (which may only change its
 * shares).
 */
function isConcerned(binding: AnyBinding, { isTroubled = () => false }: Recording): boolean {
  const { spec, status } = binding
  if ((spec.gracefulEvictionTasks ?? []).length > 0) return true
  if (isOpen(readRunRecord(binding))) return true
  if ((spec.clusters ?? []).some(({ name }) => isTroubled(name))) return true
  return (status?.aggregatedStatus ?? []).some(({ health }) => health === 'Unhealthy')
}

/**
 * Reports whether all replicas are ready and old ones are gone from working clusters; otherwise the last entry would
 * count them forever. Old replicas in a failing cluster may stay as long as it fails.
 */
function isSettled(facts: ReadonlyMap<string, ReplicasFact>, isTroubled: (cluster: string) => boolean | undefined) {
  const all = [...facts]
  const ready = all.reduce((sum, [, fact]) => sum + fact.ready, 0)
  return all.every(([cluster, { desired, old = 0 }]) => ready >= desired && (old === 0 || isTroubled(cluster)))
}

/** `recorded`: clusters that had replicas when the recording began. */
function replicasByCluster(binding: AnyBinding, recorded: readonly string[]): Map<string, ReplicasFact> {
  const { spec, status } = binding
  const placed = desiredByCluster(binding)
  const reports = new Map((status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  const isCounted = hasReplicas(binding)
  const desired = isCounted ? desiredOf(binding, placed) : placed.size
  const factOf = (cluster: string): ReplicasFact => {
    const report = reports.get(cluster)
    const here = placed.get(cluster) ?? 0
    if (!isCounted)
      return { placed: here, ready: report?.health === 'Healthy' ? Math.min(1, here) : 0, desired, copies: true }
    const facts = { resource: spec.resource, report, isSilent: false }
    const { ready, oldReady = 0 } = countReplicas({ ...facts, desired: here })
    return { placed: here, ready, ...(oldReady > 0 && { old: oldReady }), desired }
  }
  const clusters = new Set([...placed.keys(), ...reports.keys(), ...recorded])
  return new Map([...clusters].sort().map((cluster) => [cluster, factOf(cluster)]))
}

/** A duplicated workload has its desired replicas in each of its clusters. */
function desiredOf(binding: AnyBinding, placed: ReadonlyMap<string, number>): number {
  if (strategyOf(binding) !== 'Duplicated') return binding.spec.replicas ?? 0
  return [...placed.values()].reduce((all, each) => all + each, 0)
}
