/**
 * Computes nodes and background load that give a simulated member the resource summary of a real cluster: the same
 * totals and, with resource models, the same number of nodes in each grade.
 */
import {
  formatQuantity,
  milliQuantityOf,
  quantityMilli,
  quantityOf,
  quantityValue,
  tryParseQuantity,
} from '@/lib/kube/quantity'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { PodSpec } from '@/lib/kube/kinds/pod-spec'
import { addPodRequests, type Amounts } from '../cluster/pod-requests'

/** Amounts by resource: millicores of CPU, otherwise whole units. */
export type Whole = Readonly<Record<string, number>>

export interface NodeShape {
  name: string
  allocatable: Whole
  /** Usage on this node by load that Karmada does not manage; absent without such a load. */
  background?: Whole
  ready: boolean
}

export interface MemberShape {
  nodes: readonly NodeShape[]
  /** Index of the node of each pod. */
  nodeOfPod: readonly number[]
  /** The cluster has more nodes than a simulated member may have: fewer, larger nodes have the same capacity. */
  merged: boolean
  /** The workloads need more than the cluster reports, so the summary will differ. */
  exceeds: boolean
}

/** Maximum number of nodes of a simulated member. */
const MAX_NODES = 1000
const PODS = 'pods'

/** Computes the nodes. `pods` are the requests of the federation's pods in the cluster. */
export function shapeMember({ metadata, spec, status }: Cluster, pods: readonly Whole[]): MemberShape {
  const { allocatable = {}, allocated = {}, allocatableModelings = [] } = status?.resourceSummary ?? {}
  const total = wholeList(allocatable)
  const used = wholeList(allocated)
  const asked = sumOf(pods, pods.length)
  const wanted = Math.max(1, Math.floor(status?.nodeSummary?.totalNum ?? 1) || 1)
  const count = Math.min(MAX_NODES, wanted)
  const names = namesOf([total, used, asked])
  const nodeOfPod = pods.map((_, index) => index % count)
  const load = split(names, count, { total, used, asked })
  const free = freeByNode({ count, free: load.free }, gradesOf(spec.resourceModels, allocatableModelings, count))
  const own = requestsByNode(pods, nodeOfPod, count)
  const ready = Math.min(count, status?.nodeSummary?.readyNum ?? count)
  const digits = String(count).length
  return {
    nodes: Array.from({ length: count }, (_, index) => ({
      name: `${metadata.name}-node-${String(index + 1).padStart(digits, '0')}`,
      allocatable: sumOf([free[index]!, load.background[index] ?? {}, own[index]!]),
      ...(load.background[index] && { background: load.background[index] }),
      ready: index < ready,
    })),
    nodeOfPod,
    merged: wanted > count,
    exceeds: names.some(
      (name) =>
        Math.max(used[name] ?? 0, asked[name] ?? 0) > (total[name] ?? 0) || (asked[name] ?? 0) > (used[name] ?? 0),
    ),
  }
}

/** Returns the free resources of the cluster, and the background load of each node. */
function split(
  names: readonly string[],
  count: number,
  { total, used, asked }: Record<'total' | 'used' | 'asked', Whole>,
): { free: Whole; background: Whole[] } {
  const rest = (name: string): number => Math.max(0, (used[name] ?? 0) - (asked[name] ?? 0))
  const free = Object.fromEntries(
    names.map((name) => [name, Math.max(0, (total[name] ?? 0) - Math.max(used[name] ?? 0, asked[name] ?? 0))]),
  )
  // One pod per node has all the background requests; the others only count as pods.
  const carriers = Math.min(count, Math.max(rest(PODS), names.some((name) => rest(name) > 0) ? 1 : 0))
  const background = Array.from({ length: carriers }, (_, index) => ({
    ...Object.fromEntries(
      names
        .filter((name) => name !== PODS && rest(name) > 0)
        .map((name) => [name, shareOf(rest(name), carriers, index)]),
    ),
    [PODS]: 1,
  }))
  return { free, background }
}

/** The range of each resource of a node, from its grade. */
interface Range {
  min: Whole
  max: Whole
}

type Models = NonNullable<Cluster['spec']['resourceModels']>
type Modelings = NonNullable<NonNullable<NonNullable<Cluster['status']>['resourceSummary']>['allocatableModelings']>

/** Returns a range for each node that a grade counts; the others have none. */
function gradesOf(models: Models = [], modelings: Modelings, count: number): readonly Range[] {
  const ranges = new Map(models.map(({ grade, ranges: list }) => [grade, rangeOf(list)]))
  const counted = modelings.flatMap(({ grade = 0, count: nodes = 0 }) => {
    const range = ranges.get(grade)
    return range ? Array.from({ length: Math.min(Math.max(0, nodes), count) }, () => range) : []
  })
  return counted.slice(0, count)
}

function rangeOf(list: Models[number]['ranges'] = []): Range {
  return {
    min: wholeList(Object.fromEntries(list.map(({ name = '', min = '0' }) => [name, min]))),
    max: wholeList(Object.fromEntries(list.map(({ name = '', max = '0' }) => [name, max]))),
  }
}

/** Divides the free resources so that each node is in its grade. */
function freeByNode({ count, free }: { count: number; free: Whole }, grades: readonly Range[]): Whole[] {
  const nodes = Array.from({ length: count }, (): Record<string, number> => ({}))
  for (const [name, total] of Object.entries(free)) {
    const shares = divide(
      total,
      Array.from({ length: count }, (_, index) => roomOf(grades[index], name)),
    )
    nodes.forEach((node, index) => Object.assign(node, { [name]: shares[index]! }))
  }
  return nodes
}

interface Bounds {
  min: number
  max: number
}

function roomOf(range: Range | undefined, name: string): Bounds {
  const min = range?.min[name] ?? 0
  const max = range?.max[name]
  return { min, max: max === undefined ? Infinity : Math.max(min, max - 1) }
}

/**
 * Returns whole shares with the sum `total`, within the rooms as far as possible and otherwise as equal as possible,
 * because most clusters have nodes of one size.
 */
export function divide(total: number, rooms: readonly Bounds[]): number[] {
  const least = rooms.reduce((sum, { min }) => sum + min, 0)
  if (least > total) return inOrder(total, rooms)
  const level = levelFor(total, rooms)
  const shares = rooms.map((room) => within(room, level))
  let rest = total - shares.reduce((sum, share) => sum + share, 0)
  for (const [index, room] of rooms.entries()) {
    if (rest === 0 || shares[index] !== level || level >= room.max) continue
    shares[index] += 1
    rest -= 1
  }
  // More is free than the grades allow; the highest grade has no upper limit.
  if (shares.length > 0) shares[shares.length - 1]! += rest
  return shares
}

const within = ({ min, max }: Bounds, level: number): number => Math.min(max, Math.max(min, level))

/** Returns the highest level to which all rooms can be filled. */
function levelFor(total: number, rooms: readonly Bounds[]): number {
  let [low, high] = [0, total]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const needed = rooms.reduce((sum, room) => sum + within(room, middle), 0)
    if (needed <= total) low = middle
    else high = middle - 1
  }
  return low
}

/** Less is free than the sum of the minima: the first nodes get theirs. */
function inOrder(total: number, rooms: readonly Bounds[]): number[] {
  let rest = total
  return rooms.map(({ min }) => {
    const share = Math.min(min, rest)
    rest -= share
    return share
  })
}

const shareOf = (total: number, parts: number, index: number): number =>
  Math.floor(total / parts) + (index < total % parts ? 1 : 0)

function requestsByNode(pods: readonly Whole[], nodeOfPod: readonly number[], count: number): Whole[] {
  const lists = Array.from({ length: count }, (): Whole[] => [])
  pods.forEach((pod, index) => lists[nodeOfPod[index]!]!.push(pod))
  return lists.map((list) => sumOf(list, list.length))
}

function sumOf(lists: readonly Whole[], pods = 0): Record<string, number> {
  const sums = new Map<string, number>(pods > 0 ? [[PODS, pods]] : [])
  for (const list of lists)
    for (const [name, amount] of Object.entries(list)) sums.set(name, (sums.get(name) ?? 0) + amount)
  return Object.fromEntries(sums)
}

const namesOf = (lists: readonly Whole[]): string[] => [...new Set(lists.flatMap((list) => Object.keys(list)))]

/** Parses quantities as whole numbers; 0 for an invalid one. */
export function wholeList(list: Readonly<Record<string, string | number>>): Whole {
  return Object.fromEntries(Object.entries(list).map(([name, text]) => [name, wholeOf(name, text)]))
}

function wholeOf(name: string, text: string | number): number {
  const quantity = tryParseQuantity(text)
  if (!quantity) return 0
  return Number(name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))
}

/** Formats whole numbers as quantities. */
export function quantities(list: Whole): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, quantityText(name, amount)]))
}

function quantityText(name: string, amount: number): string {
  if (name === 'cpu') return formatQuantity(milliQuantityOf(amount))
  const isBytes = name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')
  return formatQuantity(quantityOf(amount, isBytes ? 'BinarySI' : 'DecimalSI'))
}

/** Returns the requests of a pod with this spec. */
export function podRequests(spec: PodSpec | undefined): Whole {
  const amounts: Amounts = new Map()
  if (spec) addPodRequests(amounts, spec)
  return Object.fromEntries(
    [...amounts].map(([name, quantity]) => [
      name,
      Number(name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity)),
    ]),
  )
}
