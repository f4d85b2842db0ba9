/** Divides by capacity: DynamicWeight over all clusters, Aggregated over as few as possible. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Candidate } from '../placement/candidate'
import { dispenseByWeight } from './dispense'
import { type Division, type DivisionInput, type Share, int32, sumReplicas } from './division'
import { sortDescendingLikeGo } from './go-sort'

/** Replicas to divide: `target` in proportion to `shares`, added to `kept`. */
interface Scale {
  // upstream: Karmada scheduler, dynamic division
  verb: 'do fresh scale' | 'scale up' | 'scale down'
  target: number
  /** Capacity by cluster; for a scale down, the current replicas. */
  shares: Share[]
  kept: Share[]
}

/** Divides in proportion to the capacity of all clusters. */
export function divideDynamicWeight(input: DivisionInput): Division {
  return divideByCapacity(input, (shares) => shares)
}

/**
 * Divides in proportion to the capacity of the largest clusters that together suffice; clusters already in use come
 * first.
 */
export function divideAggregated(input: DivisionInput): Division {
  return divideByCapacity(input, cutToLargest)
}

function divideByCapacity(input: DivisionInput, narrow: (shares: Share[], scale: Scale) => Share[]): Division {
  const { mode, spec } = input.request
  const scale = mode === 'Fresh' ? freshScale(input) : steadyScale(input)
  const capacity = sumReplicas(scale.shares)
  if (capacity < scale.target) return notEnough(scale.verb, capacity)
  const shares = narrow(scale.shares, scale)
  const dispensed = dispenseByWeight(scale.target, shares, spec.resource.uid)
  return { ok: true, shares: merge(dispensed, scale.kept), weights: shares }
}

/** Returns the entries of the current result whose clusters are still selected, in the order of the result. */
function presentShares({ request, clusters }: DivisionInput): Share[] {
  const placed = request.spec.clusters ?? []
  const places = new Int32Array(placed.length).fill(-1)
  clusters.forEach(({ position }, place) => {
    if (position !== undefined) places[position] = place
  })
  const present: Share[] = []
  for (const place of places) {
    if (place < 0) continue
    const cluster = clusters[place]!
    present.push({ cluster, replicas: cluster.assigned })
  }
  const mayBeDoubled = present.length < placed.length
  return mayBeDoubled && request.positions.size < placed.length ? presentSharesOfDoubled(placed, clusters) : present
}

/** Handles a result that names a cluster twice, which schedulers do not write. */
function presentSharesOfDoubled(placed: readonly TargetCluster[], clusters: readonly Candidate[]): Share[] {
  return placed.flatMap(({ name, replicas = 0 }) => {
    const cluster = clusters.find((one) => one.name === name)
    return cluster ? [{ cluster, replicas }] : []
  })
}

function freshScale({ clusters, replicas }: DivisionInput): Scale {
  // upstream: Karmada scheduler, dynamic division
  return { verb: 'do fresh scale', target: replicas, shares: clusters.map(freshShare), kept: [] }
}

function steadyScale(input: DivisionInput): Scale {
  const { clusters, replicas } = input
  const present = presentShares(input)
  const assigned = sumReplicas(present)
  if (assigned > replicas) return { verb: 'scale down', target: replicas, shares: present, kept: [] }
  const target = int32(replicas - assigned)
  const shares = target === 0 ? [] : clusters.map((cluster) => ({ cluster, replicas: cluster.allocatableReplicas }))
  return { verb: 'scale up', target, shares, kept: present }
}

/** Returns the cluster's capacity if its current replicas were removed. */
function freshShare(cluster: Candidate): Share {
  return { cluster, replicas: int32(cluster.allocatableReplicas + cluster.assigned) }
}

function cutToLargest(shares: Share[], { target, kept }: Scale): Share[] {
  const sorted = [...shares]
  sortDescendingLikeGo(sorted, ({ replicas }) => replicas)
  const ordered = inUseFirst(sorted, kept)
  let sum = 0
  const enough = ordered.findIndex(({ replicas }) => {
    sum = int32(sum + replicas)
    return sum >= target
  })
  return enough < 0 ? ordered : ordered.slice(0, enough + 1)
}

function inUseFirst(shares: Share[], kept: readonly Share[]): Share[] {
  const used = kept.filter(({ replicas }) => replicas > 0)
  if (used.length === 0) return shares
  const isUsed = compileIsAmong(used)
  return [...shares.filter(isUsed), ...shares.filter((share) => !isUsed(share))]
}

/** Adds `kept`; kept clusters without new replicas follow in the order of the current result. */
function merge(dispensed: Share[], kept: readonly Share[]): Share[] {
  if (kept.length === 0) return dispensed
  const grown = dispensed.map(({ cluster, replicas }) => ({ cluster, replicas: int32(replicas + cluster.assigned) }))
  const isListed = compileIsAmong(dispensed)
  for (const share of kept) if (!isListed(share)) grown.push(share)
  return grown
}

/** Compiles the question whether the cluster has one of these shares. By rank, which is quicker than a set of objects. */
function compileIsAmong(shares: readonly Share[]): (share: Share) => boolean {
  const lastRank = shares.reduce((last, { cluster }) => Math.max(last, cluster.rank), 0)
  const marks = new Uint8Array(lastRank + 1)
  for (const { cluster } of shares) marks[cluster.rank] = 1
  return ({ cluster }) => marks[cluster.rank] === 1
}

function notEnough(verb: Scale['verb'], capacity: number): Division {
  // upstream: Karmada scheduler, dynamic division
  const message = `failed to ${verb}: Clusters available replicas ${capacity} are not enough to schedule.`
  return { ok: false, unschedulable: true, message }
}
