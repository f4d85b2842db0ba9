/**
 * Make before break, with fields that every Karmada control plane supports:
 * - a cluster that loses all replicas gets an eviction task with suppressed deletion: its replicas stay, without
 * updates;
 * - a cluster that keeps fewer replicas is listed in `suspension.dispatchingOnClusters`: it is not scaled down yet. So is
 * one that is to keep all, because the scheduler may decide otherwise than predicted; if it gives it more, it is let go.
 *
 * Both end in one write once the new replicas are ready. If this process stops, too many replicas keep running, never
 * too few.
 */
import type { BindingSpec, GracefulEvictionTask, TargetCluster } from '@/lib/kube/kinds/binding'
import { message } from '@/lib/messages/message'
import { formatTime } from '@/lib/std/clock'
import { isProtection, PLAN_PRODUCER } from '../../eviction'
import type { Binding } from '../../placement'
import type { RunRecord } from './record'
import type { PlanContext } from './snapshot'

/** Clusters that need protection during a move. */
export interface Protection {
  hold: string[]
  keep: string[]
}

export const unprotected: Protection = { hold: [], keep: [] }

/** Returns the clusters that lose some of their replicas (`hold`), and those that lose all (`keep`). */
export function protectionFor(before: readonly TargetCluster[], after: readonly TargetCluster[]): Protection {
  const next = new Map(after.map(({ name, replicas = 0 }) => [name, replicas]))
  const names = (test: (target: TargetCluster) => boolean): string[] => before.filter(test).map(({ name }) => name)
  return {
    hold: names(({ name, replicas = 0 }) => next.has(name) && next.get(name)! < replicas),
    keep: names(({ name }) => !next.has(name)),
  }
}

/**
 * Returns the protection also of clusters that are to keep all their replicas. Those that another client suspended are
 * left to it: they are not scaled down either.
 */
export function withSteady(
  protection: Protection,
  { clusters: before = [], suspension }: BindingSpec,
  after: readonly TargetCluster[],
): Protection {
  const next = new Map(after.map(({ name, replicas = 0 }) => [name, replicas]))
  const suspended = new Set(suspension?.dispatchingOnClusters?.clusterNames)
  const steady = before.filter(
    ({ name, replicas = 0 }) => replicas > 0 && next.get(name) === replicas && !suspended.has(name),
  )
  return { ...protection, hold: [...protection.hold, ...steady.map(({ name }) => name)] }
}

type ProtectedFields = Pick<BindingSpec, 'gracefulEvictionTasks' | 'suspension'>

type Writing = Pick<PlanContext, 'now' | 'english'>

/** Returns the spec with the protection added; entries of other clients stay. */
export function withProtection(spec: BindingSpec, { hold, keep }: Protection, writing: Writing): ProtectedFields {
  const present = spec.gracefulEvictionTasks ?? []
  const held = spec.suspension?.dispatchingOnClusters?.clusterNames ?? []
  const tasks = keep
    .filter((name) => !present.some((task) => task.fromCluster === name))
    .map((name) => taskFor(spec, name, writing))
  const added = hold.filter((name) => !held.includes(name))
  return {
    ...(present.length + tasks.length > 0 && { gracefulEvictionTasks: [...present, ...tasks] }),
    ...((spec.suspension || added.length > 0) && {
      suspension: {
        ...spec.suspension,
        ...(held.length + added.length > 0 && { dispatchingOnClusters: { clusterNames: [...held, ...added] } }),
      },
    }),
  }
}

function taskFor({ clusters = [] }: BindingSpec, fromCluster: string, { now, english }: Writing): GracefulEvictionTask {
  const replicas = clusters.find(({ name }) => name === fromCluster)?.replicas ?? 0
  return {
    fromCluster,
    ...(replicas > 0 && { replicas }),
    producer: PLAN_PRODUCER,
    reason: 'Rebalance',
    purgeMode: 'Gracefully',
    message: english(message('rebalance.run.protection')),
    suppressDeletion: true,
    creationTimestamp: formatTime(now),
  }
}

/** Returns the spec without the protection in the record; absent fields are to be removed. */
export function withoutProtection(
  spec: BindingSpec,
  { hold, keep }: Pick<RunRecord, 'hold' | 'keep'>,
): ProtectedFields {
  const tasks = (spec.gracefulEvictionTasks ?? []).filter((task) => !isOurs(task, keep))
  const names = (spec.suspension?.dispatchingOnClusters?.clusterNames ?? []).filter((name) => !hold.includes(name))
  const { dispatchingOnClusters: _, ...rest } = spec.suspension ?? {}
  const suspension = { ...rest, ...(names.length > 0 && { dispatchingOnClusters: { clusterNames: names } }) }
  return {
    ...(tasks.length > 0 && { gracefulEvictionTasks: tasks }),
    ...(Object.keys(suspension).length > 0 && { suspension }),
  }
}

function isOurs(task: GracefulEvictionTask, keep: readonly string[]): boolean {
  return isProtection(task) && keep.includes(task.fromCluster)
}

/** Reports whether the protection in the record is complete; other clients may have removed it. */
export function isProtected({ spec }: Binding, { hold, keep }: RunRecord): boolean {
  const held = spec.suspension?.dispatchingOnClusters?.clusterNames ?? []
  const kept = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster))
  return hold.every((name) => held.includes(name)) && keep.every((name) => kept.has(name))
}
