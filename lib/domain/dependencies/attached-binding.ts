/** Builds the binding of a dependency, which has no placement and follows the bindings that need it. */
import { resourceBinding } from '../../kube/kinds/resource-binding'
import type { BindingSpec } from '../../kube/kinds/binding'
import { apiVersionOf } from '../../kube/kind'
import { BINDING_FINALIZER, bindingNameOf, bindingReferenceKey, DEPENDED_BY_LABEL_PREFIX } from '../../kube/names'
import type { Draft, KubeObject, ObjectRef } from '../../kube/object'
import { omit } from '../../std/omit'
import type { DependencyReference } from '../interpreter'
import { type Binding, bindingIdOf } from '../propagation'
import { dependencyKeyOf } from './recorded'
import { mergeReferrers } from './merge-referrers'

export interface AttachSnapshot {
  /** The binding whose template needs the dependency. */
  independent: Binding
  dependency: KubeObject
  /** Existing binding of the dependency, created for another template or by its own policy. */
  existing?: Binding | undefined
  /** Other bindings that need the dependency. */
  others?: readonly Binding[]
}

type Snapshot = NonNullable<BindingSpec['requiredBy']>[number]

/**
 * Returns the label by which an attached binding refers to one that needs it; the value is that binding's permanent ID.
 */
export function dependedByLabel({ namespace = '', name }: ObjectRef): string {
  return `${DEPENDED_BY_LABEL_PREFIX}${bindingReferenceKey(namespace, name)}`
}

/**
 * Returns the dependency's binding so that it follows `independent`: a new one, or the existing one updated. If the
 * binding has its own policy, only the list of bindings that need it changes.
 */
export function attachBinding({ independent, dependency, existing, others = [] }: AttachSnapshot): Draft<Binding> {
  const base = existing ?? newBinding(dependency)
  const { metadata, spec } = base
  const label = { [dependedByLabel(independent.metadata)]: bindingIdOf(independent) ?? '' }
  const requiredBy = withSnapshot(spec.requiredBy ?? [], snapshotOf(independent))
  return {
    ...base,
    metadata: { ...metadata, labels: { ...metadata.labels, ...label } },
    spec: {
      ...spec,
      ...(!isPlaced(base) && {
        resource: resourceReference(dependency),
        ...mergeReferrers([independent, ...others]).fields,
      }),
      requiredBy,
    },
  }
}

/**
 * Returns the attached binding without the reference of binding `ref`. `others` are the bindings that still need it.
 */
export function detachBinding(attached: Binding, ref: ObjectRef, others: readonly Binding[]): Draft<Binding> {
  const { metadata, spec } = attached
  const requiredBy = spec.requiredBy?.filter((snapshot) => !isOf(snapshot, ref)) ?? []
  return {
    ...attached,
    metadata: { ...metadata, ...(metadata.labels && { labels: omit(metadata.labels, dependedByLabel(ref)) }) },
    spec: {
      ...spec,
      ...(!isPlaced(attached) && mergeReferrers(others).fields),
      requiredBy: requiredBy.length > 0 ? requiredBy : undefined,
    },
  }
}

/**
 * Returns the bindings in `attached` whose objects are no longer dependencies. `existing` are the existing
 * dependencies, needed because label selectors name no objects.
 */
export function unneededBindings(
  attached: readonly Binding[],
  dependencies: readonly DependencyReference[],
  existing: readonly KubeObject[] = [],
): Binding[] {
  const needed = new Set([...dependencies, ...existing.map(referenceTo)].map(dependencyKeyOf))
  return attached.filter(({ spec }) => !needed.has(dependencyKeyOf(spec.resource)))
}

function referenceTo({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): DependencyReference {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name }
}

/** Reports whether a policy created or claimed the binding; the rest of its spec then belongs to that policy. */
function isPlaced({ spec }: Pick<Binding, 'spec'>): boolean {
  return spec.placement !== undefined
}

function newBinding(dependency: KubeObject): Draft<Binding> {
  const {
    apiVersion,
    kind,
    metadata: { namespace, name, uid },
  } = dependency
  return {
    apiVersion: apiVersionOf(resourceBinding),
    kind: resourceBinding.kind,
    metadata: {
      name: bindingNameOf(kind, name),
      ...(namespace !== undefined && { namespace }),
      finalizers: [BINDING_FINALIZER],
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: { resource: resourceReference(dependency) },
  }
}

function resourceReference({ apiVersion, kind, metadata }: KubeObject): BindingSpec['resource'] {
  const { namespace, name, uid, resourceVersion } = metadata
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name, uid, resourceVersion }
}

function snapshotOf({ metadata: { namespace, name }, spec: { clusters } }: Binding): Snapshot {
  return { ...(namespace !== undefined && { namespace }), name, ...(clusters && { clusters }) }
}

/** Replaces the snapshot in place, or appends it. */
function withSnapshot(list: readonly Snapshot[], snapshot: Snapshot): Snapshot[] {
  return list.some((one) => isOf(one, snapshot))
    ? list.map((one) => (isOf(one, snapshot) ? snapshot : one))
    : [...list, snapshot]
}

function isOf(snapshot: Snapshot, ref: { namespace?: string | undefined; name: string }): boolean {
  return snapshot.name === ref.name && (snapshot.namespace ?? '') === (ref.namespace ?? '')
}
