import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JournalFact } from '../journal'
import type { AnyBinding } from './binding-facts'
import { diffDeleted, diffFacts, type Facts, factNameOf, factsOfBinding, factsOfCluster } from './journal-facts'
import { placed, ready, reportOf, sampleBinding, sampleCluster } from './testing/samples'

const WEB = 'apps~v1/Deployment/demo/web'
const caused = { trigger: 'unseen' as const }
const none = () => []
const diff = (before: Facts, after: Facts, watched = true): JournalFact[] =>
  diffFacts({ subject: { workload: WEB }, before, after, caused, watched })

describe('what of the objects is noted', () => {
  test('of a workload: placement, scheduling, tasks, and per cluster what was applied and how healthy it is', () => {
    expect([...factsOfBinding(sampleBinding(), { causesOf: none }).keys()]).toEqual([
      'health m1',
      'health m2',
      'placement',
      'scheduled',
      'applied m1',
      'applied m2',
    ])
  })

  test('of a task whether all that replaces the copy is healthy', () => {
    const task = { fromCluster: 'm2', producer: 'p', reason: 'r' }
    const replaced = (binding: AnyBinding) => factsOfBinding(binding, { causesOf: none }).get('task m2')
    const spec = { clusters: placed({ m1: 3 }), gracefulEvictionTasks: [task] }
    expect(replaced(sampleBinding({ spec, status: { aggregatedStatus: [reportOf('m1', 3)] } }))).toMatchObject({
      replaced: true,
    })
    expect(replaced(sampleBinding({ spec }))).toMatchObject({ replaced: false })
    expect(replaced(sampleBinding({ spec, metadata: { generation: 9 } }))).toMatchObject({ replaced: false })
    expect(
      replaced(sampleBinding({ spec, status: { aggregatedStatus: [reportOf('m1', 3, { health: 'Unknown' })] } })),
    ).toMatchObject({ replaced: false })
    expect(replaced(sampleBinding({ spec: { ...spec, clusters: [] } }))).toMatchObject({ replaced: false })
  })

  test('at first sight only what is out of the ordinary', () => {
    const taints = [
      { key: 'gone', effect: 'NoExecute' as const },
      { key: 'full', effect: 'NoSchedule' as const },
    ]
    const facts = factsOfCluster(sampleCluster('m1', { status: ready('False'), spec: { taints } }))
    const seen = diffFacts({ subject: { cluster: 'm1' }, before: new Map(), after: facts, caused, watched: false })
    expect(seen.map(({ what }) => what)).toEqual(['ready', 'taint'])
    expect(diff(new Map(), factsOfBinding(sampleBinding(), { causesOf: none }), false)).toEqual([])
  })

  test('of a deletion what ends with it', () => {
    const spec = { gracefulEvictionTasks: [{ fromCluster: 'm2', producer: 'p', reason: 'r' }] }
    expect(
      diffDeleted({ workload: WEB }, factsOfBinding(sampleBinding({ spec }), { causesOf: none })).map(
        ({ what }) => what,
      ),
    ).toEqual(['task', 'placement'])
  })
})

test('the entries lead from the old state to the new one, and an unchanged object creates none', () => {
  const value = fc.constantFrom('Healthy', 'Unhealthy', 'Unknown')
  const facts = fc
    .dictionary(fc.constantFrom('health m1', 'health m2', 'health m3'), value)
    .map((record): Facts => new Map(Object.entries(record)))
  fc.assert(
    fc.property(facts, facts, (before, after) => {
      const known = new Map(before)
      for (const fact of diff(before, after)) {
        const { name } = factNameOf(fact) ?? { name: '' }
        if (!('after' in fact) || fact.after === undefined) known.delete(name)
        else known.set(name, fact.after as string)
      }
      expect(new Map([...known].sort())).toEqual(new Map([...after].sort()))
      expect(diff(after, after)).toEqual([])
    }),
    { seed: 11 },
  )
})
