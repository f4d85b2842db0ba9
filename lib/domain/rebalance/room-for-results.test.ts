import { describe, expect, it } from 'vitest'
import { hasRoomForResults } from './room-for-results'
import type { ObservedWorkload } from './sync-status'

const workload = (at: number, name = 'w') => ({ apiVersion: 'v1', kind: 'Pod', namespace: 'n', name: `${name}${at}` })
const rebalancer = (n: number, name?: string) => ({
  metadata: { generation: 1 },
  spec: { workloads: Array.from({ length: n }, (_, at) => workload(at, name)) },
})

describe('room for the results of a rebalancer', () => {
  it.each([
    ['none', 0, 'w', true],
    ['as many as fit', 7_500, 'w', true],
    ['more than fit', 8_500, 'w', false],
    ['fewer with long names', 4_000, 'w'.repeat(150), false],
    ['fewer with names whose letters take several bytes', 4_000, '\u5de5'.repeat(50), false],
  ])('for %s', (_, n, name, expected) => {
    expect(hasRoomForResults(rebalancer(n, name))).toBe(expected)
  })

  it('is not asked again for results that are stored', () => {
    const observedWorkloads = rebalancer(8_500).spec.workloads.map((each): ObservedWorkload => ({
      workload: each,
      result: 'Successful',
    }))
    expect(hasRoomForResults({ ...rebalancer(8_500), status: { observedWorkloads } })).toBe(true)
  })
})
