/** Chooses the node of a pod. */
import { firstUntolerated, type TaintLike, type TolerationLike } from '@/lib/kube/taint'
import { matchesRequired, type NodeAffinity, preferenceFor } from './node-affinity'

/** CPU in thousandths, all other resources in whole units, by name. */
export type Amounts = ReadonlyMap<string, number>

/** A node as the scheduler sees it. */
export interface NodeInfo {
  name: string
  labels: Readonly<Record<string, string>>
  unschedulable: boolean
  taints: readonly TaintLike[]
  allocatable: Amounts
  used: Amounts
}

/** Requirements of a pod on its node. */
export interface PodNeeds {
  /** `pods` itself is counted, not requested. */
  requests: Amounts
  nodeSelector: Readonly<Record<string, string>>
  affinity?: NodeAffinity
  tolerations: readonly TolerationLike[]
}

export type NodeChoice = { node: string } | { message: string }

/** Why running pods exclude a node for another pod; undefined if they do not. */
export type NeighbourRule = (nodeInfo: NodeInfo) => string | undefined

/**
 * Chooses among the nodes that fit: without PreferNoSchedule taints, then preferred by the pod, then largest share of
 * free CPU, then most free pods, then by name. Otherwise returns why none fits, in the words of kube-scheduler. Each
 * node reports the first filter that refuses it, in the order of kube-scheduler.
 */
export function chooseNode(nodeInfos: readonly NodeInfo[], needs: PodNeeds, neighbours?: NeighbourRule): NodeChoice {
  let best: NodeInfo | undefined
  const nodesByReason = new Map<string, number>()
  for (const nodeInfo of nodeInfos) {
    const reasons = reasonsAgainst(nodeInfo, needs, neighbours)
    for (const reason of reasons) nodesByReason.set(reason, (nodesByReason.get(reason) ?? 0) + 1)
    if (reasons.length === 0 && (!best || leads(nodeInfo, best, needs))) best = nodeInfo
  }
  return best ? { node: best.name } : { message: explain(nodeInfos.length, nodesByReason) }
}

/** Reports whether a node accepts such pods, regardless of capacity. */
export function admits(nodeInfo: Omit<NodeInfo, 'allocatable' | 'used'>, needs: Omit<PodNeeds, 'requests'>): boolean {
  return reasonsAgainstStaying(nodeInfo, needs).length === 0
}

const CORDON: TaintLike = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

function reasonsAgainstStaying(
  nodeInfo: Omit<NodeInfo, 'allocatable' | 'used'>,
  needs: Omit<PodNeeds, 'requests'>,
): string[] {
  const { tolerations, nodeSelector, affinity } = needs
  if (nodeInfo.unschedulable && firstUntolerated([CORDON], tolerations, ['NoSchedule']))
    return ['node(s) were unschedulable']
  const taint = firstUntolerated(nodeInfo.taints, tolerations, ['NoSchedule', 'NoExecute'])
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`]
  const selected = Object.entries(nodeSelector).every(([key, value]) => nodeInfo.labels[key] === value)
  return selected && matchesRequired(affinity, nodeInfo) ? [] : ["node(s) didn't match Pod's node affinity/selector"]
}

function reasonsAgainst(nodeInfo: NodeInfo, needs: PodNeeds, neighbours: NeighbourRule | undefined): string[] {
  const refused = reasonsAgainstStaying(nodeInfo, needs)
  if (refused.length > 0) return refused
  const short = [...needs.requests]
    .filter(([name, amount]) => amount > 0 && amount > free(nodeInfo, name))
    .map(([name]) => `Insufficient ${name}`)
  const full = free(nodeInfo, 'pods') < 1 ? ['Too many pods', ...short] : short
  if (full.length > 0) return full
  const overloaded = neighbours?.(nodeInfo)
  return overloaded === undefined ? [] : [overloaded]
}

function leads(a: NodeInfo, b: NodeInfo, needs: PodNeeds): boolean {
  const lead =
    cost(b, needs) - cost(a, needs)
    || preferenceFor(needs.affinity, a) - preferenceFor(needs.affinity, b)
    || freeShare(a) - freeShare(b)
    || free(a, 'pods') - free(b, 'pods')
  return lead === 0 ? a.name < b.name : lead > 0
}

/** Number of PreferNoSchedule taints that the pod does not tolerate. */
const cost = ({ taints }: NodeInfo, { tolerations }: PodNeeds): number =>
  taints.filter((taint) => firstUntolerated([taint], tolerations, ['PreferNoSchedule'])).length

const free = ({ allocatable, used }: NodeInfo, name: string): number =>
  (allocatable.get(name) ?? 0) - (used.get(name) ?? 0)

function freeShare(nodeInfo: NodeInfo): number {
  const cpu = nodeInfo.allocatable.get('cpu') ?? 0
  return cpu > 0 ? free(nodeInfo, 'cpu') / cpu : 0
}

function explain(nodes: number, reasons: ReadonlyMap<string, number>): string {
  if (nodes === 0) return 'no nodes available to schedule pods'
  const parts = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted()
  return `0/${nodes} nodes are available: ${parts.join(', ')}.`
}
