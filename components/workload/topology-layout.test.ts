import { describe, expect, it } from 'vitest'
import type { CellView } from '@/lib/view/model'
import { type Box, edgeOf, lanesOf, layoutOf, MAX_SQUARES, squaresOf, WIDTH } from './topology-layout'

const cell = (cluster: string, state: 'ok' | 'fail' = 'ok'): CellView => ({
  cluster,
  desired: 1,
  current: 1,
  ready: 1,
  role: 'placed',
  applied: true,
  health: 'Healthy',
  state: { state, reason: '' },
})
const cells = (count: number): CellView[] => Array.from({ length: count }, (_, index) => cell(`m${index}`))

describe('lanes', () => {
  it('are one for each cluster of a few', () => {
    expect(lanesOf(cells(8), false)).toMatchObject({ own: { length: 8 }, shared: [] })
  })

  it('of many clusters are for those with trouble; the others share one', () => {
    const many = [...cells(38), cell('sick', 'fail'), cell('sick-2', 'fail')]
    const { own, shared } = lanesOf(many, false)
    expect(own.map(({ cluster }) => cluster)).toEqual(['sick', 'sick-2'])
    expect(shared).toHaveLength(38)
    expect(lanesOf(many, true).own).toHaveLength(40)
  })

  it('stay few when everything fails, and no cluster is lost', () => {
    const { own, shared } = lanesOf(
      Array.from({ length: 100 }, (_, index) => cell(`m${index}`, 'fail')),
      false,
    )
    expect(own).toHaveLength(24)
    expect(own.length + shared.length).toBe(100)
  })
})

const boxesOf = (lanes: number, overrides: number): Box[] => {
  const { template, policy, overrides: others, binding, lanes: rows } = layoutOf(lanes, overrides)
  return [template, policy, ...others, binding, ...rows.flatMap(({ work, member, pods }) => [work, member, pods])]
}

it.each([
  [0, 0],
  [1, 0],
  [5, 1],
  [25, 2],
])('no box of %i lanes and %i overrides lies on another or outside', (lanes, overrides) => {
  const boxes = boxesOf(lanes, overrides)
  const { height } = layoutOf(lanes, overrides)
  for (const [index, one] of boxes.entries()) {
    expect(one.x + one.width).toBeLessThanOrEqual(WIDTH)
    expect(one.y).toBeGreaterThanOrEqual(0)
    expect(one.y + one.height).toBeLessThanOrEqual(height)
    for (const other of boxes.slice(index + 1)) {
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x
      expect(apart || one.y + one.height <= other.y || other.y + other.height <= one.y).toBe(true)
    }
  }
})

it('squares stay in their box, and the rest is counted', () => {
  const box = layoutOf(1, 0).lanes[0]!.pods
  expect(squaresOf(box, 0)).toEqual({ places: [], more: 0 })
  expect(squaresOf(box, MAX_SQUARES)).toMatchObject({ places: { length: MAX_SQUARES }, more: 0 })
  const many = squaresOf(box, 100_000)
  expect(many.places.length + many.more).toBe(100_000)
  for (const { x, y } of many.places) {
    expect(x + 22).toBeLessThanOrEqual(box.x + box.width)
    expect(y).toBeGreaterThanOrEqual(box.y)
  }
})

it('an edge begins and ends at its boxes', () => {
  expect(edgeOf({ x: 0, y: 0, width: 10, height: 10 }, { x: 30, y: 20, width: 10, height: 10 })).toBe(
    'M10 5C20 5 20 25 30 25',
  )
})
