/** Predicts what a cluster reports after replicas have arrived. */
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { summaryWith } from './assumed'
import { countedAmount } from './capacity'

/** Replicas of one workload. */
export interface ArrivingCopies {
  replicas: number
  requirements?: ReplicaRequirements | undefined
}

/**
 * How free the nodes are within the limits of their grades. `even`: as even as the summary says, and each replica goes to
 * the emptiest node, as kube-scheduler prefers, or leaves the fullest. `least`, `most`: as little or as much as the grades
 * permit, so that every arrival lowers a grade, or every departure raises one.
 */
export type NodeUsage = 'even' | 'least' | 'most'

/**
 * A report that replicas change. The summary is exact; individual nodes are unknown, and are assumed to have the same
 * size. Changes are applied when the cluster is read, because most reports of a batch are never read.
 */
export class ChangingReport {
  readonly #usage: NodeUsage
  #cluster: Cluster
  #pending: { copies: ArrivingCopies; sign: 1 | -1 }[] = []
  #nodes: { grades: readonly Grade[]; free: Amounts[] | undefined } | undefined
  #copies = 0

  constructor(cluster: Cluster, usage: NodeUsage) {
    this.#cluster = cluster
    this.#usage = usage
  }

  /** The same object until replicas change, and if the cluster reports no capacity. */
  get cluster(): Cluster {
    const pending = this.#pending
    const { status } = this.#cluster
    const summary = status?.resourceSummary
    if (pending.length === 0 || !summary) return this.#cluster
    this.#pending = []
    const components = pending.map(({ copies: { replicas, requirements }, sign }) => ({
      name: '',
      replicas: sign * replicas,
      ...(requirements && { replicaRequirements: requirements }),
    }))
    const modelings = this.#modelingsAfter(pending)
    const resourceSummary = {
      ...summaryWith(summary, components),
      ...(modelings && { allocatableModelings: modelings }),
    }
    this.#cluster = { ...this.#cluster, status: { ...status, resourceSummary } }
    return this.#cluster
  }

  arrive(copies: ArrivingCopies): void {
    if (copies.replicas > 0) this.#pending.push({ copies, sign: 1 })
  }

  leave(copies: ArrivingCopies): void {
    if (copies.replicas > 0) this.#pending.push({ copies, sign: -1 })
  }

  #modelingsAfter(pending: readonly { copies: ArrivingCopies; sign: 1 | -1 }[]): Modelings | undefined {
    const nodes = this.#nodes ?? this.#begin()
    this.#copies += countOf(pending.map(({ copies }) => copies.replicas))
    if (!nodes.free || this.#copies > MAX_COPIES) return undefined
    for (const { copies, sign } of pending) {
      const requests = amountsOf(copies.requirements?.resourceRequest)
      for (let copy = 0; copy < copies.replicas; copy += 1) {
        if (sign > 0) placeOn(nodes.free, requests)
        else freeOn(nodes.free, requests, this.#usage)
      }
    }
    return countGrades(nodes.free, nodes.grades)
  }

  #begin(): { grades: readonly Grade[]; free: Amounts[] | undefined } {
    const grades = gradesOf(this.#cluster)
    this.#nodes = { grades, free: nodesOf(this.#cluster, grades, this.#usage) }
    return this.#nodes
  }
}

/**
 * Returns the cluster with the resource summary and the nodes by grade after the arrival, with evenly used nodes. Returns
 * the same object if no replica arrives or the cluster reports no capacity.
 */
export function withArrivals(cluster: Cluster, arrivals: readonly ArrivingCopies[]): Cluster {
  const report = new ChangingReport(cluster, 'even')
  for (const copies of arrivals) report.arrive(copies)
  return report.cluster
}

/** Returns the cluster after these replicas have left; by grade, they are assumed to leave the fullest nodes. */
export function withDepartures(cluster: Cluster, copies: ArrivingCopies): Cluster {
  const report = new ChangingReport(cluster, 'even')
  report.leave(copies)
  return report.cluster
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

function gradesOf({ spec }: Cluster): Grade[] {
  return (spec.resourceModels ?? [])
    .map(({ grade, ranges }) => ({ grade, min: new Map(ranges.map(({ name, min }) => [name, amountOf(name, min)])) }))
    .sort((a, b) => a.grade - b.grade)
}

function countGrades(nodes: readonly Amounts[], grades: readonly Grade[]): Modelings {
  const counts = new Map(grades.map(({ grade }) => [grade, 0]))
  for (const node of nodes) {
    const grade = gradeOf(node, grades)
    if (grade !== undefined) counts.set(grade, (counts.get(grade) ?? 0) + 1)
  }
  return [...counts].map(([grade, count]) => ({ grade, count }))
}

/** Returns the free resources of each node; undefined without nodes by grade, or with too many. */
function nodesOf(cluster: Cluster, grades: readonly Grade[], usage: NodeUsage): Amounts[] | undefined {
  const modelings = cluster.status?.resourceSummary?.allocatableModelings ?? []
  const total = countOf(modelings.map(({ count }) => count))
  if (modelings.length === 0 || grades.length === 0 || total > MAX_NODES) return undefined
  const share = evenShare(cluster, grades, total)
  const ascending = modelings.toSorted((a, b) => a.grade - b.grade)
  return ascending.flatMap(({ grade, count }) => {
    const at = grades.findIndex((one) => one.grade === grade)
    return Array.from({ length: Math.max(0, count) }, () => freeOf(share, grades, { at, usage }))
  })
}

function evenShare(cluster: Cluster, grades: readonly Grade[], total: number): Amounts {
  const { allocatable = {}, allocated = {}, allocating = {} } = cluster.status?.resourceSummary ?? {}
  const names = [...new Set(grades.flatMap(({ min }) => [...min.keys()]))]
  return new Map(
    names.map((name) => [
      name,
      // Replicas that arrived before are in `allocating`; without them every arrival would find the nodes as first reported.
      (amountOf(name, allocatable[name]) - amountOf(name, allocated[name]) - amountOf(name, allocating[name]))
        / Math.max(1, total),
    ]),
  )
}

function freeOf(share: Amounts, grades: readonly Grade[], { at, usage }: { at: number; usage: NodeUsage }): Amounts {
  const own = grades[at]
  const above = grades[at + 1]
  if (usage === 'even' || !own) return bounded(share, grades, at)
  if (usage === 'least') return new Map([...share.keys()].map((name) => [name, own.min.get(name) ?? 0]))
  return new Map(
    [...share].map(([name, amount]) => [
      name,
      above ? (above.min.get(name) ?? 0) - 1 : Math.max(amount, own.min.get(name) ?? 0),
    ]),
  )
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

function freeOn(nodes: readonly Amounts[], requests: Amounts, usage: NodeUsage): void {
  // Where every departure raises a grade, the highest one gains most.
  const sign = usage === 'most' ? -1 : 1
  let freed: Amounts | undefined
  for (const node of nodes) if (!freed || sign * (node.get('cpu') ?? 0) < sign * (freed.get('cpu') ?? 0)) freed = node
  if (!freed) return
  for (const [name, amount] of requests) if (freed.has(name)) freed.set(name, freed.get(name)! + amount)
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
