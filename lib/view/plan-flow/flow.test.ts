import { describe, expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import { type FlowTarget, flowOf, grouping, MAX_PLACES } from './flow'
import { layoutFlow } from './layout'

const one = (cluster: string): string => cluster
const places = (counts: Record<string, number>) =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }))
const target = (
  id: string,
  before: Record<string, number>,
  after: Record<string, number>,
  done = false,
): FlowTarget => ({ id, before: places(before), after: places(after), done })

const distribution = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9), { noNullPrototype: true })
const someTargets: fc.Arbitrary<FlowTarget[]> = fc
  .array(fc.record({ before: distribution, after: distribution, done: fc.boolean() }), { maxLength: 8 })
  .map((all) => all.map(({ before, after, done }, index) => target(`w${index}`, before, after, done)))

describe('the flow of a plan', () => {
  test('moves what appears where it was not, and keeps the rest', () => {
    const flow = flowOf([target('w', { a: 4 }, { a: 1, b: 3 }), target('v', { a: 2 }, { b: 2 }, true)], one)
    expect(flow.moves).toEqual([
      {
        from: 'a',
        to: 'b',
        replicas: 5,
        done: 2,
        workloads: [
          { id: 'w', replicas: 3, done: false },
          { id: 'v', replicas: 2, done: true },
        ],
      },
    ])
    expect(flow.places).toEqual([
      { name: 'a', before: 6, after: 1, stay: 1 },
      { name: 'b', before: 0, after: 5, stay: 0 },
    ])
    expect([flow.moved, flow.done]).toEqual([5, 2])
  })

  test('has the totals of the plan, whatever it moves', () => {
    fc.assert(
      fc.property(someTargets, (targets) => {
        const flow = flowOf(targets, one)
        const count = (side: 'before' | 'after'): number =>
          targets.reduce((sum, each) => sum + each[side].reduce((all, { replicas }) => all + replicas, 0), 0)
        const moved = targets.reduce((sum, { before, after }) => {
          const was = new Map(before.map(({ cluster, replicas }) => [cluster, replicas]))
          return (
            sum + after.reduce((all, { cluster, replicas }) => all + Math.max(0, replicas - (was.get(cluster) ?? 0)), 0)
          )
        }, 0)
        expect(flow.moved).toBe(moved)
        for (const side of ['before', 'after'] as const) {
          expect(flow.places.reduce((sum, place) => sum + place[side], 0)).toBe(count(side))
        }
        for (const { name, before, after, stay } of flow.places) {
          const leaves = flow.moves.filter(({ from }) => from === name).reduce((sum, { replicas }) => sum + replicas, 0)
          const comes = flow.moves.filter(({ to }) => to === name).reduce((sum, { replicas }) => sum + replicas, 0)
          expect([before, after]).toEqual([stay + leaves, stay + comes])
        }
      }),
    )
  })

  test('is drawn by region above twelve clusters, and a move within a region is one of it to itself', () => {
    const clusters = Array.from({ length: MAX_PLACES + 1 }, (_, index) => `c${index}`)
    const groupOf = grouping(clusters, (cluster) => (cluster === 'c0' ? undefined : 'eu'))
    expect([groupOf('c0'), groupOf('c1')]).toEqual(['c0', 'eu'])
    expect(grouping(clusters.slice(1), () => 'eu')('c1')).toBe('c1')
    const flow = flowOf([target('w', { c1: 2 }, { c2: 2 })], groupOf)
    expect(flow.moves).toMatchObject([{ from: 'eu', to: 'eu', replicas: 2 }])
    expect(flow.moved).toBe(2)
  })

  test('is drawn to scale: ribbons fill their bars and no bar overlaps the next', () => {
    fc.assert(
      fc.property(someTargets, (targets) => {
        const { bars, ribbons, height } = layoutFlow(flowOf(targets, one), { width: 400 })
        for (const [index, bar] of bars.entries()) {
          const next = bars[index + 1]
          const end = Math.max(bar.left.y + bar.left.height, bar.right.y + bar.right.height)
          expect(end).toBeLessThanOrEqual((next?.left.y ?? height) + 0.001)
        }
        for (const { path } of ribbons) expect(path).not.toContain('NaN')
      }),
    )
  })
})
