/** What a binding itself says about the dependencies of its template. */
import { BINDING_DEPENDENCIES_ANNOTATION, DEPENDENCIES_FINALIZER } from '../../kube/names'
import type { Draft, KubeObject, ObjectReference } from '../../kube/object'
import type { DependencyReference } from '../interpreter'
import type { Binding } from '../propagation'

/** The same text for the same object, whoever refers to it. */
export function dependencyKeyOf({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return [apiVersion, kind, namespace ?? '', name].join('/')
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

/** The dependencies that were written down last; entries that name no single object are left out. */
export function recordedDependencies({ metadata }: KubeObject): DependencyReference[] {
  const text = metadata.annotations?.[BINDING_DEPENDENCIES_ANNOTATION]
  const entries = text === undefined ? [] : parsed(text)
  return Array.isArray(entries) ? entries.filter(isReference) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Somebody else's words: there is nothing in them to follow, and the next pass replaces them.
    return undefined
  }
}

function isReference(value: unknown): value is DependencyReference {
  const { apiVersion, kind, name } = (value ?? {}) as Partial<DependencyReference>
  return [apiVersion, kind, name].every(part => typeof part === 'string' && part !== '')
}
