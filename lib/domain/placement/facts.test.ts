import { expect, test } from 'vitest'
import { type ClusterSnapshot, factsOf, snapshotOf } from './facts'
import { aCluster } from './testing/scheduled'

const namesOf = ({ facts }: ClusterSnapshot): string[] => facts.map(({ name }) => name)
const clusters = ['m3', 'm1', 'm2'].map((name) => aCluster(name))

test('clusters are sorted by name, whatever their order in the list', () => {
  const { facts, ranks } = snapshotOf(clusters)
  expect(facts.map(({ name }) => name)).toEqual(['m1', 'm2', 'm3'])
  expect([...ranks].toSorted()).toEqual([
    ['m1', 0],
    ['m2', 1],
    ['m3', 2],
  ])
})

test('a changed cluster replaces only its own facts', () => {
  const before = snapshotOf(clusters)
  const changed = aCluster('m1', 99)
  const after = snapshotOf(clusters.with(1, changed))
  expect(after.facts).toEqual([factsOf(changed), before.facts[1], before.facts[2]])
  expect(before.facts[0]!.cluster).toBe(clusters[1])
})

test('added, deleted and renamed clusters are read anew', () => {
  snapshotOf(clusters)
  expect(namesOf(snapshotOf([...clusters, aCluster('m0')]))).toEqual(['m0', 'm1', 'm2', 'm3'])
  expect(namesOf(snapshotOf(clusters.slice(1)))).toEqual(['m1', 'm2'])
  expect(namesOf(snapshotOf([aCluster('m4'), clusters[2]!]))).toEqual(['m2', 'm4'])
})
