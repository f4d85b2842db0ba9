import { describe, expect, it } from 'vitest'
import { SECTIONS, sectionOf } from './sections'

describe('the navigation', () => {
  it.each([
    ['/overview', 'overview'],
    ['/fleet', 'workloads'],
    ['/workloads/detail', 'workloads'],
    ['/clusters', 'clusters'],
    ['/clusters/what-if', 'resilience'],
    ['/queues/detail', 'queues'],
    ['/fleets', undefined],
    ['/api-reference', undefined],
  ])('places %s under %s', (path, id) => {
    expect(sectionOf(path)?.id).toBe(id)
  })

  it('gives every entry its own keys and path', () => {
    for (const field of ['keys', 'path', 'id'] as const) {
      expect(new Set(SECTIONS.map((section) => section[field])).size).toBe(SECTIONS.length)
    }
  })
})
