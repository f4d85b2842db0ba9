/** Flows of replicas in a rebalance: what each cluster loses, gains and keeps, summed over workloads. */
import type { ReplicasInCluster } from '../model'

export interface FlowTarget {
  id: string
  before: readonly ReplicasInCluster[]
  after: readonly ReplicasInCluster[]
  /** The workload has arrived. */
  done: boolean
}

/** Replicas that move from one cluster, or group of clusters, to another. */
export interface FlowMove {
  /** Undefined: new replicas. */
  from: string | undefined
  /** Undefined: removed replicas. */
  to: string | undefined
  replicas: number
  done: number
  /** Workload IDs with their replicas in this move, most first. */
  workloads: { id: string; replicas: number; done: boolean }[]
}

export interface FlowPlace {
  name: string
  before: number
  after: number
  stay: number
}

export interface PlanFlow {
  places: FlowPlace[]
  moves: FlowMove[]
  /** Replicas that move to another cluster. */
  moved: number
  done: number
}

/** With more clusters than this, regions are drawn instead. */
export const MAX_PLACES = 12

/** Returns a function from a cluster to its group: the cluster itself, or its region if there are too many. */
export function grouping(clusters: readonly string[], regionOf: (cluster: string) => string | undefined) {
  if (new Set(clusters).size <= MAX_PLACES) return (cluster: string): string => cluster
  return (cluster: string): string => regionOf(cluster) ?? cluster
}

/**
 * Sums the moves of all workloads. Losses and gains of a workload are matched in the order of names, so that the total
 * is the number of added replicas.
 */
export function flowOf(targets: readonly FlowTarget[], groupOf: (cluster: string) => string): PlanFlow {
  const places = new Map<string, FlowPlace>()
  const moves = new Map<string, FlowMove>()
  for (const target of targets) {
    for (const shift of shiftsOf(target)) add({ target, shift, groupOf, places, moves })
  }
  const all = [...moves.values()]
  for (const { workloads } of all) workloads.sort((a, b) => b.replicas - a.replicas || (a.id < b.id ? -1 : 1))
  const arriving = all.filter(({ to }) => to !== undefined)
  return {
    places: [...places.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    moves: all.sort((a, b) => b.replicas - a.replicas || (keyOf(a.from, a.to) < keyOf(b.from, b.to) ? -1 : 1)),
    moved: arriving.reduce((sum, { replicas }) => sum + replicas, 0),
    done: arriving.reduce((sum, { done }) => sum + done, 0),
  }
}

interface Shift {
  from: string | undefined
  to: string | undefined
  replicas: number
}

function shiftsOf({ before, after }: FlowTarget): Shift[] {
  const was = new Map(before.map(({ cluster, replicas }) => [cluster, replicas]))
  const will = new Map(after.map(({ cluster, replicas }) => [cluster, replicas]))
  const clusters = [...new Set([...was.keys(), ...will.keys()])].sort()
  const stays = clusters.map((cluster) => ({
    from: cluster,
    to: cluster,
    replicas: Math.min(was.get(cluster) ?? 0, will.get(cluster) ?? 0),
  }))
  const givers = clusters.map((cluster) => ({
    cluster,
    left: Math.max(0, (was.get(cluster) ?? 0) - (will.get(cluster) ?? 0)),
  }))
  const takers = clusters.map((cluster) => ({
    cluster,
    left: Math.max(0, (will.get(cluster) ?? 0) - (was.get(cluster) ?? 0)),
  }))
  const shifts: Shift[] = []
  for (const taker of takers) {
    for (const giver of givers) {
      const replicas = Math.min(giver.left, taker.left)
      if (replicas === 0) continue
      giver.left -= replicas
      taker.left -= replicas
      shifts.push({ from: giver.cluster, to: taker.cluster, replicas })
    }
  }
  const rest = [
    ...givers.map(({ cluster, left }) => ({ from: cluster, to: undefined, replicas: left })),
    ...takers.map(({ cluster, left }) => ({ from: undefined, to: cluster, replicas: left })),
  ]
  return [...stays, ...shifts, ...rest].filter(({ replicas }) => replicas > 0)
}

interface Adding {
  target: FlowTarget
  shift: Shift
  groupOf: (cluster: string) => string
  places: Map<string, FlowPlace>
  moves: Map<string, FlowMove>
}

function add({ target: { id, done }, shift, groupOf, places, moves }: Adding): void {
  const { replicas } = shift
  const [from, to] = [shift.from, shift.to].map((cluster) => (cluster === undefined ? undefined : groupOf(cluster)))
  if (from !== undefined) placeIn(places, from).before += replicas
  if (to !== undefined) placeIn(places, to).after += replicas
  if (shift.from === shift.to) {
    placeIn(places, from!).stay += replicas
    return
  }
  const key = keyOf(from, to)
  const move = moves.get(key) ?? { from, to, replicas: 0, done: 0, workloads: [] }
  moves.set(key, move)
  move.replicas += replicas
  if (done) move.done += replicas
  const known = move.workloads.find((each) => each.id === id)
  if (known) known.replicas += replicas
  else move.workloads.push({ id, replicas, done })
}

function placeIn(places: Map<string, FlowPlace>, name: string): FlowPlace {
  const place = places.get(name) ?? { name, before: 0, after: 0, stay: 0 }
  places.set(name, place)
  return place
}

const keyOf = (from: string | undefined, to: string | undefined): string => `${from ?? ''} > ${to ?? ''}`
