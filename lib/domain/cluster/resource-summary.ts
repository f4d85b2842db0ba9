/** Summarizes nodes and resources of a cluster. */
import type { Cluster, Node, Pod } from '../../kube/kinds'
import { isConditionTrue } from '../../kube/conditions'
import { formatQuantity } from '../../kube/quantity'
import { countModelings } from './modelings'
import { addList, type Amounts, isRunning, requestsOf, toResourceList } from './pod-requests'

type Status = NonNullable<Cluster['status']>
export type NodeSummary = NonNullable<Status['nodeSummary']>
export type ResourceSummary = NonNullable<Status['resourceSummary']>

/** Counts nodes, including cordoned ones. */
export function summarizeNodes(nodes: readonly Node[]): NodeSummary {
  const readyNum = nodes.filter(({ status }) => isConditionTrue(status?.conditions, 'Ready')).length
  return { totalNum: nodes.length, readyNum }
}

/** Input of a summary; lists are in the order of the cluster's lists. */
export interface ResourceSnapshot {
  nodes: readonly Node[]
  pods: readonly Pod[]
  resourceModels?: Cluster['spec']['resourceModels']
}

/**
 * Sums the allocatable resources of nodes (including unready and cordoned ones), the requests of pods without a node,
 * and the requests of running pods. Empty parts and zero amounts are omitted.
 */
export function summarizeResources({ nodes, pods, resourceModels = [] }: ResourceSnapshot): ResourceSummary {
  const allocatable: Amounts = new Map()
  for (const { status } of nodes) addList(allocatable, status?.allocatable)
  const parts = {
    allocatable: write(allocatable),
    allocating: write(toResourceList(requestsOf(pods.filter(({ spec }) => !spec.nodeName)))),
    allocated: write(toResourceList(requestsOf(pods.filter(isRunning)))),
  }
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([, list]) => Object.keys(list).length > 0)),
    ...(resourceModels.length > 0 && { allocatableModelings: countModelings(resourceModels, nodes, pods) }),
  }
}

function write(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, quantity]) => [name, formatQuantity(quantity)]))
}
