import { describe, expect, test } from 'vitest'
import type { KubeObject } from '@/lib/kube/object'
import { OwnWrites, Pace, Spacing } from './memory'

const version = (resourceVersion: string, uid = 'u'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', uid, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
})
const versionsOver = (own: OwnWrites<KubeObject>, ...copies: KubeObject[]): string[] =>
  own.over(copies).map(({ metadata }) => metadata.resourceVersion)

describe('own writes', () => {
  test('replace the version that they overwrote, and no other', () => {
    const own = new OwnWrites<KubeObject>()
    own.note(version('1'), version('2'))
    expect(versionsOver(own, version('1'), version('7', 'other'))).toEqual(['2', '7'])
    expect(versionsOver(own, version('1'))).toEqual(['2'])
  })

  test('are dropped as soon as the cache has them, or later writes of other clients', () => {
    const own = new OwnWrites<KubeObject>()
    own.note(version('1'), version('2'))
    expect(versionsOver(own, version('5'))).toEqual(['5'])
    expect(versionsOver(own, version('1'))).toEqual(['1'])
  })

  test('follow one another', () => {
    const own = new OwnWrites<KubeObject>()
    own.note(version('1'), version('2'))
    own.note(own.latest(version('1')), version('3'))
    expect(versionsOver(own, version('1'))).toEqual(['3'])
    expect(versionsOver(own, version('2'))).toEqual(['3'])
    expect(own.latest(version('9')).metadata.resourceVersion).toBe('9')
  })

  test('of a deleted object are dropped, so that its name can be used again', () => {
    const own = new OwnWrites<KubeObject>()
    own.note(version('1'), version('2'))
    expect(versionsOver(own)).toEqual([])
    expect(versionsOver(own, version('1'))).toEqual(['1'])
  })
})

test('a limited action happens at once, then only after its interval, independently per key', () => {
  const spacing = new Spacing(1000)
  expect(spacing.waitMs('a', 0)).toBe(0)
  spacing.happened('a', 0)
  expect([spacing.waitMs('a', 300), spacing.waitMs('b', 300), spacing.waitMs('a', 1000)]).toEqual([700, 0, 0])
  spacing.keep(new Set(['b']))
  expect(spacing.waitMs('a', 300)).toBe(0)
})

describe('the pace of decisions', () => {
  test('short ones follow each other at once after a quiet time, then at their interval', () => {
    const pace = new Pace(50)
    const waits = [0, 2, 4, 6, 8, 10].map((now) => {
      const wait = pace.waitMs(now)
      pace.happened(now, 2)
      return wait
    })
    expect(waits).toEqual([0, 0, 0, 0, 0, 0])
    expect([pace.waitMs(12), pace.waitMs(50)]).toEqual([38, 0])
  })

  test('a second one soon after a long one does not wait four times as long as that one took', () => {
    const pace = new Pace(50)
    pace.happened(0, 40)
    expect(pace.waitMs(40)).toBe(0)
    pace.happened(40, 40)
    expect(pace.waitMs(80)).toBe(0)
    pace.happened(80, 40)
    expect(pace.waitMs(120)).toBe(110)
  })

  test('one after a plan that was carried out leaves time to tell the readers of its writes', () => {
    const pace = new Pace(50)
    pace.happened(0, 20)
    pace.carriedOut(60)
    expect([pace.waitMs(60), pace.waitMs(110)]).toEqual([50, 0])
  })

  test.each([10, 40, 400])('of %i ms each they take at most a quarter of the time in the long run', (tookMs) => {
    const pace = new Pace(50)
    let [now, count] = [0, 0]
    for (; now < 600_000; count += 1) {
      now += pace.waitMs(now)
      pace.happened(now, tookMs)
      now += tookMs
    }
    expect((count * tookMs) / now).toBeLessThan(0.255)
  })
})
