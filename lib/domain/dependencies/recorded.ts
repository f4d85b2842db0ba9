/** Reads and writes the dependencies that a binding records. */
import { BINDING_DEPENDENCIES_ANNOTATION, DEPENDENCIES_FINALIZER } from '../../kube/names'
import type { Draft, KubeObject } from '../../kube/object'
import type { DependencyReference } from '../interpreter'
import type { Binding } from '../propagation'

/** Returns the key of a dependency: its kind, namespace and name, or without the name for a selector. */
export function dependencyKeyOf({ apiVersion, kind, namespace, name }: DependencyReference): string {
  return [apiVersion, kind, namespace ?? '', name ?? ''].join('/')
}

/**
 * Returns the binding with its dependencies recorded, and with a finalizer until the bindings attached for them are
 * detached.
 */
export function recordDependencies(binding: Binding, dependencies: readonly DependencyReference[]): Draft<Binding> {
  const { annotations, finalizers = [] } = binding.metadata
  return {
    ...binding,
    metadata: {
      ...binding.metadata,
      annotations: { ...annotations, [BINDING_DEPENDENCIES_ANNOTATION]: JSON.stringify(dependencies) },
      finalizers: [...new Set([...finalizers, DEPENDENCIES_FINALIZER])],
    },
  }
}

/** Returns the last recorded dependencies; entries without a name or selector are omitted. */
export function recordedDependencies({ metadata }: KubeObject): DependencyReference[] {
  const text = metadata.annotations?.[BINDING_DEPENDENCIES_ANNOTATION]
  const entries = text === undefined ? [] : parsed(text)
  return Array.isArray(entries) ? entries.filter(isReference) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another client wrote the annotation. It counts as empty, and the next reconcile replaces it.
    return undefined
  }
}

function isReference(value: unknown): value is DependencyReference {
  const { apiVersion, kind, name, labelSelector } = (value ?? {}) as Partial<DependencyReference>
  const isText = (part: unknown): boolean => typeof part === 'string' && part !== ''
  const isMeant = isText(name) || (name === undefined && typeof labelSelector === 'object' && labelSelector !== null)
  return isText(apiVersion) && isText(kind) && isMeant
}
