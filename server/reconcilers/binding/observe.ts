/** Reads the state of one binding: its Works, and the order of steps that follows from them. */
import type { OverridePolicyLike } from '@/lib/domain/override'
import { directlyPurgedClusters, expectedClusters, targetClusters } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { keyOf, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import { type Binding, bindingKeyOf, bindingKinds } from '../shared/binding-kinds'
import { worksOf } from '../shared/binding-works'
import { concerns, findTemplateKind } from '../shared/template-kinds'

/** Returns the cluster of a Work. */
export function clusterOf({ metadata }: Work): string {
  return clusterOfExecutionSpace(metadata.namespace ?? '') ?? ''
}

export interface BindingSnapshot {
  binding: Binding
  works: ReadonlyMap<string, Work>
  /** Works in clusters that the binding no longer has, and that are not being deleted yet. */
  orphans: readonly Work[]
  /** Works that must be deleted before other writes. */
  purging: readonly Work[]
}

export function observeBinding(informers: Informers, binding: Binding): BindingSnapshot {
  const works = worksOf(informers, binding)
  const expected = expectedClusters(binding.spec)
  const purged = directlyPurgedClusters(binding.spec)
  return {
    binding,
    works: new Map(works.map((work) => [clusterOf(work), work])),
    orphans: works.filter((work) => !expected.has(clusterOf(work)) && !work.metadata.deletionTimestamp),
    purging: works.filter((work) => purged.has(clusterOf(work))),
  }
}

/** Reports whether every scheduled cluster has applied its Work and reports it as healthy. */
export function isRunningEverywhere({ binding, works }: BindingSnapshot): boolean {
  return targetClusters(binding.spec).every(({ name }) => {
    const status = works.get(name)?.status
    return isConditionTrue(status?.conditions, 'Applied') && status?.manifestStatuses?.[0]?.health === 'Healthy'
  })
}

/** Returns the bindings whose templates an override policy applies to, or applied to before the change. */
export function overriddenBindings(informers: Informers, change: Change<OverridePolicyLike>): ObjectKey[] {
  const { metadata } = change.type === 'deleted' ? change.old : change.object
  return bindingsInScope(informers, metadata.namespace)
    .filter((binding) => {
      const template = cachedTemplate(informers, binding)
      return template !== undefined && concerns(change, template)
    })
    .map(bindingKeyOf)
}

function bindingsInScope(informers: Informers, namespace: string | undefined): readonly Binding[] {
  return bindingKinds.flatMap((kind) =>
    namespace === undefined ? informers.of(kind).list() : informers.of(kind).listNamespace(namespace),
  )
}

/** A template that is not cached has no overrides. */
function cachedTemplate(informers: Informers, { spec: { resource } }: Binding): UnknownObject | undefined {
  const { apiVersion, kind: kindName, name, namespace } = resource
  const kind = findTemplateKind({ informers }, apiVersion, kindName)
  return kind && informers.of(kind).get(keyOf({ name, ...(namespace !== undefined && { namespace }) }))
}
