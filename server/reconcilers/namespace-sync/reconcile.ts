/** Reconciles one namespace: a Work in every cluster. */
import { buildPlainWork, DEFAULT_SKIPPED_NAMESPACES, isPropagatable, workRefOf } from '@/lib/domain/propagation'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { namespace as namespaceKind, type Namespace } from '@/lib/kube/kinds/namespace'
import { work as workKind } from '@/lib/kube/kinds/work'
import { executionSpaceOf, SKIP_AUTO_PROPAGATION_LABEL } from '@/lib/kube/names'
import { keyOf, type UnknownObject } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { createOrChange } from '../shared/object-writes'
import { overridePoliciesOf, overridesOn, withOverrideEvents } from '../shared/template-kinds'

/** 1. Ignore namespaces that are not propagated. 2. Write one Work for every cluster with an execution namespace. */
export async function reconcileNamespace(context: ReconcilerContext, name: string): Promise<void> {
  const namespace = context.informers.of(namespaceKind).get(name)
  if (!namespace || !isSynced(namespace)) return
  const object = namespace as unknown as UnknownObject
  await Promise.all(openClusters(context).map((cluster) => ensureWork(context, object, cluster)))
}

/**
 * Reports whether the namespace is propagated. Excluded are `default`, which exists everywhere, namespaces of the
 * control plane, and those with the skip label.
 */
export function isSynced({ metadata }: Namespace): boolean {
  const { name, labels, deletionTimestamp } = metadata
  if (deletionTimestamp || name === 'default') return false
  if (labels?.[SKIP_AUTO_PROPAGATION_LABEL]?.toLowerCase() === 'true') return false
  return isPropagatable({ metadata: { ...metadata, namespace: name } } as Namespace, DEFAULT_SKIPPED_NAMESPACES)
}

/** Returns the clusters that are not being deleted and have an execution namespace. */
function openClusters({ informers }: ReconcilerContext): string[] {
  return informers
    .of(clusterKind)
    .list()
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name)
    .filter((name) => informers.of(namespaceKind).get(executionSpaceOf(name)) !== undefined)
}

async function ensureWork(
  { client, events, informers }: ReconcilerContext,
  namespace: UnknownObject,
  cluster: string,
): Promise<boolean> {
  const existing = informers.of(workKind).get(keyOf(workRefOf(namespace, cluster)))
  const overrides = overridesOn(informers, overridePoliciesOf(informers, namespace), cluster)
  const regarding = referenceTo(namespaceKind, namespace)
  return withOverrideEvents(events, { regarding, overrides }, () =>
    createOrChange(client, workKind, {
      existing,
      to: buildPlainWork({ object: namespace, cluster, overrides, existing }),
    }),
  )
}
