import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JournalFact } from '../journal'
import type { AnyBinding } from './binding-facts'
import { diffDeleted, diffFacts, type Facts, factNameOf, factsOfBinding, factsOfCluster, triggerOf } from './journal-facts'
import { placed, ready, reportOf, sampleBinding, sampleCluster, T0, T1 } from './testing/samples'

const WEB = 'apps~v1/Deployment/demo/web'
const diff = (before: Facts, after: Facts, watched = true): JournalFact[] => diffFacts({ subject: { workload: WEB }, before, after, trigger: 'scheduling', watched })

describe('what of the objects is noted', () => {
  test('of a workload: placement, scheduling, tasks, and per cluster what was applied and how healthy it is', () => {
    expect([...factsOfBinding(sampleBinding()).keys()]).toEqual(['health m1', 'health m2', 'placement', 'scheduled', 'applied m1', 'applied m2'])
  })

  test('of a task whether all that replaces the copy is healthy', () => {
    const task = { fromCluster: 'm2', producer: 'p', reason: 'r' }
    const replaced = (binding: AnyBinding) => factsOfBinding(binding).get('task m2')
    const spec = { clusters: placed({ m1: 3 }), gracefulEvictionTasks: [task] }
    expect(replaced(sampleBinding({ spec }))).toMatchObject({ replaced: true })
    expect(replaced(sampleBinding({ spec, metadata: { generation: 9 } }))).toMatchObject({ replaced: false })
    expect(replaced(sampleBinding({ spec, status: { aggregatedStatus: [reportOf('m1', 3, { health: 'Unknown' })] } }))).toMatchObject({ replaced: false })
    expect(replaced(sampleBinding({ spec: { ...spec, clusters: [] } }))).toMatchObject({ replaced: false })
  })

  test('at first sight only what is out of the ordinary', () => {
    const taints = [{ key: 'gone', effect: 'NoExecute' as const }, { key: 'full', effect: 'NoSchedule' as const }]
    const facts = factsOfCluster(sampleCluster('m1', { status: ready('False'), spec: { taints } }))
    const seen = diffFacts({ subject: { cluster: 'm1' }, before: new Map(), after: facts, trigger: 'unseen', watched: false })
    expect(seen.map(({ what }) => what)).toEqual(['ready', 'taint'])
    expect(diff(new Map(), factsOfBinding(sampleBinding()), false)).toEqual([])
  })

  test('of a deletion what ends with it', () => {
    const spec = { gracefulEvictionTasks: [{ fromCluster: 'm2', producer: 'p', reason: 'r' }] }
    expect(diffDeleted({ workload: WEB }, factsOfBinding(sampleBinding({ spec }))).map(({ what }) => what)).toEqual(['task', 'placement'])
  })
})

test('the entries lead from what was to what is, and an unchanged object makes none', () => {
  const value = fc.constantFrom('Healthy', 'Unhealthy', 'Unknown')
  const facts = fc.dictionary(fc.constantFrom('health m1', 'health m2', 'health m3'), value).map((record): Facts => new Map(Object.entries(record)))
  fc.assert(fc.property(facts, facts, (before, after) => {
    const known = new Map(before)
    for (const fact of diff(before, after)) {
      const { name } = factNameOf(fact) ?? { name: '' }
      if (!('after' in fact) || fact.after === undefined) known.delete(name)
      else known.set(name, fact.after as string)
    }
    expect(new Map([...known].sort())).toEqual(new Map([...after].sort()))
    expect(diff(after, after)).toEqual([])
  }), { seed: 11 })
})

describe('what made a placement change', () => {
  const task = { fromCluster: 'm2', producer: 'TaintManager', reason: 'TaintUntolerated' }
  test.each<[string, AnyBinding, AnyBinding]>([
    ['rebalance', sampleBinding({ spec: { rescheduleTriggeredAt: T1 } }), sampleBinding({ clusters: { m1: 3 } })],
    ['rebalance', sampleBinding(), sampleBinding({ clusters: { m1: 3 }, spec: { rescheduleTriggeredAt: T1 } })],
    ['rebalance', sampleBinding({ spec: { rescheduleTriggeredAt: T0 } }), sampleBinding({ clusters: { m1: 3 }, spec: { rescheduleTriggeredAt: T0 } })],
    ['failover', sampleBinding(), sampleBinding({ clusters: { m1: 2 }, spec: { gracefulEvictionTasks: [task] } })],
    ['first placement', sampleBinding({ clusters: {}, status: { lastScheduledTime: undefined } }), sampleBinding()],
    ['scaling', sampleBinding(), sampleBinding({ clusters: { m1: 2, m2: 4 } })],
    ['scheduling', sampleBinding(), sampleBinding({ clusters: { m1: 3 } })],
  ])('%s', (trigger, old, next) => expect(triggerOf(old, next)).toBe(trigger))
})
