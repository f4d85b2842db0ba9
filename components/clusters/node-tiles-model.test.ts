import { expect, it } from 'vitest'
import type { NodeView } from '@/lib/view/member-model'
import { densityOf, stateOfNode, stepInGrid, stripColumns } from './node-tiles-model'

it.each([
  [0, 'tiles'],
  [60, 'tiles'],
  [61, 'small'],
  [400, 'small'],
  [401, 'strip'],
])('%i nodes are drawn as %s', (nodes, density) => {
  expect(densityOf(nodes)).toBe(density)
})

const node = (more: Partial<NodeView>): NodeView => ({
  name: 'n',
  ready: true,
  unschedulable: false,
  taints: [],
  cpu: { allocatable: 1, requested: 0 },
  memory: { allocatable: 1, requested: 0 },
  pods: [],
  ...more,
})

it('a node is as bad as the worst that is known of it', () => {
  const taints = [{ key: 'k', effect: 'NoSchedule' }]
  expect(stateOfNode(node({}))).toBe('ok')
  expect(stateOfNode(node({ taints }))).toBe('warn')
  expect(stateOfNode(node({ taints, unschedulable: true }))).toBe('held')
  expect(stateOfNode(node({ taints, unschedulable: true, ready: false }))).toBe('fail')
})

it('a strip is never wider than its nodes', () => {
  expect(stripColumns(3, 6)).toBe(3)
  expect(stripColumns(2000, 6)).toBe(112)
})

it('arrows move in rows and columns, and stay at the edges', () => {
  const step = stepInGrid(5, 2)
  expect(['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'].map((key) => step(2, key))).toEqual([3, 4, 1, 0])
  expect(['ArrowRight', 'ArrowDown'].map((key) => step(4, key))).toEqual([4, 4])
})
