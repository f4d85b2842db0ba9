/** Selects the bindings that a change of a cluster or of a quota affects. */
import { clusterVersionsToExamine, isSchedulable, wakesOnCluster } from '@/lib/domain/placement'
import { increasesHeadroom } from '@/lib/kube/admission/quota'
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { FederatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change, Informers } from '@/server/kube/informer'
import { type Binding, bindingKeyOf, bindingKinds } from '../shared/binding-kinds'
import type { SchedulerSettings } from './settings'

const WAITING = 'scheduler/waiting'

/** Indexes the bindings that could not be placed. */
export function indexWaiting(informers: Informers): void {
  const values = (binding: Binding): string[] => (failureOf(binding) === undefined ? [] : ['yes'])
  for (const kind of bindingKinds) informers.of(kind).addIndex(WAITING, values)
}

/** Returns why a binding could not be placed. */
function failureOf({ status }: Binding): string | undefined {
  const scheduled = findCondition(status?.conditions, 'Scheduled')
  return scheduled?.status === 'False' ? scheduled.reason : undefined
}

/**
 * Returns the bindings that a quota of their namespace rejected, when the quota was deleted or has more room than
 * before.
 */
export function bindingsThatMayFit(
  informers: Informers,
  change: Change<FederatedResourceQuota>,
  { profile: { schedulerName } }: SchedulerSettings,
): ObjectKey[] {
  if (change.type === 'added' || (change.type === 'updated' && !increasesHeadroom(change.old, change.object))) return []
  const { namespace = '' } = change.old.metadata
  return informers
    .of(resourceBinding)
    .listNamespace(namespace)
    .filter((binding) => isSchedulable(binding, schedulerName) && mayBeRefused(binding))
    .map(bindingKeyOf)
}

/** Includes bindings whose rejection is not cached yet: their current generation is not observed. */
function mayBeRefused(binding: Binding): boolean {
  const {
    metadata: { generation = 0 },
    status,
  } = binding
  return failureOf(binding) === 'QuotaExceeded' || (status?.schedulerObservedGeneration ?? 0) !== generation
}

/**
 * Returns the bindings whose affinity matches the cluster before or after a change of its labels or spec, or when its
 * deletion starts. With `wakeOnCapacity`, also every pending binding when a cluster may have gained capacity for it.
 */
export function bindingsConcernedBy(
  informers: Informers,
  change: Change<Cluster>,
  settings: SchedulerSettings,
): Set<ObjectKey> {
  const concerned = new Set<ObjectKey>()
  const add = (bindings: readonly Binding[], test: (binding: Binding) => boolean): void => {
    for (const binding of bindings) if (test(binding)) concerned.add(bindingKeyOf(binding))
  }
  const { schedulerName } = settings.profile
  const versions = versionsToExamine(change)
  for (const kind of bindingKinds) {
    const informer = informers.of(kind)
    if (versions.length > 0) {
      add(informer.list(), (binding) => versions.some((cluster) => wakesOnCluster(binding, cluster, schedulerName)))
    }
    if (settings.wakeOnCapacity && mayMakeRoom(change)) {
      add(informer.byIndex(WAITING, 'yes'), (binding) => isSchedulable(binding, schedulerName))
    }
  }
  return concerned
}

function versionsToExamine(change: Change<Cluster>): Cluster[] {
  if (change.type !== 'updated') return []
  const versions = clusterVersionsToExamine(change.old, change.object)
  return versions.map((version) => (version === 'before' ? change.old : change.object))
}

/** Reports whether a cluster is new, or its capacity, kinds, labels, taints or conditions changed. */
function mayMakeRoom(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const { old, object } = change
  return (
    old.metadata.generation !== object.metadata.generation
    || !deepEqual(old.metadata.labels, object.metadata.labels)
    || !deepEqual(old.spec.taints, object.spec.taints)
    || !deepEqual(old.status?.resourceSummary, object.status?.resourceSummary)
    || !deepEqual(old.status?.apiEnablements, object.status?.apiEnablements)
  )
}
