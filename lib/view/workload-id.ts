/** IDs of workloads: `apiVersion/kind/namespace/name`, with `~` for a slash in apiVersion and `-` for no namespace. */
import type { WorkloadRef } from './model'

/** Returns the ID of a workload, a safe path of four segments. */
export function workloadId({ apiVersion, kind, namespace, name }: WorkloadRef): string {
  return [apiVersion.replaceAll('/', '~'), kind, namespace || '-', name].join('/')
}

/** Parses a workload ID; undefined if it is invalid. */
export function parseWorkloadId(id: string): WorkloadRef | undefined {
  const parts = id.split('/')
  const [apiVersion, kind, namespace, name] = parts
  if (parts.length !== 4 || !apiVersion || !kind || !namespace || !name) return undefined
  return { apiVersion: apiVersion.replaceAll('~', '/'), kind, ...(namespace !== '-' && { namespace }), name }
}

/** Returns `namespace/name`, or the name alone for cluster-scoped objects. */
export const nameOf = ({ namespace, name }: Pick<WorkloadRef, 'namespace' | 'name'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** Returns the name of a workload by its ID; any other text is returned unchanged. */
export function nameOfId(id: string): string {
  const ref = parseWorkloadId(id)
  return ref ? nameOf(ref) : id
}
