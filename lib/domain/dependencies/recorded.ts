/** What a binding itself says about the dependencies of its template. */
import { BINDING_DEPENDENCIES_ANNOTATION, DEPENDENCIES_FINALIZER } from '../../kube/names'
import type { Draft, KubeObject } from '../../kube/object'
import type { DependencyReference } from '../interpreter'
import type { Binding } from '../propagation'

/** What a dependency is looked for by: its name, or without one its kind and namespace. */
export function dependencyKeyOf({ apiVersion, kind, namespace, name }: DependencyReference): string {
  return [apiVersion, kind, namespace ?? '', name ?? ''].join('/')
}

/** The binding with its dependencies written down, and held until what was attached for them is let go. */
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

/** The dependencies that were written down last; entries that neither name nor select anything are left out. */
export function recordedDependencies({ metadata }: KubeObject): DependencyReference[] {
  const text = metadata.annotations?.[BINDING_DEPENDENCIES_ANNOTATION]
  const entries = text === undefined ? [] : parsed(text)
  return Array.isArray(entries) ? entries.filter(isReference) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not written by this controller: it records no dependencies, and the next pass replaces it.
    return undefined
  }
}

function isReference(value: unknown): value is DependencyReference {
  const { apiVersion, kind, name, labelSelector } = (value ?? {}) as Partial<DependencyReference>
  const isText = (part: unknown): boolean => typeof part === 'string' && part !== ''
  const isMeant = isText(name) || (name === undefined && typeof labelSelector === 'object' && labelSelector !== null)
  return isText(apiVersion) && isText(kind) && isMeant
}
