/** Estimates how many replicas of a workload a cluster could take, from its reported resources. */
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { type AssumedWorkload, summaryWithAssumed } from './assumed'
import { type ClusterCapacity, type ResourceSummary, type SummaryCapacity, summaryCapacity } from './capacity'
import { type NodeGrade, readModels, replicasOnNodes } from './models'
import { type Request, nodeDemand, readRequests, unreadable } from './requests'
import { copyOfNodes, type NodeRun, nodesOf, placeSets } from './simulate'

/** Basis of an estimate. */
export type EstimatePath =
  | 'noResourceSummary'
  | 'noPods'
  | 'noRequirements'
  | 'resourceModels'
  | 'resourceModelsFailedSoSummary'
  | 'summary'

export interface Estimate {
  /** Replicas or sets; wraps to 32 bits, as the API's int32 does. */
  amount: number
  path: EstimatePath
  /** Why the resource models could not be used. */
  modelError?: string
}

export interface EstimateOptions {
  /** Use resource models where a cluster has them. Default true. */
  resourceModels?: boolean
  /** Scheduled workloads that are not in the summary yet. */
  assumed?: readonly AssumedWorkload[]
}

/**
 * Estimates one cluster. Returns 0 without a summary, without remaining pods, or if a requested resource is missing.
 */
export function estimateReplicas(
  cluster: ClusterCapacity,
  requirements: ReplicaRequirements | undefined,
  options: EstimateOptions = {},
): Estimate {
  const estimate = compileEstimate(requirements, options)
  return estimate(cluster)
}

const known = new WeakMap<ReplicaRequirements, Request[] | typeof unreadable>()

/** Read once for each object. */
function knownRequests(requirements: ReplicaRequirements | undefined): Request[] | typeof unreadable {
  if (!requirements) return []
  const requests = known.get(requirements) ?? readRequests(requirements.resourceRequest)
  known.set(requirements, requests)
  return requests
}

/** Estimates one cluster. `known` is its parsed summary, if the caller has it; `assumed` replaces that of the options. */
export type CompiledEstimate = (
  cluster: ClusterCapacity,
  known?: SummaryCapacity,
  assumed?: readonly AssumedWorkload[],
) => Estimate

/** Parses the requirements once, for estimates of any number of clusters. */
export function compileEstimate(
  requirements: ReplicaRequirements | undefined,
  options: EstimateOptions = {},
): CompiledEstimate {
  const requests = knownRequests(requirements)
  return (cluster, known, assumed = options.assumed ?? []) => {
    const reported = cluster.status?.resourceSummary
    if (!reported) return { amount: 0, path: 'noResourceSummary' }
    const { summary, nodesOfGrades } =
      assumed.length > 0 ? deducted(cluster, reported, assumed) : reportedOnly(reported, known)
    if (summary.allowedPods === 0) return { amount: 0, path: 'noPods' }
    if (!requirements) return { amount: summary.allowedPods | 0, path: 'noRequirements' }
    if (options.resourceModels === false || !reported.allocatableModelings?.length) {
      return { amount: bySummary(summary, requests), path: 'summary' }
    }
    const models = readModels(cluster)
    if (!models.ok) {
      return { amount: bySummary(summary, requests), path: 'resourceModelsFailedSoSummary', modelError: models.reason }
    }
    const room = byModels(models.grades, requirements, nodesOfGrades)
    return { amount: Math.min(room, summary.allowedPods) | 0, path: 'resourceModels' }
  }
}

interface Deducted {
  summary: SummaryCapacity
  /** Undefined: nothing is assumed. */
  nodesOfGrades?: (grades: readonly NodeGrade[]) => NodeRun | undefined
}

const reportedOnly = (reported: ResourceSummary, known: SummaryCapacity | undefined): Deducted => ({
  summary: known ?? summaryCapacity(reported),
})

/** By list of assumed workloads: estimates for many bindings deduct the same list from the same cluster. */
const knownDeductions = new WeakMap<readonly AssumedWorkload[], Deducted & { cluster: ClusterCapacity }>()

function deducted(cluster: ClusterCapacity, reported: ResourceSummary, assumed: readonly AssumedWorkload[]): Deducted {
  const present = knownDeductions.get(assumed)
  if (present?.cluster === cluster) return present
  let filled: { nodes: NodeRun | undefined } | undefined
  const made = {
    cluster,
    summary: summaryCapacity(summaryWithAssumed(reported, assumed)),
    nodesOfGrades: (grades: readonly NodeGrade[]): NodeRun | undefined => {
      filled ??= { nodes: filledBy(grades, assumed) }
      return copyOfNodes(filled.nodes)
    },
  }
  knownDeductions.set(assumed, made)
  return made
}

function filledBy(grades: readonly NodeGrade[], assumed: readonly AssumedWorkload[]): NodeRun | undefined {
  const nodes = nodesOf(grades)
  for (const { components } of assumed) if (components.length > 0) placeSets(nodes, components, 1)
  return nodes
}

function byModels(
  grades: readonly NodeGrade[],
  { resourceRequest }: ReplicaRequirements,
  nodesOfGrades: Deducted['nodesOfGrades'],
): number {
  if (!nodesOfGrades) return replicasOnNodes(grades, nodeDemand(resourceRequest))
  const one = { replicas: 1, replicaRequirements: { resourceRequest: resourceRequest ?? {} } }
  return placeSets(nodesOfGrades(grades), [one], Infinity)
}

/** Returns the estimate for the scarcest requested resource. */
function bySummary({ allowedPods, available }: SummaryCapacity, requests: Request[] | typeof unreadable): number {
  if (requests === unreadable) return 0
  let least = allowedPods
  for (const { resource, counted, fast } of requests) {
    const left = available.get(resource)
    if (!left || left.exhausted) return 0
    const quotient = Math.floor(left.fast / fast)
    least = Math.min(least, Number.isNaN(quotient) ? Number(left.counted / counted) : quotient)
  }
  return least | 0
}
