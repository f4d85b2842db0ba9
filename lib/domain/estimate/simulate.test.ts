import fc from 'fast-check'
import { expect, test } from 'vitest'
import { podsPerNode } from './models'
import { type Component, nodesOf, placeSets } from './simulate'

/** Pod by pod, first fit, as upstream: the reference for runs of equal nodes. */
function walk(nodes: Map<string, bigint>[], components: readonly Component[], limit: number): number {
  const place = ({ replicas = 0, replicaRequirements }: Component): boolean => {
    const { cpu = '0', pods = '1' } = { ...replicaRequirements?.resourceRequest, pods: '1' }
    const demand = new Map([
      ['cpu', BigInt(cpu) * 1000n],
      ['pods', BigInt(pods)],
    ])
    for (let placed = 0; placed < replicas; placed += 1) {
      const node = nodes.find((one) => [...demand].every(([name, amount]) => amount <= (one.get(name) ?? 0n)))
      if (!node) return false
      for (const [name, amount] of demand) node.set(name, (node.get(name) ?? 0n) - amount)
    }
    return true
  }
  let sets = 0
  while (sets < limit && components.every(place)) sets += 1
  return sets
}

const grades = fc.array(fc.record({ count: fc.integer({ min: 0, max: 4 }), cpu: fc.integer({ min: 0, max: 9 }) }), {
  maxLength: 4,
})
const component = fc.record({
  replicas: fc.integer({ min: 0, max: 5 }),
  replicaRequirements: fc.record({ resourceRequest: fc.record({ cpu: fc.integer({ min: 1, max: 4 }).map(String) }) }),
})
const workloads = fc.array(fc.array(component, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })

test('runs of equal nodes take the same pods as individual nodes', () => {
  fc.assert(
    fc.property(grades, workloads, fc.integer({ min: 0, max: 60 }), (given, lists, limit) => {
      const runs = nodesOf(
        given.map(({ count, cpu }) => ({ count, capacity: new Map([['cpu', BigInt(cpu) * 1000n]]) })),
      )
      const nodes = given.flatMap(({ count, cpu }) =>
        Array.from(
          { length: count },
          () =>
            new Map([
              ['cpu', BigInt(cpu) * 1000n],
              ['pods', BigInt(podsPerNode)],
            ]),
        ),
      )
      for (const components of lists) expect(placeSets(runs, components, limit)).toBe(walk(nodes, components, limit))
    }),
    { numRuns: 500, seed: 20261122 },
  )
})

test.each([
  { of: 'nodes', count: 2 ** 31 - 1, replicas: 1, limit: Infinity, sets: (2 ** 31 - 1) * 9 },
  { of: 'replicas', count: 10, replicas: 2 ** 31 - 1, limit: 5, sets: 0 },
  { of: 'nodes and replicas', count: 2 ** 31 - 1, replicas: 2 ** 31 - 1, limit: 5, sets: 5 },
])('a huge number of $of costs no more than a small one', ({ count, replicas, limit, sets }) => {
  const nodes = nodesOf([{ count, capacity: new Map([['cpu', 9000n]]) }])
  const replicaRequirements = { resourceRequest: { cpu: '1' } }
  expect(placeSets(nodes, [{ replicas, replicaRequirements }], limit)).toBe(sets)
})
