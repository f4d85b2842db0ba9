/** Simulated members of a product that is measured. */
import { cluster, type Cluster } from '@/lib/kube/kinds'
import { SIM_NODE_CPU, SIM_NODE_MEMORY, SIM_NODES, SIM_READY_AFTER } from '@/lib/kube/simulation'
import type { KubeClient } from '@/server/kube/client'
import { PODS_PER_NODE } from '@/server/members/node-controller'
import { PODS_PER_MEMBER } from '@/server/members/pod-limits'

export const clusterKind = cluster

/** True when the cluster's Ready condition is True and its capacity is known. */
export function ready({ status }: Cluster): boolean {
  return (
    status?.resourceSummary !== undefined
    && status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  )
}

interface MembersShape {
  names: readonly string[]
  /** Of each; they have 64 processors. */
  nodes: number
  /** Time from the start of a pod until it is ready. Default: that of the simulation. */
  readyAfter?: string
}

/** Returns how many nodes a member needs for that many pods, as far as a simulated member runs them; 20 at least. */
export function nodesFor(pods: number): number {
  return Math.max(20, Math.ceil(Math.min(PODS_PER_MEMBER, pods) / Number(PODS_PER_NODE)))
}

/** Returns the revision of the store: each write to the control plane or to a simulated member increases it, events included. */
export async function revisionOf(client: KubeClient): Promise<number> {
  return Number((await client.list(cluster)).metadata.resourceVersion)
}

/** Creates the members; resolves when all are ready. */
export async function createMembers(client: KubeClient, { names, nodes, readyAfter }: MembersShape): Promise<void> {
  const annotations = {
    [SIM_NODES]: String(nodes),
    [SIM_NODE_CPU]: '64',
    [SIM_NODE_MEMORY]: '256Gi',
    ...(readyAfter !== undefined && { [SIM_READY_AFTER]: readyAfter }),
  }
  for (const name of names) {
    await client.create(clusterKind, {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, annotations },
      spec: { syncMode: 'Push' },
    })
  }
  const deadline = performance.now() + 60_000
  while (!(await client.list(clusterKind)).items.every(ready)) {
    if (performance.now() > deadline) throw new Error('the members did not become ready within a minute')
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}
