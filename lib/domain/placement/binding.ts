/** Bindings of both kinds, as the scheduler reads them. */
import type { BindingSpec, BindingStatus } from '@/lib/kube/kinds/binding'

/** A ResourceBinding or a ClusterResourceBinding. */
export interface Binding {
  kind: string
  metadata: {
    name: string
    namespace?: string
    generation?: number
    labels?: Record<string, string>
    annotations?: Record<string, string>
    managedFields?: unknown[]
    deletionTimestamp?: string
  }
  spec: BindingSpec
  status?: BindingStatus
}

/** Reports whether the binding is of the cluster-scoped kind. */
export function isClusterScoped({ kind }: Pick<Binding, 'kind'>): boolean {
  return kind === 'ClusterResourceBinding'
}

/** Returns `namespace/name`, or `name` for the cluster-scoped kind. */
export function bindingKey({ metadata }: Pick<Binding, 'metadata'>): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name
}

/** Returns `ResourceBinding(namespace/name)`, as messages name a binding. */
export function describeBinding(binding: Pick<Binding, 'kind' | 'metadata'>): string {
  return `${isClusterScoped(binding) ? 'ClusterResourceBinding' : 'ResourceBinding'}(${bindingKey(binding)})`
}

/** Reports whether scheduling of the binding is suspended. */
export function isSchedulingSuspended({ suspension }: BindingSpec): boolean {
  return suspension?.scheduling === true
}
