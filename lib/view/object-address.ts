/** Where the objects behind a workload are. */
import { executionSpaceOf, workNameOf } from '@/lib/kube/names'
import type { WorkloadRef } from './model'

export interface ObjectAddress extends WorkloadRef {
  /** Absent: in the control plane. */
  cluster?: string
}

/** The Work that carries a workload to a cluster. */
export function workOf(ref: WorkloadRef, cluster: string): ObjectAddress {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    namespace: executionSpaceOf(cluster),
    name: workNameOf(ref),
  }
}

/** The query that reads it. */
export function objectPath({ cluster, apiVersion, kind, namespace, name }: ObjectAddress): string {
  const query = Object.entries({ apiVersion, kind, name, namespace, cluster })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
  return `/api/v1/objects?${query.join('&')}`
}
