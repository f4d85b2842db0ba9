import { type EvictionRules, type EvictionSnapshot, evictionSnapshotOf } from '@/lib/domain/eviction'
import { cluster as clusterKind } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, findBinding } from '../shared/binding-kinds'

/** Rules of the assessment, and whether tasks for missing clusters are dropped. */
export type ControllerRules = EvictionRules & { dropUnknownClusters: boolean }

/** Returns undefined if the binding does not exist, is being deleted, or has no task. */
export function observe(
  { informers, clock }: ReconcilerContext,
  key: ObjectKey,
  { dropUnknownClusters, ...rules }: ControllerRules,
): { binding: Binding; snapshot: EvictionSnapshot } | undefined {
  const binding = findBinding(informers, key)
  if (!binding || binding.metadata.deletionTimestamp || !binding.spec.gracefulEvictionTasks?.length) return undefined
  return {
    binding,
    snapshot: {
      ...evictionSnapshotOf(binding, clock.now(), rules),
      ...(dropUnknownClusters && {
        knownClusters: new Set(
          informers
            .of(clusterKind)
            .list()
            .map(({ metadata: { name } }) => name),
        ),
      }),
    },
  }
}
