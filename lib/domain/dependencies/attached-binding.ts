/** The binding of a dependency: it has no placement of its own and follows the bindings that need it. */
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
  /** The dependency's binding, if it has one: made for another template, or by its own policy. */
  existing?: Binding | undefined
  /** The other bindings that need it. */
  others?: readonly Binding[]
}

type Snapshot = NonNullable<BindingSpec['requiredBy']>[number]

/** The label by which an attached binding names one that needs it; its value is that binding's permanent id. */
export function dependedByLabel({ namespace = '', name }: ObjectRef): string {
  return `${DEPENDED_BY_LABEL_PREFIX}${bindingReferenceKey(namespace, name)}`
}

/**
 * The dependency's binding as it has to be to follow `independent`: to create, or the existing one changed. Of a
 * binding that has a policy of its own, only who needs it is touched.
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

/** The attached binding as it has to be when the binding `ref` needs it no more. `others` are those that still do. */
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
 * The bindings of `attached` whose objects are no dependency any more. `existing` are the dependencies that there are:
 * what labels select is known by them alone.
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

/** A policy made it, or took it over; the rest of its spec is that policy's. */
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

/** The list with the snapshot in its old place, or at the end. */
function withSnapshot(list: readonly Snapshot[], snapshot: Snapshot): Snapshot[] {
  return list.some((one) => isOf(one, snapshot))
    ? list.map((one) => (isOf(one, snapshot) ? snapshot : one))
    : [...list, snapshot]
}

function isOf(snapshot: Snapshot, ref: { namespace?: string | undefined; name: string }): boolean {
  return snapshot.name === ref.name && (snapshot.namespace ?? '') === (ref.namespace ?? '')
}
