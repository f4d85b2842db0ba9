/** Finds which bindings need which others, through indexes on bindings. */
import { dependencyKeyOf, recordedDependencies } from '@/lib/domain/dependencies'
import type { DependencyReference } from '@/lib/domain/interpreter'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { resourceBinding } from '@/lib/kube/kinds'
import { DEPENDENCIES_FINALIZER } from '@/lib/kube/names'
import {
  keyOf,
  type KubeObject,
  objectKey,
  type ObjectKey,
  type ObjectReference,
  type UnknownObject,
} from '@/lib/kube/object'
import { matchesLabelSelector } from '@/lib/kube/selector'
import type { Informer, Informers } from '@/server/kube/informer'
import type { Binding } from '../shared/binding-kinds'
import type { InterpreterContext } from '../shared/interpreter'
import { findTemplateKind } from '../shared/template-kinds'

const REQUIRED_BY = 'required-by'
const DEPENDS_ON = 'depends-on'

/** Adds indexes of bindings by those that need them, and by the dependencies of their templates. Idempotent. */
export function indexBindings(informers: Informers): void {
  const bindings = informers.of(resourceBinding)
  bindings.addIndex(REQUIRED_BY, requirersOf)
  bindings.addIndex(DEPENDS_ON, (binding) => recordedDependencies(binding).map(dependencyKeyOf))
}

/** Returns the keys of the bindings that need this one. */
export function requirersOf({ spec, metadata }: Binding): ObjectKey[] {
  return (spec.requiredBy ?? []).map(({ namespace = metadata.namespace, name }) =>
    keyOf({ name, ...(namespace !== undefined && { namespace }) }),
  )
}

/** Returns the bindings attached to the one with that key. */
export function attachedTo(informers: Informers, key: ObjectKey): readonly Binding[] {
  return informers.of(resourceBinding).byIndex(REQUIRED_BY, key)
}

/** Returns the other existing bindings that need this one. */
export function othersThatNeed(informers: Informers, attached: Binding, key: ObjectKey): Binding[] {
  return requirersOf(attached)
    .filter((other) => other !== key)
    .flatMap((other) => informers.of(resourceBinding).get(other) ?? [])
}

/** Returns the keys of the bindings whose templates need an object by its name, or possibly by its labels. */
export function dependentsOf(informers: Informers, reference: ObjectReference): ObjectKey[] {
  const { name: _, ...anyName } = reference
  return [reference, anyName].flatMap((sought) =>
    informers.of(resourceBinding).byIndex(DEPENDS_ON, dependencyKeyOf(sought)).map(objectKey),
  )
}

/** Same as `dependentsOf` for an object, because cached objects may lack their kind. */
export function dependentsOfObject(informers: Informers, kind: Kind, { metadata }: KubeObject): ObjectKey[] {
  const { namespace, name } = metadata
  return dependentsOf(informers, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...(namespace !== undefined && { namespace }),
    name,
  })
}

/** Returns the dependencies that exist, are not being deleted, and have a served kind. */
export function existingDependencies(
  informers: Informers,
  dependencies: readonly DependencyReference[],
): UnknownObject[] {
  return dependencies
    .flatMap((reference) => {
      const kind = findTemplateKind({ informers }, reference.apiVersion, reference.kind)
      return kind ? meant(informers.of(kind), reference) : []
    })
    .filter(({ metadata }) => !metadata.deletionTimestamp)
}

/** Returns the objects of a reference: one object, or all with certain labels in its namespace. */
function meant(
  informer: Informer<UnknownObject>,
  { namespace, name, labelSelector }: DependencyReference,
): readonly UnknownObject[] {
  const place = namespace === undefined ? {} : { namespace }
  if (name !== undefined) return [informer.get(keyOf({ ...place, name }))].filter((object) => object !== undefined)
  const near = namespace === undefined ? informer.list() : informer.listNamespace(namespace)
  return labelSelector ? near.filter(({ metadata }) => matchesLabelSelector(labelSelector, metadata.labels)) : []
}

/** Reports whether dependencies of the binding are to be propagated. */
export function wantsDependencies(
  { interpreter }: Pick<InterpreterContext, 'interpreter'>,
  { metadata, spec }: Binding,
): boolean {
  return spec.propagateDeps === true && !metadata.deletionTimestamp && interpreter.hasDependencyRule(spec.resource)
}

/** Reports whether dependencies of the binding were recorded, so that others may be attached to it. */
export function isHeld({ metadata }: Binding): boolean {
  return metadata.finalizers?.includes(DEPENDENCIES_FINALIZER) ?? false
}

/** Reports whether the binding distributes dependencies, or did before. */
export function mayHaveAttached(binding: Binding): boolean {
  return binding.spec.propagateDeps === true || isHeld(binding)
}
