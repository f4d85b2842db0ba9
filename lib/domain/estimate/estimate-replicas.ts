/** Estimates how many replicas of a workload a cluster could take, from its reported resources. */
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { type AssumedWorkload, summaryWithAssumed } from './assumed'
import { type ClusterCapacity, type SummaryCapacity, summaryCapacity } from './capacity'
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
  const bySummary = compileBySummary(knownRequests(requirements))
  return (cluster, known, assumed = options.assumed ?? NOTHING) => {
    const deducted = assumed.length > 0 ? deductedFrom(cluster, assumed) : undefined
    const summary = deducted?.summary ?? known ?? reportedBy(cluster)
    if (!summary) return { amount: 0, path: 'noResourceSummary' }
    if (summary.allowedPods === 0) return { amount: 0, path: 'noPods' }
    if (!requirements) return { amount: summary.allowedPods | 0, path: 'noRequirements' }
    if (options.resourceModels === false || !summary.hasNodesByGrade) {
      return { amount: bySummary(summary), path: 'summary' }
    }
    const models = readModels(cluster)
    if (!models.ok) {
      return { amount: bySummary(summary), path: 'resourceModelsFailedSoSummary', modelError: models.reason }
    }
    const room = byModels(models.grades, requirements, deducted?.nodesOfGrades)
    return { amount: Math.min(room, summary.allowedPods) | 0, path: 'resourceModels' }
  }
}

const NOTHING: readonly AssumedWorkload[] = []

function reportedBy({ status }: ClusterCapacity): SummaryCapacity | undefined {
  return status?.resourceSummary && summaryCapacity(status.resourceSummary)
}

interface Deducted {
  summary: SummaryCapacity
  nodesOfGrades: (grades: readonly NodeGrade[]) => NodeRun | undefined
}

/** By list of assumed workloads: estimates for many bindings deduct the same list from the same cluster. */
const knownDeductions = new WeakMap<readonly AssumedWorkload[], Deducted & { cluster: ClusterCapacity }>()

/** Returns undefined for a cluster without a report. */
function deductedFrom(cluster: ClusterCapacity, assumed: readonly AssumedWorkload[]): Deducted | undefined {
  const reported = cluster.status?.resourceSummary
  if (!reported) return undefined
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
  nodesOfGrades: Deducted['nodesOfGrades'] | undefined,
): number {
  if (!nodesOfGrades) return replicasOnNodes(grades, nodeDemand(resourceRequest))
  const one = { replicas: 1, replicaRequirements: { resourceRequest: resourceRequest ?? {} } }
  return placeSets(nodesOfGrades(grades), [one], Infinity)
}

/** Compiles the estimate for the scarcest requested resource. */
function compileBySummary(requests: readonly Request[] | typeof unreadable): (summary: SummaryCapacity) => number {
  if (requests === unreadable) return () => 0
  // Most clusters share one list of names, so the requests are rarely looked up in it.
  let names: readonly string[] = []
  let places = placesOf(requests, names)
  return (summary) => {
    if (summary.resources !== names) {
      names = summary.resources
      places = placesOf(requests, names)
    }
    let least = summary.allowedPods
    for (let index = 0; index < requests.length; index += 1) {
      least = Math.min(least, roomFor(requests[index]!, summary, places[index]!))
    }
    return least | 0
  }
}

function placesOf(requests: readonly Request[], names: readonly string[]): number[] {
  return requests.map(({ resource }) => names.indexOf(resource))
}

/** `at`: the place of the resource in the summary; negative if it is missing. */
function roomFor({ fast, counted }: Request, { amounts, exact }: SummaryCapacity, at: number): number {
  if (at < 0) return 0
  const quotient = Math.floor(amounts[at]! / fast)
  const room = Number.isNaN(quotient) ? Number(exact[at]! / counted) : quotient
  return Math.max(0, room)
}
