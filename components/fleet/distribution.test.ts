import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { barParts, tintOf } from './distribution'
import { aCell, fleets } from './heat/testing/fleets'

describe('the bar of a workload', () => {
  it('has what is ready, starts or is unknown in the order of the columns', () => {
    const cells = [aCell('b', { desired: 4, ready: 2, unknown: 1 }), aCell('a', { desired: 2 })]
    const byCluster = new Map(cells.map((cell) => [cell.cluster, cell]))
    expect(barParts([{ name: 'a' }, { name: 'b' }, { name: 'c' }], byCluster, 10)).toEqual([
      { kind: 'ready', cluster: 'a', at: 0, x: 0, width: 20, replicas: 2 },
      { kind: 'ready', cluster: 'b', at: 1, x: 20, width: 20, replicas: 2 },
      { kind: 'starting', cluster: 'b', at: 1, x: 40, width: 10, replicas: 1 },
      { kind: 'unknown', cluster: 'b', at: 1, x: 50, width: 10, replicas: 1 },
    ])
  })

  it('ends at its tick where all is ready, and has no gap between parts', () => {
    fc.assert(
      fc.property(fleets, ({ clusters, workloads }) => {
        for (const { cells } of workloads) {
          const parts = barParts(clusters, new Map(cells.map((cell) => [cell.cluster, cell])), 3)
          let end = 0
          for (const { x, width } of parts) {
            expect(x).toBe(end)
            end = x + width
          }
          const expected = cells.reduce((sum, { desired, old = 0 }) => sum + desired + old, 0)
          expect(end).toBe(expected * 3)
        }
      }),
    )
  })

  it('tells up to three clusters apart', () => {
    expect(new Set([0, 1, 2].map((at) => tintOf(at, 3))).size).toBe(3)
    expect(tintOf(0, 4)).toBe('other')
  })
})
