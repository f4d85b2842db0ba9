/** Evicts workloads from clusters whose NoExecute taints they do not tolerate. See README.md. */
import { evictionRate } from '@/lib/domain/cluster'
import { compareEvictions, noExecuteTaints, type PurgeMode } from '@/lib/domain/eviction'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import {
  type Binding,
  bindingKeyOf,
  bindingKinds,
  bindingsOn,
  changedBinding,
  indexByCluster,
} from '../shared/binding-kinds'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import { evictingTaints } from './observe'
import { reconcile } from './reconcile'
import { createEvictionLimiter } from './eviction-limiter'

export interface TaintManagerOptions extends Partial<CompatibilityProfile['taintManager']> {
  /** Evictions per second over all bindings. Default 0.5; 0 means one every half hour. */
  resourceEvictionRate?: number
  /** Evictions per second while many clusters are lost. Default: a fifth of `resourceEvictionRate`. */
  secondaryEvictionRate?: number
  /** Share of clusters that are not Ready at which the secondary rate begins. Default 0.55. */
  unhealthyClusterThreshold?: number
  /** Purge mode of bindings whose policy has no `failover.cluster`. Default `Gracefully`. */
  purgeMode?: PurgeMode
}

export function taintManagerController(context: ReconcilerContext, options: TaintManagerOptions = {}): Controller {
  const { resourceEvictionRate = 0.5, purgeMode = 'Gracefully' } = options
  const switches = pickSwitches({ ...evenkeelProfile.taintManager, ...options })
  const { secondaryEvictionRate = resourceEvictionRate / 5, unhealthyClusterThreshold = 0.55 } = options
  const rates = {
    perSecond: resourceEvictionRate,
    slowPerSecond: secondaryEvictionRate,
    unhealthyShare: unhealthyClusterThreshold,
  }
  const limiter = createEvictionLimiter(context.clock, () =>
    evictionRate(context.informers.of(clusterKind).list(), rates),
  )
  return {
    name: 'taint-manager',
    concurrency: 3,
    watches: [
      watch({ kind: clusterKind, keys: (change) => bindingsOf(context, change) }),
      ...bindingKinds.map((kind) =>
        watch({ kind, relevant: (change) => isDrivenOut(context, change), keys: changedBinding }),
      ),
    ],
    start: () => indexByCluster(context.informers),
    reconcile: (key) => reconcile(context, key, { purgeMode, limiter, ...switches }),
  }
}

const pickSwitches = ({ datedTasks, preserveState, skipMissingState }: CompatibilityProfile['taintManager']) => ({
  datedTasks,
  preserveState,
  skipMissingState,
})

/** Returns the bindings on a cluster that evicts workloads, or did before the change, in the order of eviction. */
function bindingsOf({ informers }: ReconcilerContext, change: Change<Cluster>): ObjectKey[] {
  const states = [
    change.type === 'added' ? undefined : change.old,
    change.type === 'deleted' ? undefined : change.object,
  ]
  if (!states.some((cluster) => noExecuteTaints(cluster?.spec.taints).length > 0)) return []
  const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
  return bindingsOn(informers, name).toSorted(compareEvictions).map(bindingKeyOf)
}

function isDrivenOut(context: ReconcilerContext, change: Change<Binding>): boolean {
  if (change.type === 'deleted') return true
  return (change.object.spec.clusters ?? []).some(({ name }) => evictingTaints(context, name).length > 0)
}
