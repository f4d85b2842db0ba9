/** Places pods on virtual nodes by first fit, to count how many whole sets of components fit. */
import { type NodeGrade, podsPerNode } from './models'
import type { ResourceList } from './capacity'
import { nodeDemand } from './requests'

/** One component of a workload with several components. */
export interface Component {
  name?: string
  replicas?: number
  replicaRequirements?: { resourceRequest?: ResourceList }
}

/**
 * Consecutive equal nodes. Clusters determine node counts and users determine replicas, so nodes are not stored
 * individually.
 */
export interface NodeRun {
  count: number
  /** Per node. */
  pods: number
  left: ReadonlyMap<string, bigint>
  next: NodeRun | undefined
}

interface Kind {
  replicas: number
  demand: ReadonlyMap<string, bigint>
  /** Nodes before this one have no room for this kind, and will not have any later. */
  from: NodeRun | undefined
}

/** Maximum sets with several kinds that are placed individually; the result then means "at least that many". */
const MAX_SETS = 10_000

/** Returns empty nodes of all grades, in order; undefined when there are none. */
export function nodesOf(grades: readonly NodeGrade[]): NodeRun | undefined {
  return grades.reduceRight<NodeRun | undefined>(
    (next, { count, capacity }) => (count > 0 ? { count, pods: podsPerNode, left: capacity, next } : next),
    undefined,
  )
}

/** Returns the same nodes, which further pods do not change. */
export function copyOfNodes(nodes: NodeRun | undefined): NodeRun | undefined {
  if (!nodes) return undefined
  const first = { ...nodes }
  for (let last = first; last.next; last = last.next) last.next = { ...last.next }
  return first
}

/**
 * Places sets until one does not fit completely or `limit` is reached; returns how many fit. The result is that of
 * placing each pod by first fit. The pods stay on the nodes.
 */
export function placeSets(nodes: NodeRun | undefined, components: readonly Component[], limit: number): number {
  const kinds = components.map(({ replicas = 0, replicaRequirements }) => ({
    replicas,
    demand: nodeDemand(replicaRequirements?.resourceRequest),
    from: nodes,
  }))
  const [only] = kinds
  if (only && kinds.length === 1 && only.replicas > 0) {
    return Math.min(limit, Math.floor(place(only, only.replicas * limit) / only.replicas))
  }
  const most = Math.min(limit, MAX_SETS)
  let sets = 0
  while (sets < most && kinds.every((kind) => place(kind, kind.replicas) >= kind.replicas)) sets += 1
  return sets
}

/** Places up to `wanted` pods of a kind; returns how many fit. */
function place(kind: Kind, wanted: number): number {
  let placed = 0
  while (placed < wanted && kind.from) {
    const run = kind.from
    const each = roomFor(run, kind.demand)
    if (each === 0) {
      kind.from = run.next
      continue
    }
    placed += fill(run, { kind, each, wanted: wanted - placed })
  }
  return placed
}

/**
 * Puts `each` pods on as many nodes of the run as needed, and the rest on the next one. The run object remains the
 * first of its parts, because other kinds start their search there.
 */
function fill(run: NodeRun, { kind, each, wanted }: { kind: Kind; each: number; wanted: number }): number {
  const full = Math.min(run.count, Math.floor(wanted / each))
  if (full > 0) {
    split(run, full)
    take(run, kind.demand, each)
    return full * each
  }
  split(run, 1)
  take(run, kind.demand, wanted)
  return wanted
}

/** Keeps the first `count` nodes in the run; the others follow unchanged. */
function split(run: NodeRun, count: number): void {
  if (run.count === count) return
  run.next = { ...run, count: run.count - count }
  run.count = count
}

/** Returns how many pods fit on one node of the run. */
function roomFor({ pods, left }: NodeRun, demand: ReadonlyMap<string, bigint>): number {
  let room = BigInt(pods)
  for (const [resource, amount] of demand) {
    const free = left.get(resource) ?? 0n
    if (amount > free) return 0
    if (amount > 0n && free / amount < room) room = free / amount
  }
  return Number(room)
}

function take(run: NodeRun, demand: ReadonlyMap<string, bigint>, pods: number): void {
  run.pods -= pods
  const left = new Map(run.left)
  for (const [resource, amount] of demand) left.set(resource, (left.get(resource) ?? 0n) - amount * BigInt(pods))
  run.left = left
}
