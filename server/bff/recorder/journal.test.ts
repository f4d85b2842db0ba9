import { describe, expect, test } from 'vitest'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { placed, sampleBinding, T0, T1, T2 } from '@/lib/view/project/testing/samples'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { FedInformers } from '../testing/fed-informers'
import { World } from '../world/world'
import { PlacementJournal, triggerOf } from './journal'

const WEB = 'apps~v1/Deployment/demo/web'
const idOf = (name: string): string => `apps~v1/Deployment/demo/${name}`

function setUp(limits?: ConstructorParameters<typeof PlacementJournal>[1]) {
  const clock = createFakeClock(Date.parse(T2))
  const informers = new FedInformers()
  const world = new World(informers, () => true)
  const journal = new PlacementJournal(clock, limits)
  const bindings = informers.of(resourceBinding)
  bindings.put(sampleBinding())
  journal.start(world)
  return { clock, journal, bindings }
}

describe('the journal of placements', () => {
  test('takes what is placed already as known', () => {
    expect(setUp().journal.changesOf(WEB)).toEqual([])
  })

  test('records a change with its time, and nothing when only the order or the status changes', () => {
    const { journal, bindings } = setUp()
    bindings.put(sampleBinding({ spec: { clusters: placed({ m2: 1, m1: 2 }) }, status: { lastScheduledTime: T2 } }))
    expect(journal.changesOf(WEB)).toEqual([])
    bindings.put(sampleBinding({ clusters: { m2: 3 } }))
    expect(journal.changesOf(WEB)).toEqual([{
      at: T2, trigger: 'scheduling', before: [{ cluster: 'm1', replicas: 2 }, { cluster: 'm2', replicas: 1 }], after: [{ cluster: 'm2', replicas: 3 }],
    }])
  })

  test('finds the move of a rebalance by its time', () => {
    const { clock, journal, bindings } = setUp()
    bindings.put(sampleBinding({ spec: { rescheduleTriggeredAt: T1 } }))
    bindings.put(sampleBinding({ clusters: { m2: 3 }, spec: { rescheduleTriggeredAt: T1 }, status: { lastScheduledTime: T2 } }))
    clock.advance(60_000)
    bindings.put(sampleBinding({ clusters: { m2: 5 }, spec: { rescheduleTriggeredAt: T1 }, status: { lastScheduledTime: T2 } }))
    expect(journal.changesOf(WEB).map((change) => change.trigger)).toEqual(['rebalance', 'scaling'])
    expect(journal.rebalanceSince(WEB, T1)).toMatchObject({ after: [{ cluster: 'm2', replicas: 3 }] })
    expect(journal.rebalanceSince(WEB, '2026-11-21T09:01:01Z')).toBeUndefined()
    expect(journal.rebalanceSince(idOf('other'), T1)).toBeUndefined()
  })

  test('remembers a bounded number of workloads and changes, the latest ones', () => {
    const { journal, bindings } = setUp({ workloads: 2, changes: 2 })
    for (const name of ['a', 'b', 'c']) {
      for (const replicas of [1, 2, 3, 4]) bindings.put(sampleBinding({ name, clusters: { m1: replicas } }))
    }
    expect(['a', 'b', 'c'].map((name) => journal.changesOf(idOf(name)).length)).toEqual([0, 2, 2])
    expect(journal.changesOf(idOf('c')).at(-1)).toMatchObject({ after: [{ cluster: 'm1', replicas: 4 }] })
  })
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
