/** Filters nodes by running pods: (anti-)affinity between pods, topology spread. */
import type { Affinity, PodSpec, TopologySpreadConstraint } from '@/lib/kube/kinds'
import { matchesLabelSelector, type LabelSelectorLike } from '@/lib/kube/selector'
import { admits, type NeighbourRule, type NodeInfo, type PodNeeds } from './choose-node'

type Labels = Readonly<Record<string, string>>
type NodeTopology = Pick<NodeInfo, 'name' | 'labels'>

/** The fields of a pod that matter to other pods. */
export interface Neighbour {
  namespace: string
  labels: Labels
  affinity?: Affinity
}

/** A pod on a node. */
export interface PlacedPod extends Neighbour {
  node: string
}

/** A pod without a node. */
export interface ArrivingPod extends Neighbour {
  needs: PodNeeds
  spread?: PodSpec['topologySpreadConstraints']
}

type Term = NonNullable<
  NonNullable<Affinity['podAntiAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number]

/** Anti-affinity terms of a pod. */
export const antiTerms = ({ affinity }: Neighbour): readonly Term[] =>
  affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

const affinityTerms = ({ affinity }: Neighbour): readonly Term[] =>
  affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** Hard topology spread constraints; soft ones are ignored. */
const hardSpread = ({ spread }: ArrivingPod): readonly TopologySpreadConstraint[] =>
  spread?.filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway') ?? []

/**
 * Returns the rule for one pod. `placed` is called only if the pod has rules, or `guarded` contains pods with
 * anti-affinity, so that plain pods cost nothing.
 */
export function neighbourRule(
  pod: ArrivingPod,
  {
    nodeInfos,
    placed,
    guarded,
  }: { nodeInfos: readonly NodeInfo[]; placed: () => readonly PlacedPod[]; guarded: readonly PlacedPod[] },
): NeighbourRule | undefined {
  const spread = hardSpread(pod)
  const attracted = affinityTerms(pod)
  const repelled = antiTerms(pod)
  const present = spread.length + attracted.length + repelled.length > 0 ? placed() : []
  const rules = [
    ...spread.map((constraint) => spreadRule(pod, constraint, { nodeInfos, present })),
    ...attractionRules(pod, attracted, { nodeInfos, present }),
    ...repelled.map((term) =>
      antiAffinityRule(term, { nodeInfos, others: present.filter((other) => selects(term, pod, other)) }, OWN_TERMS),
    ),
    ...guarded.flatMap((other) =>
      antiTerms(other)
        .filter((term) => selects(term, other, pod))
        .map((term) => antiAffinityRule(term, { nodeInfos, others: [other] }, THEIR_TERMS)),
    ),
  ]
  return rules.length === 0
    ? undefined
    : (nodeInfo) => rules.map((rule) => rule(nodeInfo)).find((reason) => reason !== undefined)
}

interface PlacedPods {
  nodeInfos: readonly NodeInfo[]
  present: readonly PlacedPod[]
}

const OWN_TERMS = "node(s) didn't match pod anti-affinity rules"
const THEIR_TERMS = "node(s) didn't satisfy existing pods anti-affinity rules"
const SPREAD = "node(s) didn't match pod topology spread constraints"

/** No domain may exceed the emptiest one by more than `maxSkew`. Domains are those of the eligible nodes. */
function spreadRule(
  pod: ArrivingPod,
  constraint: TopologySpreadConstraint,
  { nodeInfos, present }: PlacedPods,
): NeighbourRule {
  const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint
  const needs = {
    nodeSelector: nodeAffinityPolicy === 'Ignore' ? {} : pod.needs.nodeSelector,
    ...(nodeAffinityPolicy !== 'Ignore' && pod.needs.affinity && { affinity: pod.needs.affinity }),
    tolerations: pod.needs.tolerations,
  }
  const eligible = nodeInfos.filter((nodeInfo) =>
    admits(nodeTaintsPolicy === 'Honor' ? nodeInfo : { ...nodeInfo, taints: [], unschedulable: false }, needs),
  )
  const counts = new Map<string, number>(
    eligible.flatMap(({ labels }) => (labels[topologyKey] === undefined ? [] : [[labels[topologyKey], 0]])),
  )
  const domainOf = domains(nodeInfos, topologyKey)
  const selector = withLabelsOf(constraint, pod.labels)
  for (const other of present) {
    const domain = domainOf.get(other.node)
    if (domain === undefined || other.namespace !== pod.namespace || !matchesLabelSelector(selector, other.labels))
      continue
    if (counts.has(domain)) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  const least = counts.size < minDomains ? 0 : Math.min(...counts.values())
  const own = matchesLabelSelector(selector, pod.labels) ? 1 : 0
  return ({ labels }) => {
    const domain = labels[topologyKey]
    if (domain === undefined) return `${SPREAD} (missing required label)`
    return (counts.get(domain) ?? 0) + own - least > maxSkew ? SPREAD : undefined
  }
}

/** The selector, narrowed to pods that share the pod's own values of `matchLabelKeys`. */
function withLabelsOf(
  { labelSelector = {}, matchLabelKeys = [] }: TopologySpreadConstraint,
  labels: Labels,
): LabelSelectorLike {
  const shared = matchLabelKeys.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]))
  return { ...labelSelector, matchLabels: { ...labelSelector.matchLabels, ...Object.fromEntries(shared) } }
}

/** Domains of the required neighbours; the first pod of a group with affinity to itself may use any. */
function attractionRules(
  pod: ArrivingPod,
  terms: readonly Term[],
  { nodeInfos, present }: PlacedPods,
): NeighbourRule[] {
  const wanted = terms.map((term) => present.filter((other) => selects(term, pod, other)))
  const isFirst = wanted.every((others) => others.length === 0) && terms.every((term) => selects(term, pod, pod))
  return terms.map((term, index) => {
    const taken = domainsOf(term, nodeInfos, wanted[index] ?? [])
    return ({ labels }) => {
      const domain = labels[term.topologyKey]
      return domain !== undefined && (isFirst || taken.has(domain))
        ? undefined
        : "node(s) didn't match pod affinity rules"
    }
  })
}

function antiAffinityRule(
  term: Term,
  { nodeInfos, others }: { nodeInfos: readonly NodeTopology[]; others: readonly PlacedPod[] },
  reason: string,
): NeighbourRule {
  const taken = domainsOf(term, nodeInfos, others)
  return ({ labels }) => (taken.has(labels[term.topologyKey] ?? '') ? reason : undefined)
}

/**
 * Reports whether a term of `owner` selects that pod. Namespaces are matched by name; a namespace selector matches all.
 */
function selects(
  { labelSelector, namespaces = [], namespaceSelector }: Term,
  owner: Neighbour,
  other: Neighbour,
): boolean {
  const near =
    namespaces.length > 0 || namespaceSelector
      ? namespaces.includes(other.namespace)
      : other.namespace === owner.namespace
  return (
    (near || namespaceSelector !== undefined)
    && labelSelector !== undefined
    && matchesLabelSelector(labelSelector, other.labels)
  )
}

function domainsOf(
  { topologyKey }: Term,
  nodeInfos: readonly NodeTopology[],
  others: readonly PlacedPod[],
): Set<string> {
  const domainOf = domains(nodeInfos, topologyKey)
  return new Set(others.map(({ node }) => domainOf.get(node)).filter((domain) => domain !== undefined))
}

const domains = (nodeInfos: readonly NodeTopology[], key: string): Map<string, string | undefined> =>
  new Map(nodeInfos.map(({ name, labels }) => [name, labels[key]]))
