/** Drops eviction tasks when their replacement is healthy or their time is up. See README.md. */
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, bindingKinds, changedBinding } from '../shared/binding-kinds'
import { createKeptCopies } from './kept-copies'
import { reconcile } from './reconcile'

export interface GracefulEvictionOptions {
  /** Grace of a task that names none, in milliseconds. Default ten minutes. */
  timeoutMs?: number
  /** Whether nothing scheduled counts as a healthy replacement, as upstream. Default false. */
  emptyCountsAsHealthy?: boolean
  /** Grace begins anew while a workload is scheduled nowhere, or when it began in the future. Default: unless as upstream. */
  extendGrace?: boolean
  /** Health counts only with as many replicas as there are to be. Default: unless as upstream. */
  countReplicas?: boolean
  /** Tasks for clusters that do not exist are dropped. Default: unless as upstream. */
  dropUnknownClusters?: boolean
  /** Tasks of evictions whose cluster is scheduled again are dropped. Default: unless as upstream. */
  dropReturned?: boolean
}

export function gracefulEvictionController(
  context: ReconcilerContext,
  options: GracefulEvictionOptions = {},
): Controller {
  const { timeoutMs = 600_000, emptyCountsAsHealthy = false } = options
  const { extendGrace = !emptyCountsAsHealthy, dropUnknownClusters = !emptyCountsAsHealthy } = options
  const { countReplicas = !emptyCountsAsHealthy, dropReturned = !emptyCountsAsHealthy } = options
  const rules = { timeoutMs, emptyCountsAsHealthy, extendGrace, dropUnknownClusters, countReplicas, dropReturned }
  const kept = createKeptCopies()
  return {
    name: 'graceful-eviction',
    concurrency: 5,
    watches: [
      ...bindingKinds.map((kind) => watch({
        kind,
        relevant: (change: Change<Binding>) => {
          kept.note(change)
          return hasTasks(change)
        },
        keys: changedBinding,
      })),
      watch({
        kind: clusterKind,
        relevant: ({ type }) => type === 'deleted',
        keys: (change) => bindingsLeaving(context, change),
      }),
    ],
    start: () => kept.clear(),
    reconcile: (key) => reconcile(context, key, { rules, kept }),
  }
}

/** The bindings that watch over copies in a cluster that is gone. */
function bindingsLeaving({ informers }: ReconcilerContext, change: Change<Cluster>): ObjectKey[] {
  const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
  return bindingKinds.flatMap((kind) => informers.of(kind).list())
    .filter(({ spec }) => spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === name))
    .map(bindingKeyOf)
}

function hasTasks(change: Change<Binding>): boolean {
  return change.type !== 'deleted' && (change.object.spec.gracefulEvictionTasks?.length ?? 0) > 0
}
