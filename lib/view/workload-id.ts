/** Ids of workloads: `apiVersion/kind/namespace/name`, with `~` for a slash in apiVersion and `-` for no namespace. */
import type { WorkloadRef } from './model'

/** The id of a workload. It is a safe path of four segments; the inverse is `parseWorkloadId`. */
export function workloadId({ apiVersion, kind, namespace, name }: WorkloadRef): string {
  return [apiVersion.replaceAll('/', '~'), kind, namespace || '-', name].join('/')
}

/** The workload that an id names; undefined when the text is no id. */
export function parseWorkloadId(id: string): WorkloadRef | undefined {
  const parts = id.split('/')
  const [apiVersion, kind, namespace, name] = parts
  if (parts.length !== 4 || !apiVersion || !kind || !namespace || !name) return undefined
  return { apiVersion: apiVersion.replaceAll('~', '/'), kind, ...(namespace !== '-' && { namespace }), name }
}

/** `namespace/name`, or the name alone for cluster-scoped objects. */
export const nameOf = ({ namespace, name }: Pick<WorkloadRef, 'namespace' | 'name'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** The name of the workload that an id names; any other text is returned as it is. */
export function nameOfId(id: string): string {
  const ref = parseWorkloadId(id)
  return ref ? nameOf(ref) : id
}
