import { describe, expect, it } from 'vitest'
import type { MemberNodesView, PodMark } from '@/lib/view/member-model'
import type { ClusterView, WorkloadView } from '@/lib/view/model'
import type { ClusterPicture } from './federation'
import { layoutFederation } from './layout'
import { hasFewNodes, nodeColumns } from './node-columns'

const WEB = 'apps~v1/Deployment/shop/web'
const workloads = new Map([[WEB, { id: WEB, ref: { name: 'web' } } as WorkloadView]])
const pod = (name: string, mark: PodMark = 'ready', more: object = {}) => ({
  namespace: 'shop',
  name,
  mark,
  createdAt: `2026-01-01T00:00:0${name.at(-1)}Z`,
  owner: { kind: 'Deployment', name: 'web' },
  ...more,
})
const node = (name: string, pods: ReturnType<typeof pod>[], more: object = {}): MemberNodesView['nodes'][number] => ({
  name,
  ready: true,
  unschedulable: false,
  taints: [],
  cpu: { allocatable: 8000, requested: 500 },
  memory: { allocatable: 1, requested: 0 },
  pods,
  ...more,
})
const view = (nodes: MemberNodesView['nodes'], totals: Partial<MemberNodesView['totals']> = {}): MemberNodesView => ({
  nodes,
  totals: { nodes: nodes.length, pods: nodes.flatMap(({ pods }) => pods).length, ...totals },
  pending: 0,
  metrics: false,
})
const columns = (given: MemberNodesView, before: [string, number][] = []) =>
  nodeColumns(given, { cluster: 'm2', workloads, before: new Map(before) })

describe('the nodes of a cluster as columns', () => {
  it('hold a block for each pod that runs, named after its workload', () => {
    const own = pod('agent-4', 'ready', { owner: { kind: 'DaemonSet', name: 'agent' } })
    const ended = pod('web-5', 'completed')
    const [column] = columns(
      view([node('n1', [pod('web-1'), pod('web-2', 'starting'), pod('web-3', 'failed'), own, ended])]),
    )!
    expect(column?.blocks.map(({ name, kind, workload }) => [name, kind, workload])).toEqual([
      ['agent', 'ready', undefined],
      ['web', 'ready', WEB],
      ['web', 'starting', WEB],
      ['web', 'failed', WEB],
    ])
  })

  it('tell the youngest ready pods of a failover as recovered here', () => {
    const given = view([node('n1', [pod('web-1'), pod('web-3')]), node('n2', [pod('web-2'), pod('web-4', 'starting')])])
    const kinds = (before: [string, number][]) =>
      columns(given, before)!.map(({ blocks }) => blocks.map(({ id, kind }) => `${id.at(-1)} ${kind}`))
    expect(kinds([])).toEqual([
      ['1 ready', '3 ready'],
      ['2 ready', '4 starting'],
    ])
    expect(kinds([[`${WEB} m2`, 1]])).toEqual([
      ['1 ready', '3 recovered'],
      ['2 recovered', '4 starting'],
    ])
    expect(kinds([[`${WEB} m2`, 0]])).toEqual([
      ['1 recovered', '3 recovered'],
      ['2 recovered', '4 starting'],
    ])
  })

  it.each([
    ['without nodes', view([])],
    ['of which only some nodes were read', view([node('n1', [])], { nodes: 2 })],
    ['of which only some pods were read', view([node('n1', [pod('web-1')])], { pods: 2 })],
  ])('are not drawn for a cluster %s', (_, given) => {
    expect(columns(given)).toBeUndefined()
  })

  it('show cordoned nodes and those that are not ready', () => {
    const nodes = [
      node('a', []),
      node('b', [], { unschedulable: true }),
      node('c', [], { ready: false, unschedulable: true }),
    ]
    expect(columns(view(nodes))!.map(({ state }) => state)).toEqual(['ok', 'held', 'fail'])
  })

  it.each([
    [{ ready: 'True', nodes: { total: 3 }, pods: { allocated: 9 } }, true],
    [{ ready: 'False', nodes: { total: 3 }, pods: { allocated: 9 } }, false],
    [{ ready: 'True', nodes: { total: 13 }, pods: { allocated: 9 } }, false],
    [{ ready: 'True', nodes: { total: 3 }, pods: { allocated: 121 } }, false],
    [{ ready: 'True' }, false],
  ])('are asked for where there are few: %j', (given, few) => {
    expect(hasFewNodes(given as ClusterView)).toBe(few)
  })
})

describe('the frames of nodes', () => {
  const cluster = (name: string, nodes: [cpu: number, blocks: number][]): ClusterPicture =>
    ({
      cluster: { name, ready: 'True', cpu: { allocatable: 1, allocated: 0, allocating: 0 } },
      shortName: name,
      ready: 1,
      desired: 1,
      blocks: [],
      nodes: nodes.map(([allocatable, count], index) => ({
        name: `${name}-${index}`,
        state: 'ok',
        allocatable,
        requested: 0,
        blocks: Array.from({ length: count }, (__, at) => ({ id: `${at}`, name: 'web', kind: 'ready' })),
      })),
    }) as unknown as ClusterPicture
  const framesOf = (...clusters: ClusterPicture[]) => {
    const layout = layoutFederation([{ name: 'eu', clusters }], 880)
    return { scale: layout.nodeScale, frames: layout.tiles.map(({ frames = [] }) => frames) }
  }

  it('are as high as their CPU, on one scale for all clusters', () => {
    const { scale, frames } = framesOf(
      cluster('a', [
        [12, 3],
        [6, 1],
      ]),
      cluster('b', [[3, 1]]),
    )
    const [[whole, half], [quarter]] = frames as never as { height: number }[][] as [
      [{ height: number }, { height: number }],
      [{ height: number }],
    ]
    expect(scale).toBe('linear')
    expect(half.height).toBeCloseTo(whole.height / 2)
    expect(quarter.height).toBeCloseTo(whole.height / 4)
  })

  it('are as high as the square root where nodes differ much', () => {
    const { scale, frames } = framesOf(cluster('a', [[100, 3]]), cluster('b', [[1, 0]]))
    expect(scale).toBe('root')
    expect(frames[1]![0]!.height).toBeCloseTo(frames[0]![0]!.height / 10)
  })

  it('hold all of their blocks', () => {
    const { frames } = framesOf(
      cluster('a', [
        [12, 20],
        [6, 9],
      ]),
    )
    for (const { y, height, blocks } of frames.flat()) {
      expect(blocks.length).toBeGreaterThan(0)
      for (const block of blocks) {
        expect(block.y).toBeGreaterThanOrEqual(y)
        expect(block.y + block.height).toBeLessThanOrEqual(y + height)
      }
    }
  })

  it.each([
    [
      'a node is too full for its height',
      cluster('a', [
        [12, 3],
        [1, 40],
      ]),
    ],
    [
      'nodes are too many for the width',
      cluster(
        'a',
        Array.from({ length: 60 }, () => [12, 1] as [number, number]),
      ),
    ],
  ])('are one for the whole cluster where %s', (_, picture) => {
    const { scale, frames } = framesOf(picture)
    expect(scale).toBeUndefined()
    expect(frames[0]).toHaveLength(1)
  })
})
