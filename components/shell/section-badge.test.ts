import { describe, expect, it } from 'vitest'
import { badgeOf } from './section-badge'

const clusters = (fail: number) => ({ clusters: { ok: 2, active: 0, warn: 0, fail, held: 0, unknown: 0 } })

describe('a badge of the navigation', () => {
  it('counts lost clusters as incidents', () => {
    const running = { clustersLost: ['member1'], running: 6 }
    expect(badgeOf('incidents', running, clusters(1))).toEqual({
      state: 'fail',
      n: 1,
      code: 'shell.badge.clustersLost',
    })
    expect(badgeOf('clusters', running, clusters(1))?.n).toBe(1)
  })

  it('counts failovers of single workloads while every cluster is ready', () => {
    expect(badgeOf('incidents', { clustersLost: [], running: 2 }, clusters(0))).toMatchObject({ state: 'active', n: 2 })
  })

  it('is absent at zero, before anything is known, and on other entries', () => {
    expect(badgeOf('incidents', { clustersLost: [], running: 0 }, clusters(0))).toBeUndefined()
    expect(badgeOf('clusters', undefined, undefined)).toBeUndefined()
    expect(badgeOf('queues', { clustersLost: ['member1'], running: 1 }, clusters(1))).toBeUndefined()
  })
})
