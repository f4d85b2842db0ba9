/** What the binding loop knows of one binding: its Works, and what they mean for the order of steps. */
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

/** The cluster that a Work is for. */
export function clusterOf({ metadata }: Work): string {
  return clusterOfExecutionSpace(metadata.namespace ?? '') ?? ''
}

export interface BindingSnapshot {
  binding: Binding
  works: ReadonlyMap<string, Work>
  /** Works in clusters that the binding has nothing to do with any more, and that are not being deleted yet. */
  orphans: readonly Work[]
  /** Works that have to be gone before anything else is written. */
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

/** True when every cluster that is to have the workload has applied its Work and reports it healthy. */
export function isRunningEverywhere({ binding, works }: BindingSnapshot): boolean {
  return targetClusters(binding.spec).every(({ name }) => {
    const status = works.get(name)?.status
    return isConditionTrue(status?.conditions, 'Applied') && status?.manifestStatuses?.[0]?.health === 'Healthy'
  })
}

/** The bindings whose templates an override policy concerns, or concerned before it changed. */
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

/** A template that is not there has nothing to override. */
function cachedTemplate(informers: Informers, { spec: { resource } }: Binding): UnknownObject | undefined {
  const { apiVersion, kind: kindName, name, namespace } = resource
  const kind = findTemplateKind({ informers }, apiVersion, kindName)
  return kind && informers.of(kind).get(keyOf({ name, ...(namespace !== undefined && { namespace }) }))
}
