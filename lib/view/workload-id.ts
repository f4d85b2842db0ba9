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
