import { describeTaints, type TaintPlan } from '@/lib/domain/cluster'
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import {
  cluster as clusterKind,
  type Cluster,
  namespace as namespaceKind,
  work as workKind,
  type Work,
} from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER, executionSpaceOf, SYSTEM_LABEL, SYSTEM_LABEL_VALUE } from '@/lib/kube/names'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { COMPONENT } from './reasons'

/** Creates the execution namespace of a cluster. */
export async function createExecutionNamespace(context: ReconcilerContext, cluster: Cluster): Promise<void> {
  const { name } = cluster.metadata
  const space = executionSpaceOf(name)
  try {
    await context.client.create(namespaceKind, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: space, labels: { [SYSTEM_LABEL]: SYSTEM_LABEL_VALUE } },
    })
  } catch (error) {
    if (isAlreadyExists(error)) return
    report(context, cluster, { type: 'Warning', reason: 'CreateExecutionSpaceFailed', message: messageOf(error) })
    throw error
  }
  report(context, cluster, {
    type: 'Normal',
    reason: 'CreateExecutionSpaceSucceed',
    // upstream: Karmada cluster-controller
    message: `Created execution space(${space}) for cluster(${name}).`,
  })
}

/** Writes taints and finalizer in one patch, which fails if another client changed the cluster meanwhile. */
export async function writeCluster(context: ReconcilerContext, cluster: Cluster, plan: TaintPlan): Promise<void> {
  const { name, resourceVersion, finalizers = [] } = cluster.metadata
  const guarded = finalizers.includes(CLUSTER_FINALIZER)
  if (guarded && !plan.changed) return
  const value = {
    metadata: { resourceVersion, ...(!guarded && { finalizers: [...finalizers, CLUSTER_FINALIZER] }) },
    ...(plan.changed && { spec: { taints: plan.taints } }),
  }
  try {
    await context.client.patch(clusterKind, { name }, { type: 'merge', value })
  } catch (error) {
    if (plan.changed)
      report(context, cluster, {
        type: 'Warning',
        reason: 'TaintClusterFailed',
        // upstream: Karmada cluster-controller
        message: `Taint cluster failed: ${messageOf(error)}.`,
      })
    throw error
  }
  if (!plan.changed) return
  report(context, cluster, {
    type: 'Normal',
    reason: 'TaintClusterSucceed',
    // upstream: Karmada cluster-controller
    message: `Taint cluster succeed: ${describeTaints(plan.taints)}.`,
  })
}

/** Deletes the execution namespace of a cluster together with its Works. */
export async function removeExecutionNamespace(context: ReconcilerContext, cluster: Cluster): Promise<void> {
  const { name } = cluster.metadata
  try {
    await context.client.delete(namespaceKind, { name: executionSpaceOf(name) })
  } catch (error) {
    if (isNotFound(error)) return
    report(context, cluster, { type: 'Warning', reason: 'RemoveExecutionSpaceFailed', message: messageOf(error) })
    throw error
  }
  report(context, cluster, {
    type: 'Normal',
    reason: 'RemoveExecutionSpaceSucceed',
    // upstream: Karmada cluster-controller
    message: `Removed execution space for cluster(${name}).`,
  })
}

/** Removes the finalizer of a Work that no controller handles any more; its objects stay in the member. */
export async function releaseWork(
  { client }: ReconcilerContext,
  { metadata: { namespace, name, resourceVersion } }: Work,
): Promise<void> {
  try {
    await client.patch(
      workKind,
      { namespace, name },
      { type: 'merge', value: { metadata: { resourceVersion, finalizers: null } } },
    )
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Removes the cluster's finalizer. */
export async function releaseCluster(context: ReconcilerContext, { metadata }: Cluster): Promise<void> {
  const { name, resourceVersion, finalizers = [] } = metadata
  const kept = finalizers.filter((finalizer) => finalizer !== CLUSTER_FINALIZER)
  if (kept.length === finalizers.length) return
  await context.client.patch(
    clusterKind,
    { name },
    { type: 'merge', value: { metadata: { resourceVersion, finalizers: kept } } },
  )
}

interface Report {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

function report({ events }: ReconcilerContext, cluster: Cluster, event: Report): void {
  events.record({ component: COMPONENT, ...event, regarding: referenceTo(clusterKind, cluster) })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
