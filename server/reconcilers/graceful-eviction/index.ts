/** Removes eviction tasks when their replacement is healthy or their grace period ends. See README.md. */
import { evictionRules, type EvictionSettings } from '@/lib/domain/eviction'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, bindingKinds, changedBinding } from '../shared/binding-kinds'
import { createKeptReplicas } from './kept-replicas'
import type { ControllerRules } from './observe'
import { reconcile } from './reconcile'

export interface GracefulEvictionOptions extends EvictionSettings {
  /** Overrides of individual rules. */
  rules?: Partial<ControllerRules>
}

export function gracefulEvictionController(
  context: ReconcilerContext,
  options: GracefulEvictionOptions = {},
): Controller {
  const rules = { ...evictionRules(options), dropUnknownClusters: !options.upstreamEviction, ...options.rules }
  const kept = createKeptReplicas()
  return {
    name: 'graceful-eviction',
    concurrency: 5,
    watches: [
      ...bindingKinds.map((kind) =>
        watch({
          kind,
          relevant: (change: Change<Binding>) => {
            kept.note(change)
            return hasTasks(change)
          },
          keys: changedBinding,
        }),
      ),
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

/** Returns the bindings with an eviction task for a deleted cluster. */
function bindingsLeaving({ informers }: ReconcilerContext, change: Change<Cluster>): ObjectKey[] {
  const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
  return bindingKinds
    .flatMap((kind) => informers.of(kind).list())
    .filter(({ spec }) => spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === name))
    .map(bindingKeyOf)
}

function hasTasks(change: Change<Binding>): boolean {
  return change.type !== 'deleted' && (change.object.spec.gracefulEvictionTasks?.length ?? 0) > 0
}
