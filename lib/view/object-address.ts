/** Addresses of the objects behind a workload. */
import { executionSpaceOf, workNameOf } from '@/lib/kube/names'
import type { WorkloadRef } from './model'

export interface ObjectAddress extends WorkloadRef {
  /** Absent: in the control plane. */
  cluster?: string
}

/** Returns the address of the Work for a workload in a cluster. */
export function workOf(ref: WorkloadRef, cluster: string): ObjectAddress {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    namespace: executionSpaceOf(cluster),
    name: workNameOf(ref),
  }
}

/** Returns the URL that reads the object. */
export function objectPath({ cluster, apiVersion, kind, namespace, name }: ObjectAddress): string {
  const query = Object.entries({ apiVersion, kind, name, namespace, cluster })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
  return `/api/v1/objects?${query.join('&')}`
}
