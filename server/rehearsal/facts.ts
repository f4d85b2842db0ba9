/** What single objects say about a fleet. */
import type { WorkloadId } from '@/lib/domain/rehearsal/record'
import type { Cluster, Pod, ResourceBinding } from '@/lib/kube/kinds'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { ownField } from '@/lib/std/fields'

/** Replicas by cluster. */
export type Places = ReadonlyMap<string, number>

export const keyOfWorkload = ({ namespace, name, kind }: WorkloadId): string => `${namespace}/${name}/${kind}`

/** The workload of a binding; undefined for what has no replicas. */
export function workloadOf({ spec: { resource, replicas } }: ResourceBinding): WorkloadId | undefined {
  if (replicas === undefined) return undefined
  return { kind: resource.kind, namespace: resource.namespace ?? '', name: resource.name }
}

export const placesOf = ({ spec }: ResourceBinding): Places =>
  new Map((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))

/** Where replicas are duplicated, each cluster should have all of them; else they are divided. */
export function desiredOf({ spec }: ResourceBinding): number {
  const { replicas = 0, clusters = [], placement } = spec
  const isDivided = placement?.replicaScheduling?.replicaSchedulingType === 'Divided'
  return isDivided ? replicas : replicas * Math.max(1, clusters.length)
}

const HASH_LABEL = 'pod-template-hash'

/** The key of the workload that a pod belongs to; undefined for pods of none. */
export function ownerOf({ metadata }: Pod): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)
  if (!owner) return undefined
  const namespace = metadata.namespace ?? ''
  const hash = ownField(metadata.labels ?? {}, HASH_LABEL)
  // The name of a ReplicaSet is that of its Deployment and the hash of its template.
  if (owner.kind === 'ReplicaSet' && hash && owner.name.endsWith(`-${hash}`)) {
    return keyOfWorkload({ kind: 'Deployment', namespace, name: owner.name.slice(0, -hash.length - 1) })
  }
  return keyOfWorkload({ kind: owner.kind, namespace, name: owner.name })
}

/** Used shares of allocatable, as the cluster reports them; 0 without a report. */
export function loadOf({ status }: Cluster): { cpu: number; memory: number } {
  const { allocatable, allocated } = status?.resourceSummary ?? {}
  const shareOf = (resource: 'cpu' | 'memory'): number => {
    const [used, all] = [allocated, allocatable].map((amounts) => amountOf(ownField(amounts ?? {}, resource)))
    return all ? (used ?? 0) / all : 0
  }
  return { cpu: shareOf('cpu'), memory: shareOf('memory') }
}

function amountOf(text: unknown): number {
  const quantity = typeof text === 'string' || typeof text === 'number' ? tryParseQuantity(String(text)) : undefined
  return quantity ? Number(quantity.nano) / 1e9 : 0
}
