/** Derives the failovers of a workload, with stages and deadlines, from API objects alone. */
import type { GracefulEvictionTask } from '../../kube/kinds/binding'
import { parseTime, type EpochMs } from '../../std/clock'
import { presentPurgeMode } from '../../kube/purge-mode'
import { type EvictionSnapshot, evictionRules, evictionSnapshotOf, graceEnds, isReplacementHealthy } from '../eviction'
import { APPLICATION_FAILURE } from './evict-failed'
import { blockedPredecessors } from './history'
import { pendingClusterEviction, pendingFailureEviction, type PendingEviction } from './pending-eviction'
import type { Failover, FailoverSnapshot } from './failover'

const TAINT = 'TaintUntolerated'

/**
 * Returns the failovers of a binding: one for each cluster with a task, in the order of the tasks, then one for each
 * cluster where it, or the cluster, fails. Completed failovers leave no trace in the objects.
 */
export function listFailovers(snapshot: FailoverSnapshot): Failover[] {
  const { spec } = snapshot.binding
  const tasks = spec.gracefulEvictionTasks ?? []
  const leaving = new Set(tasks.map(({ fromCluster }) => fromCluster))
  const failing = (spec.clusters ?? [])
    .filter(({ name }) => !leaving.has(name))
    .flatMap(({ name }) => {
      const pending = pendingClusterEviction(snapshot, name) ?? pendingFailureEviction(snapshot, name)
      return pending ? [failoverOfFailure(snapshot, name, pending)] : []
    })
  return [...tasks.map((task) => failoverOfTask(snapshot, task)), ...failing]
}

function failoverOfTask(snapshot: FailoverSnapshot, task: GracefulEvictionTask): Failover {
  const { fromCluster, producer, reason, creationTimestamp, replicas } = task
  const since = timeOf(creationTimestamp)
  const eviction = evictionOf(snapshot)
  const ends = since === undefined || task.suppressDeletion !== undefined ? undefined : graceEnds(task, eviction)
  return {
    ...frame(snapshot, fromCluster),
    cause: reason === TAINT ? 'cluster' : reason === APPLICATION_FAILURE ? 'application' : 'request',
    stage: isReplacementHealthy(eviction) ? 'replaced' : 'evicting',
    ...(since !== undefined && { since }),
    ...(ends !== undefined && { deadline: { at: ends, meaning: 'grace' as const } }),
    producer,
    reason,
    purgeMode: presentPurgeMode(task.purgeMode) ?? 'Gracefully',
    kept: task.suppressDeletion === true,
    ...(replicas !== undefined && { replicas }),
  }
}

function failoverOfFailure(
  snapshot: FailoverSnapshot,
  cluster: string,
  { cause, stage, since, deadline, purgeMode }: PendingEviction,
): Failover {
  const replicas = snapshot.binding.spec.clusters?.find(({ name }) => name === cluster)?.replicas
  return {
    ...frame(snapshot, cluster),
    cause,
    stage,
    kept: false,
    ...(since !== undefined && { since }),
    ...(deadline && { deadline }),
    ...(purgeMode && { purgeMode }),
    ...(replicas !== undefined && { replicas }),
  }
}

type Frame = Pick<Failover, 'binding' | 'resource' | 'cluster' | 'successors' | 'blockedUntil'>

function frame({ binding, now }: FailoverSnapshot, cluster: string): Frame {
  const {
    kind,
    metadata: { namespace, name },
    spec,
    status,
  } = binding
  const { resource } = spec
  const block = blockedPredecessors(binding).find((one) => one.cluster === cluster && one.until > now)
  const others = (spec.clusters ?? []).filter((target) => target.name !== cluster)
  return {
    binding: { kind, ...(namespace !== undefined && { namespace }), name },
    resource: {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      name: resource.name,
      ...(resource.namespace !== undefined && { namespace: resource.namespace }),
    },
    cluster,
    successors: others.map((target) => ({
      cluster: target.name,
      ...(target.replicas !== undefined && { replicas: target.replicas }),
      health: status?.aggregatedStatus?.find(({ clusterName }) => clusterName === target.name)?.health ?? 'Unknown',
    })),
    ...(block && { blockedUntil: block.until }),
  }
}

/** Builds the same input as the graceful eviction controller. */
function evictionOf({ binding, now, settings }: FailoverSnapshot): EvictionSnapshot {
  return evictionSnapshotOf(binding, now, evictionRules(settings))
}

function timeOf(text: string | undefined): EpochMs | undefined {
  const at = text === undefined ? Number.NaN : parseTime(text)
  return Number.isNaN(at) ? undefined : at
}
