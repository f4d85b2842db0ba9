import { describe, expect, it } from 'vitest'
import { cellAt, depthOf, layoutMatrix, pathsOf, stepInTriangle } from './matrix-layout'

const clusters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, region: `r${Math.floor(index / 3)}` }))

describe('the layout of the triangle', () => {
  it.each([1, 6, 60, 300])('finds each of %i clusters at its own cell, and nothing above the diagonal', (count) => {
    const layout = layoutMatrix(clusters(count), 560)
    const middle = (index: number) => layout.starts[index]! + layout.cell / 2
    for (const row of [0, Math.floor(count / 2), count - 1]) {
      expect(cellAt(layout, middle(0), middle(row))).toEqual({ row, column: 0 })
      expect(cellAt(layout, middle(row), middle(row))).toEqual({ row, column: row })
      if (row > 0) expect(cellAt(layout, middle(row), middle(0))).toBeUndefined()
    }
    expect(cellAt(layout, -1, 0)).toBeUndefined()
    expect(cellAt(layout, 0, layout.size + 1)).toBeUndefined()
  })

  it('names clusters while there is room, then regions', () => {
    expect(layoutMatrix(clusters(6), 560).labels.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])
    expect(layoutMatrix(clusters(60), 560).labels.slice(0, 2)).toMatchObject([
      { name: 'r0', from: 0, to: 2 },
      { name: 'r1', from: 3, to: 5 },
    ])
  })

  it('fits its room as long as cells stay large enough to be pointed at', () => {
    expect(layoutMatrix(clusters(60), 560).size).toBeLessThanOrEqual(560)
    expect(layoutMatrix(clusters(300), 560).cell).toBe(3)
  })

  it('leads arrow keys along rows and columns, never out of the triangle', () => {
    expect(stepInTriangle({ row: 2, column: 1 }, 'ArrowUp', 4)).toEqual({ row: 1, column: 1 })
    expect(stepInTriangle({ row: 1, column: 1 }, 'ArrowUp', 4)).toEqual({ row: 1, column: 1 })
    expect(stepInTriangle({ row: 1, column: 1 }, 'ArrowRight', 4)).toEqual({ row: 1, column: 1 })
    expect(stepInTriangle({ row: 3, column: 0 }, 'ArrowDown', 4)).toEqual({ row: 3, column: 0 })
    expect(stepInTriangle({ row: 3, column: 0 }, 'ArrowLeft', 4)).toEqual({ row: 3, column: 0 })
    expect(stepInTriangle({ row: 3, column: 0 }, 'ArrowRight', 4)).toEqual({ row: 3, column: 1 })
  })
})

describe('the paths of the triangle', () => {
  const squares = (path: string) => path.split('M').length - 1

  it('draw each cell once on its ground, and what is lost on it by depth', () => {
    const losing = [[9], [0, 1], [undefined, 5, 2]]
    const paths = pathsOf(layoutMatrix(clusters(3), 200), (row, column) => losing[row]![column])
    expect([paths.pair, paths.single, paths.unknown].map(squares)).toEqual([2, 3, 1])
    expect(paths.depths.map(squares)).toEqual([2, 1, 1])
    expect(squares(paths.dots)).toBe(1)
  })

  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [7, 2],
    [8, 3],
    [500, 3],
  ])('draw %i workloads in depth %i', (losing, depth) => {
    expect(depthOf(losing)).toBe(depth)
  })
})
