/** Predicts what a cluster reports after replicas have arrived. */
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { summaryWith, summaryWithAssumed } from './assumed'
import { countedAmount, type ResourceSummary } from './capacity'

/** Replicas of one workload. */
export interface ArrivingCopies {
  replicas: number
  requirements?: ReplicaRequirements | undefined
}

/**
 * Returns the cluster with the resource summary and the nodes by grade after the arrival. The summary is exact.
 * Individual nodes are unknown: they are assumed to have the same size and even usage within the limits of their
 * grades, and each replica goes to the emptiest node, as kube-scheduler prefers. Returns the same object if no replica
 * arrives or the cluster reports no capacity.
 */
export function withArrivals(cluster: Cluster, arrivals: readonly ArrivingCopies[]): Cluster {
  const summary = cluster.status?.resourceSummary
  if (!summary || arrivals.length === 0) return cluster
  const components = arrivals.map(({ replicas, requirements }) => ({
    name: '',
    replicas,
    ...(requirements && { replicaRequirements: requirements }),
  }))
  return reporting(cluster, summaryWithAssumed(summary, [{ components }]), modelingsAfter(cluster, arrivals, placeOn))
}

/** Returns the cluster after these replicas have left; by grade, they are assumed to leave the fullest nodes. */
export function withDepartures(cluster: Cluster, copies: ArrivingCopies): Cluster {
  const summary = cluster.status?.resourceSummary
  if (!summary) return cluster
  const { replicas, requirements } = copies
  const left = { name: '', replicas: -replicas, ...(requirements && { replicaRequirements: requirements }) }
  return reporting(cluster, summaryWith(summary, [left]), modelingsAfter(cluster, [copies], freeOn))
}

function reporting(cluster: Cluster, summary: ResourceSummary, modelings: Modelings | undefined): Cluster {
  const resourceSummary = { ...summary, ...(modelings && { allocatableModelings: modelings }) }
  return { ...cluster, status: { ...cluster.status, resourceSummary } }
}

/**
 * Maximum numbers of nodes and replicas that are simulated individually, because objects determine both numbers. Above,
 * only the summary is exact.
 */
const MAX_NODES = 10_000
const MAX_COPIES = 10_000

const countOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + Math.max(0, count), 0)

type Modelings = { grade: number; count: number }[]
type Amounts = Map<string, number>

interface Grade {
  grade: number
  min: Amounts
}

function modelingsAfter(
  cluster: Cluster,
  arrivals: readonly ArrivingCopies[],
  settle: (nodes: readonly Amounts[], requests: Amounts) => void,
): Modelings | undefined {
  const modelings = cluster.status?.resourceSummary?.allocatableModelings
  const models = cluster.spec.resourceModels
  if (!modelings?.length || !models?.length) return undefined
  const grades = models
    .map(({ grade, ranges }) => ({ grade, min: new Map(ranges.map(({ name, min }) => [name, amountOf(name, min)])) }))
    .sort((a, b) => a.grade - b.grade)
  if (countOf(modelings.map(({ count }) => count)) > MAX_NODES) return undefined
  if (countOf(arrivals.map(({ replicas }) => replicas)) > MAX_COPIES) return undefined
  const nodes = nodesOf(cluster, grades, modelings)
  for (const { replicas, requirements } of arrivals) {
    const requests = amountsOf(requirements?.resourceRequest)
    for (let copy = 0; copy < replicas; copy += 1) settle(nodes, requests)
  }
  const counts = new Map(grades.map(({ grade }) => [grade, 0]))
  for (const node of nodes) {
    const grade = gradeOf(node, grades)
    if (grade !== undefined) counts.set(grade, (counts.get(grade) ?? 0) + 1)
  }
  return [...counts].map(([grade, count]) => ({ grade, count }))
}

/** Returns the free resources of each node: an even share, moved into the limits of the node's grade. */
function nodesOf(cluster: Cluster, grades: readonly Grade[], modelings: Modelings): Amounts[] {
  const { allocatable = {}, allocated = {}, allocating = {} } = cluster.status?.resourceSummary ?? {}
  const total = countOf(modelings.map(({ count }) => count))
  const names = [...new Set(grades.flatMap(({ min }) => [...min.keys()]))]
  const share = new Map(
    names.map((name) => [
      name,
      // Replicas that arrived before are in `allocating`; without them every arrival would find the nodes as first reported.
      (amountOf(name, allocatable[name]) - amountOf(name, allocated[name]) - amountOf(name, allocating[name]))
        / Math.max(1, total),
    ]),
  )
  const ascending = modelings.toSorted((a, b) => a.grade - b.grade)
  return ascending.flatMap(({ grade, count }) => {
    const at = grades.findIndex((one) => one.grade === grade)
    return Array.from({ length: Math.max(0, count) }, () => bounded(share, grades, at))
  })
}

/**
 * Moves a share into the limits of a grade. The scarcest resource decides the grade, so only a share below the minimum
 * has to be raised.
 */
function bounded(share: Amounts, grades: readonly Grade[], at: number): Amounts {
  const [own, above] = [grades[at], grades[at + 1]]
  const raised = new Map([...share].map(([name, amount]) => [name, Math.max(amount, own?.min.get(name) ?? 0)]))
  const isTooHigh = above !== undefined && [...above.min].every(([name, min]) => (raised.get(name) ?? 0) >= min)
  const cpu = above?.min.get('cpu')
  return isTooHigh && cpu !== undefined ? raised.set('cpu', cpu - 1) : raised
}

/** Nodes may look alike after the even share; the one of the higher grade, later in the list, is the emptier one. */
function placeOn(nodes: readonly Amounts[], requests: Amounts): void {
  let emptiest: Amounts | undefined
  for (const node of nodes) {
    const fits = [...requests].every(([name, amount]) => !node.has(name) || node.get(name)! >= amount)
    if (fits && (!emptiest || (node.get('cpu') ?? 0) >= (emptiest.get('cpu') ?? 0))) emptiest = node
  }
  if (!emptiest) return
  for (const [name, amount] of requests) if (emptiest.has(name)) emptiest.set(name, emptiest.get(name)! - amount)
}

function freeOn(nodes: readonly Amounts[], requests: Amounts): void {
  let fullest: Amounts | undefined
  for (const node of nodes) if (!fullest || (node.get('cpu') ?? 0) < (fullest.get('cpu') ?? 0)) fullest = node
  if (!fullest) return
  for (const [name, amount] of requests) if (fullest.has(name)) fullest.set(name, fullest.get(name)! + amount)
}

function gradeOf(node: Amounts, grades: readonly Grade[]): number | undefined {
  return grades.findLast(({ min }) => [...min].every(([name, least]) => (node.get(name) ?? 0) >= least))?.grade
}

const amountsOf = (list: Readonly<Record<string, string | number>> = {}): Amounts =>
  new Map(Object.entries(list).map(([name, text]) => [name, amountOf(name, text)]))

function amountOf(name: string, text: string | number | undefined): number {
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  return quantity ? Number(countedAmount(name, quantity)) : 0
}
