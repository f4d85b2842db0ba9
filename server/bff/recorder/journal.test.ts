import { describe, expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { JournalEntry, JournalQuery } from '@/lib/view/journal'
import { placed, ready, reportOf, sampleBinding, sampleCluster, T0, T1, T2 } from '@/lib/view/project/testing/samples'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { FedInformers } from '../testing/fed-informers'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { Journal } from './journal'
import type { JournalStorage } from './journal-files'
import { journalInMemory } from './journal-memory'
import { Observer } from './observer'

const WEB = 'apps~v1/Deployment/demo/web'
const idOf = (name: string): string => `apps~v1/Deployment/demo/${name}`
const createdAt = (creationTimestamp: string) => ({ name: 'back-home', creationTimestamp })
const task = {
  fromCluster: 'm2',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  purgeMode: 'Gracefully' as const,
}

interface Life {
  clock?: FakeClock
  storage?: JournalStorage
  limits?: { workloads: number; changes: number }
}

/** A journal that watches one workload in two clusters. */
async function live({ clock = createFakeClock(Date.parse(T2)), storage, limits }: Life = {}) {
  const informers = new FedInformers()
  const journal = new Journal({ clock, ...(storage && { storage }), ...(limits && { limits }) })
  await journal.recall()
  const bindings = informers.of(resourceBinding)
  const clusters = informers.of(cluster)
  return {
    clock,
    journal,
    bindings,
    clusters,
    informers,
    begin: () => new Observer(journal).start(new ControlPlaneCache(informers)),
    read: (query: JournalQuery = {}) => entriesOf(journal, query),
  }
}

async function entriesOf(journal: Journal, query: JournalQuery): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of journal.read(query)) entries.push(entry)
  return entries
}

async function watching(life?: Life) {
  const told = await live(life)
  told.bindings.put(sampleBinding())
  told.clusters.put(sampleCluster('m1'))
  told.clusters.put(sampleCluster('m2'))
  told.begin()
  return told
}

describe('what is noted', () => {
  test('nothing of existing healthy objects', async () => {
    const { journal, read } = await watching()
    expect([await read(), journal.changesOf(WEB)]).toEqual([[], []])
  })

  test('a placement with its time, and nothing when only the order or the time of the scheduling changes', async () => {
    const { journal, bindings, read } = await watching()
    bindings.put(sampleBinding({ spec: { clusters: placed({ m2: 1, m1: 2 }) } }))
    expect(await read()).toEqual([])
    bindings.put(
      sampleBinding({ clusters: { m2: 3 }, status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1)] } }),
    )
    expect(await read()).toEqual([
      {
        seq: 1,
        at: '2026-11-21T09:01:00.000Z',
        what: 'placement',
        workload: WEB,
        trigger: 'unknown cause',
        causes: [{ code: 'unknown cause' }],
        before: [
          { cluster: 'm1', replicas: 2 },
          { cluster: 'm2', replicas: 1 },
        ],
        after: [{ cluster: 'm2', replicas: 3 }],
      },
    ])
    expect(journal.changesOf(WEB)).toHaveLength(1)
  })

  test('what a failover consists of, causes before effects', async () => {
    const { bindings, clusters, clock, journal, read } = await watching()
    clusters.put(sampleCluster('m2', { status: ready('False') }))
    const taint = { key: 'gone', effect: 'NoExecute' as const, timeAdded: T2 }
    clusters.put(sampleCluster('m2', { status: ready('False'), spec: { taints: [taint] } }))
    clock.advance(5000)
    bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 2 }), gracefulEvictionTasks: [task] },
        metadata: { generation: 2 },
      }),
    )
    bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 3 }), gracefulEvictionTasks: [task] },
        status: { aggregatedStatus: [reportOf('m1', 2, { health: 'Unhealthy' })] },
      }),
    )
    clock.advance(1000)
    bindings.put(sampleBinding({ clusters: { m1: 3 } }))
    const summary = (await read()).map((entry) => [
      entry.what,
      'cluster' in entry ? entry.cluster : '',
      'after' in entry ? JSON.stringify(entry.after).slice(0, 24) : 'gone',
    ])
    expect(summary.map(([what, where]) => `${what} ${where}`.trim())).toEqual([
      'ready m2',
      'replicas m1',
      'replicas m2',
      'taint m2',
      'task m2',
      'placement',
      'replicas m2',
      'health m1',
      'placement',
      'replicas m1',
      'replicas m2',
      'health m2',
      'applied m2',
      'health m1',
      'replicas m1',
      'task m2',
    ])
    expect(journal.pastFailovers(0)).toMatchObject([
      {
        workload: WEB,
        cluster: 'm2',
        unhealthySince: '2026-11-21T09:01:00.000Z',
        evictedAt: '2026-11-21T09:01:05.000Z',
        replacedAt: '2026-11-21T09:01:06.000Z',
        endedAt: '2026-11-21T09:01:06.000Z',
        hasGap: false,
        purgeMode: 'Gracefully',
        before: [
          { cluster: 'm1', replicas: 2 },
          { cluster: 'm2', replicas: 1 },
        ],
        after: [{ cluster: 'm1', replicas: 3 }],
      },
    ])
  })

  test('is found by workload (with what clusters went through), by cluster and by time', async () => {
    const { bindings, clusters, clock, read } = await watching()
    bindings.put(sampleBinding({ name: 'api' }))
    bindings.put(sampleBinding({ clusters: { m2: 3 }, status: {} }))
    clock.advance(60_000)
    clusters.put(sampleCluster('m1', { status: ready('False') }))
    bindings.put(sampleBinding({ name: 'api', clusters: { m2: 2 }, status: {} }))
    const whats = async (query: JournalQuery) =>
      (await read(query)).map(({ what }) => what).filter((what) => what === 'placement' || what === 'ready')
    expect(await whats({ workload: WEB })).toEqual(['placement', 'ready'])
    expect(await whats({ cluster: 'm1' })).toEqual(['placement', 'ready', 'placement'])
    expect(await whats({ cluster: 'm1', since: '2026-11-21T09:01:30Z' })).toEqual(['ready', 'placement'])
    expect(await whats({ workload: 'nothing' })).toEqual(['ready'])
  })

  test('the drain that a workload left for, also when the taint is gone by the end', async () => {
    const { journal, bindings, clusters } = await watching()
    const taints = [{ key: 'evenkeel.io/drained', effect: 'NoExecute' as const, timeAdded: T1 }]
    clusters.put(sampleCluster('m2', { spec: { taints } }))
    bindings.put(sampleBinding({ clusters: { m1: 2 }, spec: { gracefulEvictionTasks: [task] } }))
    clusters.put(sampleCluster('m2'))
    bindings.put(
      sampleBinding({ clusters: { m1: 3 }, metadata: { generation: 2 }, spec: { gracefulEvictionTasks: [task] } }),
    )
    bindings.put(sampleBinding({ clusters: { m1: 3 } }))
    const drain = [{ code: 'drain', cluster: 'm2' }]
    expect(journal.changesOf(WEB).map(({ causes }) => causes)).toEqual([drain, drain])
    expect(journal.pastFailovers(0)).toMatchObject([{ workload: WEB, cluster: 'm2', causes: drain }])
  })

  test('each change of another condition, but not of its reason or time alone', async () => {
    const { clusters, read } = await watching()
    const report = (status: 'True' | 'False', reason: string) => {
      const full = { type: 'Full', status, reason, message: '', lastTransitionTime: T2 }
      clusters.put(sampleCluster('m1', { status: { conditions: [...ready('True')!.conditions!, full] } }))
    }
    report('False', 'Fine')
    report('False', 'StillFine')
    report('True', 'Disk')
    const told = (await read({ cluster: 'm1' })).map(({ what }) => what)
    expect(told.filter((what) => what === 'condition')).toHaveLength(2)
    expect((await read()).at(-1)).toMatchObject({
      what: 'condition',
      before: { type: 'Full', status: 'False' },
      after: { type: 'Full', status: 'True' },
    })
    expect((await read()).at(-1)).not.toHaveProperty('after.reason')
  })

  test('a plan that keeps old copies, and no failover of it', async () => {
    const { journal, bindings, read } = await watching()
    const kept = { fromCluster: 'm2', producer: 'RebalancePlan', reason: 'Rebalance', suppressDeletion: true }
    bindings.put(sampleBinding({ clusters: { m1: 2 }, spec: { gracefulEvictionTasks: [kept] } }))
    bindings.put(sampleBinding({ clusters: { m1: 3 } }))
    expect((await read()).map(({ what }) => what)).toContain('task')
    expect(journal.pastFailovers(0)).toEqual([])
  })

  test('the end of everything when a workload is deleted', async () => {
    const { bindings, read, journal } = await watching()
    bindings.put(sampleBinding({ spec: { gracefulEvictionTasks: [task] } }))
    bindings.remove(sampleBinding())
    expect((await read()).at(-1)).toMatchObject({ what: 'placement', trigger: 'deletion', after: [] })
    expect(journal.openFailover(WEB, 'm2')).toBeUndefined()
  })
})

describe('a journal that goes on', () => {
  test('marks the time in which no console watched, and tells what changed in it', async () => {
    const storage = journalInMemory()
    const first = await watching({ storage })
    first.bindings.put(sampleBinding({ clusters: { m1: 3 } }))
    const next = await live({
      storage: { ...storage, lastAlive: Date.parse(T2) },
      clock: createFakeClock(Date.parse(T2) + 60_000),
    })
    next.bindings.put(sampleBinding({ clusters: { m2: 3 } }))
    next.begin()
    const entries = await next.read()
    const at = entries.findIndex(({ what }) => what === 'gap')
    expect(entries[at]).toMatchObject({
      why: 'stopped',
      from: '2026-11-21T09:01:00.000Z',
      at: '2026-11-21T09:02:00.000Z',
    })
    expect(entries.slice(at + 1).every(({ late }) => late)).toBe(true)
    expect(entries.slice(at + 1)).toContainEqual(
      expect.objectContaining({
        what: 'placement',
        trigger: 'unseen',
        before: [{ cluster: 'm1', replicas: 3 }],
        after: [{ cluster: 'm2', replicas: 3 }],
      }),
    )
    expect(next.journal.changesOf(WEB)).toHaveLength(2)
  })

  test('ends the failover of a workload that was deleted while no console watched', async () => {
    const storage = journalInMemory()
    const first = await watching({ storage })
    first.bindings.put(sampleBinding({ spec: { clusters: placed({ m1: 2 }), gracefulEvictionTasks: [task] } }))
    expect(first.journal.openFailover(WEB, 'm2')).toBeDefined()
    const next = await live({ storage })
    expect(next.journal.openFailover(WEB, 'm2')).toMatchObject({ task: { producer: 'TaintManager' } })
    next.begin()
    next.informers.syncAll()
    await Promise.resolve()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(next.journal.openFailover(WEB, 'm2')).toBeUndefined()
    expect(next.journal.pastFailovers(0)).toMatchObject([{ workload: WEB, hasGap: false }])
  })

  test('marks the time in which the control plane did not answer', async () => {
    const { bindings, informers, clock, read } = await watching()
    informers.syncAll()
    bindings.setFreshness({ state: 'stale', since: clock.now() - 3000, error: 'refused' })
    clock.advance(10_000)
    bindings.setFreshness({ state: 'live', resourceVersion: '7' })
    expect(await read()).toMatchObject([
      { what: 'gap', why: 'unreachable', from: '2026-11-21T09:00:57Z', at: '2026-11-21T09:01:10.000Z' },
    ])
  })

  test('records an eviction that began before the console watched with the creation time of its task', async () => {
    const told = await live()
    told.bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 2 }), gracefulEvictionTasks: [{ ...task, creationTimestamp: T1 }] },
      }),
    )
    told.begin()
    expect(await told.read()).toMatchObject([
      { what: 'task', late: true, after: { createdAt: T1 } },
      { what: 'replicas', late: true, cluster: 'm1', after: { placed: 2, ready: 2 } },
      { what: 'replicas', late: true, cluster: 'm2', after: { placed: 0, ready: 0, old: 1 } },
    ])
    expect(told.journal.openFailover(WEB, 'm2')).toMatchObject({ evictedAt: T1, hasGap: true })
  })
})

describe('placements at hand', () => {
  test('the move of a rebalance is found by its time', async () => {
    const { clock, journal, bindings } = await watching()
    bindings.put(sampleBinding({ spec: { rescheduleTriggeredAt: T1 } }))
    bindings.put(
      sampleBinding({ clusters: { m2: 3 }, spec: { rescheduleTriggeredAt: T1 }, status: { lastScheduledTime: T2 } }),
    )
    clock.advance(60_000)
    bindings.put(
      sampleBinding({ clusters: { m2: 5 }, spec: { rescheduleTriggeredAt: T1 }, status: { lastScheduledTime: T2 } }),
    )
    expect(journal.changesOf(WEB).map((change) => change.trigger)).toEqual(['rebalance', 'scale'])
    expect(journal.rebalanceSince(WEB, createdAt(T1))).toMatchObject({ after: [{ cluster: 'm2', replicas: 3 }] })
    expect(journal.rebalanceSince(WEB, createdAt('2026-11-21T09:02:01Z'))).toBeUndefined()
    expect(journal.rebalanceSince(idOf('other'), createdAt(T1))).toBeUndefined()
  })

  test('what moved for another reason is no move of the rebalance', async () => {
    const { clock, journal, bindings } = await watching()
    bindings.put(sampleBinding({ spec: { rescheduleTriggeredAt: T1 } }))
    const served = { lastScheduledTime: T2 }
    bindings.put(sampleBinding({ spec: { rescheduleTriggeredAt: T1 }, status: served }))
    clock.advance(60_000)
    bindings.put(sampleBinding({ clusters: { m2: 5 }, spec: { rescheduleTriggeredAt: T1 }, status: served }))
    const start = [
      { cluster: 'm1', replicas: 2 },
      { cluster: 'm2', replicas: 1 },
    ]
    expect(journal.rebalanceSince(WEB, createdAt(T1))).toEqual({ before: start, after: start })
  })

  test('a trigger that the scheduler ignores is on record, also after a restart, until the next one', async () => {
    const storage = journalInMemory()
    const { journal, bindings, read } = await watching({ storage })
    bindings.put(sampleBinding({ metadata: { generation: 1 }, spec: { rescheduleTriggeredAt: T0 } }))
    const ignored = { at: T0, scheduledAt: T0 }
    expect(journal.ignoredTrigger(WEB)).toEqual(ignored)
    bindings.put(sampleBinding({ clusters: { m2: 5 }, spec: { rescheduleTriggeredAt: T0 } }))
    expect(journal.changesOf(WEB).map((change) => change.trigger)).toEqual(['scale'])
    expect((await live({ storage })).journal.ignoredTrigger(WEB)).toEqual(ignored)
    bindings.put(sampleBinding({ clusters: { m2: 5 }, spec: { rescheduleTriggeredAt: T2 } }))
    expect(journal.ignoredTrigger(WEB)).toBeUndefined()
    expect((await read()).filter(({ what }) => what === 'ignored')).toMatchObject([
      { after: ignored },
      { before: ignored },
    ])
  })

  test('are of a bounded number of workloads and changes, the latest ones', async () => {
    const { journal, bindings } = await watching({ limits: { workloads: 2, changes: 2 } })
    for (const name of ['a', 'b', 'c']) {
      for (const replicas of [1, 2, 3, 4]) bindings.put(sampleBinding({ name, clusters: { m1: replicas } }))
    }
    expect(['a', 'b', 'c'].map((name) => journal.changesOf(idOf(name)).length)).toEqual([0, 2, 2])
    expect(journal.changesOf(idOf('c')).at(-1)).toMatchObject({ after: [{ cluster: 'm1', replicas: 4 }] })
  })
})
