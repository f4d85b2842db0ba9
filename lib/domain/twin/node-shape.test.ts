import { describe, expect, test } from 'vitest'
import type { Cluster, Node, Pod } from '@/lib/kube/kinds'
import { summarizeResources } from '../cluster'
import { seededRng } from '@/lib/std/rng'
import { omit } from '@/lib/std/omit'
import { divide, type MemberShape, quantities, shapeMember, type Whole, wholeList } from './node-shape'

const MODELS = [
  {
    grade: 0,
    ranges: [
      { name: 'cpu', min: '0', max: '4' },
      { name: 'memory', min: '0', max: '16Gi' },
    ],
  },
  {
    grade: 1,
    ranges: [
      { name: 'cpu', min: '4', max: '16' },
      { name: 'memory', min: '16Gi', max: '64Gi' },
    ],
  },
  {
    grade: 2,
    ranges: [
      { name: 'cpu', min: '16', max: '1000' },
      { name: 'memory', min: '64Gi', max: '4000Gi' },
    ],
  },
]

/** The summary of the nodes and pods of a shape. */
function summaryOf(shape: MemberShape, pods: readonly Whole[], resourceModels?: Cluster['spec']['resourceModels']) {
  const nodes = shape.nodes.map(({ name, allocatable }) => ({
    metadata: { name },
    status: { allocatable: quantities(allocatable) },
  }))
  const running = [
    ...shape.nodes.flatMap(({ name, background }) => (background ? [[name, background] as const] : [])),
    ...pods.map((pod, index) => [shape.nodes[shape.nodeOfPod[index]!]!.name, pod] as const),
  ].map(([nodeName, whole]) => ({
    spec: { nodeName, containers: [{ name: 'main', resources: { requests: quantities(omit({ ...whole }, 'pods')) } }] },
    status: { phase: 'Running' },
  }))
  return summarizeResources({
    nodes: nodes as unknown as Node[],
    pods: running as unknown as Pod[],
    ...(resourceModels && { resourceModels }),
  })
}

function clusterWith(status: object, resourceModels?: Cluster['spec']['resourceModels']): Cluster {
  return {
    metadata: { name: 'm1' },
    spec: { syncMode: 'Push', ...(resourceModels && { resourceModels }) },
    status,
  } as unknown as Cluster
}

describe('the nodes of a member', () => {
  const resources = {
    allocatable: { cpu: '40', memory: '160Gi', pods: '440', 'nvidia.com/gpu': '6' },
    allocated: { cpu: '13500m', memory: '21Gi', pods: '37', 'nvidia.com/gpu': '2' },
  }
  const pods = Array.from({ length: 9 }, () => wholeList({ cpu: '250m', memory: '256Mi' }))

  test('give the summary of the source', () => {
    const cluster = clusterWith({ nodeSummary: { totalNum: 7, readyNum: 6 }, resourceSummary: resources })
    const shape = shapeMember(cluster, pods)
    const { allocatable = {}, allocated = {} } = summaryOf(shape, pods)
    expect(shape.nodes.filter(({ ready }) => ready)).toHaveLength(6)
    for (const name of ['cpu', 'memory', 'nvidia.com/gpu']) {
      expect(wholeList(allocatable)[name], name).toBe(wholeList(resources.allocatable)[name])
      expect(wholeList(allocated)[name], name).toBe(wholeList(resources.allocated)[name])
    }
    // One pod per node has all other load, so free pods count.
    expect(wholeList(allocatable)['pods']! - wholeList(allocated)['pods']!).toBe(440 - 37)
    expect(shape.exceeds).toBe(false)
  })

  test('fall into the grades of the source', () => {
    const modelings = [
      { grade: 0, count: 3 },
      { grade: 1, count: 2 },
      { grade: 2, count: 1 },
    ]
    const summary = {
      allocatable: { cpu: '100', memory: '400Gi', pods: '660' },
      allocated: { cpu: '30', memory: '90Gi', pods: '60' },
      allocatableModelings: modelings,
    }
    const cluster = clusterWith({ nodeSummary: { totalNum: 6, readyNum: 6 }, resourceSummary: summary }, MODELS)
    const shape = shapeMember(cluster, pods)
    expect(summaryOf(shape, pods, MODELS)).toMatchObject({ allocatableModelings: modelings })
  })

  test('are fewer than in the source above the limit of a simulated member, with the same capacity', () => {
    const cluster = clusterWith({
      nodeSummary: { totalNum: 4000, readyNum: 4000 },
      resourceSummary: { allocatable: { cpu: '32000' }, allocated: {} },
    })
    const shape = shapeMember(cluster, [])
    expect(shape.merged).toBe(true)
    expect(shape.nodes).toHaveLength(1000)
    expect(shape.nodes.reduce((sum, { allocatable }) => sum + (allocatable['cpu'] ?? 0), 0)).toBe(32_000_000)
  })

  test('report when workloads request more than the source has', () => {
    const cluster = clusterWith({
      nodeSummary: { totalNum: 1, readyNum: 1 },
      resourceSummary: { allocatable: { cpu: '1' }, allocated: { cpu: '100m' } },
    })
    expect(shapeMember(cluster, pods).exceeds).toBe(true)
  })

  test('exist without a summary', () => {
    expect(shapeMember(clusterWith({}), [])).toMatchObject({ nodes: [{ name: 'm1-node-1', ready: true }] })
  })
})

test('whole shares have the sum of the total, within their rooms as far as possible', () => {
  const { next } = seededRng(7)
  for (let round = 0; round < 200; round += 1) {
    const rooms = Array.from({ length: 1 + Math.floor(next() * 8) }, () => {
      const min = Math.floor(next() * 50)
      return { min, max: min + Math.floor(next() * 50) }
    })
    const total = Math.floor(next() * 600)
    const shares = divide(total, rooms)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
    expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true)
    const least = rooms.reduce((sum, { min }) => sum + min, 0)
    const most = rooms.reduce((sum, { max }) => sum + max, 0)
    if (total >= least && total <= most) {
      expect(shares.every((share, index) => share >= rooms[index]!.min && share <= rooms[index]!.max)).toBe(true)
    }
  }
})
