import { message } from '@/lib/messages/message'
import { describe, expect, test } from 'vitest'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { cluster } from '@/lib/kube/kinds/cluster'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { placed, ready, reportOf, sampleBinding, sampleCluster, T1, T2 } from '@/lib/view/project/testing/samples'
import { blockersOf, type FailoverSettings, OVERDUE_MS } from '@/lib/domain/failover'
import { duplicated } from '@/lib/testing/builders'
import { SETTLING_MS } from '@/lib/view/project/settling'
import { Journal } from '../recorder/journal'
import { Observer } from '../recorder/observer'
import { EVERYTHING } from '../access/scope'
import { FedInformers } from '../testing/fed-informers'
import { workloadRowsOf } from '../testing/workload-rows'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { FailoverRows } from './failover'

const WEB = 'apps~v1/Deployment/demo/web'
const task = {
  fromCluster: 'm2',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  purgeMode: 'Gracefully' as const,
  creationTimestamp: T2,
  replicas: 1,
}
const failing: BindingSpec['failover'] = {
  application: { decisionConditions: { tolerationSeconds: 60 }, purgeMode: 'Gracefully' },
}

/** One workload in two clusters that are well. */
function startRows(settings: FailoverSettings = { noExecuteAfterMs: 5000 }) {
  const informers = new FedInformers()
  const clock = createFakeClock(Date.parse(T2))
  const cache = new ControlPlaneCache(informers)
  const journal = new Journal({ clock })
  const { workloads, models, start } = workloadRowsOf(cache, clock)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const rows = new FailoverRows({ cache, models, journal, clock, rows: workloads, settings, onError })
  const [clusters, bindings] = [informers.of(cluster), informers.of(resourceBinding)]
  informers.of(propagationPolicy)
  clusters.put(sampleCluster('m1'))
  clusters.put(sampleCluster('m2'))
  bindings.put(sampleBinding())
  new Observer(journal).start(cache)
  const touched: string[] = []
  rows.touched.listen((id) => touched.push(id))
  start()
  rows.start()
  const stages = () =>
    (rows.entry(WEB, EVERYTHING)?.failovers ?? []).map(({ cluster: name, stage }) => `${name} ${stage}`)
  return { clock, journal, rows, clusters, bindings, touched, stages, errors }
}

const sick = (more: Partial<BindingSpec> = {}) =>
  sampleBinding({
    spec: { failover: failing, propagateDeps: true, ...more },
    status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1, { health: 'Unhealthy' })] },
  })

describe('the rows of the failover monitor', () => {
  test('are none while all is well', () => {
    const { rows, stages } = startRows()
    expect([stages(), rows.entry('cluster m1', EVERYTHING), rows.summary(EVERYTHING)]).toEqual([
      [],
      undefined,
      {
        id: 'now',
        running: 0,
        unhealthy: 0,
        tolerating: 0,
        evicting: 0,
        replaced: 0,
        kept: 0,
        clustersLost: [],
        done24h: 0,
        workloads: { tolerating: 0, evicting: 0, replaced: 0 },
      },
    ])
  })

  test('an incident stays for an hour after the cluster is ready again, and tells who recovered until then', () => {
    const { rows, clusters, bindings, clock, touched } = startRows()
    const incident = () => rows.entry('cluster m2', EVERYTHING)?.failovers[0]?.incident
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    expect(incident()).toEqual({ affected: 1, recovered: 0 })
    bindings.put(sampleBinding({ clusters: { m1: 3 }, status: { aggregatedStatus: [reportOf('m1', 3)] } }))
    expect(incident()).toEqual({ affected: 1, recovered: 1 })
    clock.advance(60_000)
    clusters.put(sampleCluster('m2'))
    expect(incident()).toMatchObject({ affected: 1, recovered: 1, endedAt: new Date(clock.now()).toISOString() })
    bindings.put(sampleBinding({ clusters: { m1: 3 }, status: { aggregatedStatus: [reportOf('m1', 1)] } }))
    expect(incident()?.recovered).toBe(0)
    touched.length = 0
    clock.advance(3_599_000)
    expect(incident()).toBeDefined()
    clock.advance(2_000)
    expect(touched).toContain('cluster m2')
    expect(rows.entry('cluster m2', EVERYTHING)).toBeUndefined()
  })

  test('an incident has an estimate also for who opens it after the recovery began', () => {
    const { rows, clusters, bindings, clock } = startRows()
    bindings.put(sampleBinding({ name: 'api' }))
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    clock.advance(10_000)
    bindings.put(sampleBinding({ clusters: { m1: 3 }, status: { aggregatedStatus: [reportOf('m1', 3)] } }))
    clock.advance(10_000)
    const [row] = rows.entry('cluster m2', EVERYTHING)!.failovers
    expect(row?.incident).toEqual({ affected: 2, recovered: 1, secondsLeft: 20 })
    bindings.remove(sampleBinding({ name: 'api' }))
    clusters.put(sampleCluster('m2'))
    clock.advance(3_602_000)
    rows.entry('cluster m2', EVERYTHING)
    expect(clock.timers, 'nothing is looked at after the outage').toBe(0)
  })

  test('an incident is followed also after a reading of it failed', () => {
    let isReadable = true
    const { rows, clusters, bindings, clock, errors } = startRows({
      get noExecuteAfterMs() {
        if (!isReadable) throw new Error('unreadable')
        return 5000
      },
    })
    bindings.put(sampleBinding({ name: 'api' }))
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    isReadable = false
    clock.advance(1000)
    isReadable = true
    clock.advance(9000)
    expect(errors).toEqual([new Error('unreadable')])
    bindings.put(sampleBinding({ clusters: { m1: 3 }, status: { aggregatedStatus: [reportOf('m1', 3)] } }))
    clock.advance(10_000)
    const [row] = rows.entry('cluster m2', EVERYTHING)!.failovers
    expect(row?.incident).toMatchObject({ recovered: 1, secondsLeft: expect.any(Number) })
  })

  test('of a cluster that is tainted after an outage begin with the taint, and do not count what that outage hit', () => {
    const { rows, clusters, clock } = startRows()
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    clock.advance(60_000)
    clusters.put(sampleCluster('m2'))
    clock.advance(60_000)
    const timeAdded = new Date(clock.now()).toISOString()
    clusters.put(sampleCluster('m2', { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute', timeAdded }] } }))
    const [row] = rows.entry('cluster m2', EVERYTHING)!.failovers
    expect([row?.since, row?.incident]).toEqual([timeAdded, undefined])
  })

  test('are computed a part at a time, and one by one where they are asked for', () => {
    const { rows, clusters, bindings } = startRows()
    for (const name of ['api', 'db']) bindings.put(sampleBinding({ name }))
    rows.prepare(() => false)
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    const sent = () => rows.ids().filter((id) => rows.entry(id, EVERYTHING))
    expect(
      rows.prepare(() => true),
      'one of three',
    ).toBe(false)
    expect(rows.entry('apps~v1/Deployment/demo/db', EVERYTHING)?.failovers).toHaveLength(1)
    expect(rows.prepare(() => true)).toBe(true)
    expect(sent()).toHaveLength(4)
    expect(rows.summary(EVERYTHING)).toMatchObject({ running: 3, clustersLost: ['m2'] })
  })

  test('follow the loss of a cluster to its end, and keep it as history', () => {
    const { rows, clusters, bindings, clock, stages } = startRows()
    clusters.put(sampleCluster('m2', { status: ready('False') }))
    expect(stages()).toEqual(['m2 unhealthy'])
    expect(rows.entry('cluster m2', EVERYTHING)?.failovers).toMatchObject([
      { kind: 'cluster', stage: 'unhealthy', workloads: { unhealthy: 1 } },
    ])
    expect(rows.summary(EVERYTHING)).toMatchObject({ clustersLost: ['m2'], running: 1, unhealthy: 1 })

    clock.advance(5000)
    const tainted = {
      status: ready('False'),
      spec: { taints: [{ key: 'gone', effect: 'NoExecute' as const, timeAdded: T2 }] },
    }
    clusters.put(sampleCluster('m2', tainted))
    bindings.put(
      sampleBinding({
        metadata: {
          annotations: {
            [APPLIED_PLACEMENT_ANNOTATION]: '{"clusterTolerations":[{"operator":"Exists","tolerationSeconds":30}]}',
          },
        },
      }),
    )
    expect(stages()).toEqual(['m2 toleration'])
    expect(rows.entry(WEB, EVERYTHING)?.failovers[0]).toMatchObject({
      deadline: { at: '2026-11-21T09:01:30.000Z', meaning: 'toleration' },
    })

    bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 2 }), gracefulEvictionTasks: [task] },
        status: { aggregatedStatus: [reportOf('m1', 2, { health: 'Unhealthy' })] },
      }),
    )
    expect(stages()).toContain('m2 evicting')
    expect(rows.summary(EVERYTHING)).toMatchObject({ evicting: 1, running: 1 })
    bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 3 }), gracefulEvictionTasks: [task] },
        status: { aggregatedStatus: [reportOf('m1', 3)] },
      }),
    )
    expect(stages()).toEqual(['m2 replaced'])
    bindings.put(sampleBinding({ clusters: { m1: 3 } }))
    expect(stages()).toEqual([])
    expect(rows.entry('cluster m2', EVERYTHING)?.failovers).toMatchObject([{ stage: 'done' }])
    clusters.put(sampleCluster('m2'))
    expect(rows.entry('cluster m2', EVERYTHING)?.failovers).toMatchObject([
      {
        stage: 'done',
        actions: [],
        state: { state: 'ok', reason: { code: 'failover.incident.recovered', args: { recovered: 1, workloads: 1 } } },
        incident: { affected: 1, recovered: 1 },
      },
    ])
    expect(rows.summary(EVERYTHING)).toMatchObject({ running: 0, clustersLost: [], done24h: 2 })
  })

  test('count a workload once that leaves two clusters', () => {
    const { rows, bindings } = startRows()
    const tasks = [task, { ...task, fromCluster: 'm1' }]
    bindings.put(
      sampleBinding({
        clusters: { m3: 3 },
        spec: { gracefulEvictionTasks: tasks },
        status: { aggregatedStatus: [reportOf('m3', 3, { health: 'Unhealthy' })] },
      }),
    )
    expect(rows.summary(EVERYTHING)).toMatchObject({
      running: 2,
      evicting: 2,
      workloads: { tolerating: 0, evicting: 1, replaced: 0 },
    })
  })

  test('say by time alone that an eviction is overdue', () => {
    const { clock, clusters, bindings, rows, stages, touched } = startRows()
    clusters.put(sampleCluster('m2', { spec: { taints: [{ key: 'gone', effect: 'NoExecute', timeAdded: T2 }] } }))
    bindings.put(sampleBinding({ metadata: { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: '{}' } } }))
    expect(stages()).toEqual(['m2 toleration'])
    touched.length = 0
    clock.advance(OVERDUE_MS + 1)
    expect(touched).toContain(WEB)
    expect(rows.entry(WEB, EVERYTHING)?.failovers[0]).toMatchObject({
      stage: 'unhealthy',
      state: { reason: { code: 'failover.blocker.evictionOverdue' } },
    })
    expect(rows.summary(EVERYTHING)).toMatchObject({ tolerating: 0, unhealthy: 1 })
  })

  test('count the toleration of a workload that fails by itself', () => {
    const { rows, bindings, stages } = startRows()
    bindings.put(sick())
    expect(stages()).toEqual(['m2 toleration'])
    expect(rows.entry(WEB, EVERYTHING)?.failovers).toMatchObject([
      { cause: 'application', since: '2026-11-21T09:01:00.000Z', actions: ['evict'] },
    ])
    expect(rows.summary(EVERYTHING)).toMatchObject({ running: 1, tolerating: 1 })
  })

  test('leave out a workload that starts, and tell it when it should have started', () => {
    const { clock, bindings, stages, touched, rows } = startRows()
    bindings.put(sick({ failover: undefined }))
    expect(stages()).toEqual([])
    touched.length = 0
    clock.advance(SETTLING_MS)
    expect(touched).toContain(WEB)
    expect(stages()).toEqual(['m2 unhealthy'])
    expect(rows.entry(WEB, EVERYTHING)?.failovers[0]?.state.reason).toEqual(
      message('failover.blocker.noFailoverRule', { cluster: 'm2' }),
    )
    expect(rows.summary(EVERYTHING)).toMatchObject({ running: 0, unhealthy: 1 })
  })

  test('give a replacement that starts no countdown before its time is up, and one that was healthy at once', () => {
    const { clock, bindings, stages } = startRows()
    const in3 = (health: 'Healthy' | 'Unhealthy' | undefined) =>
      sampleBinding({
        spec: { failover: failing, propagateDeps: true, clusters: placed({ m1: 2, m3: 1 }) },
        status: { aggregatedStatus: [reportOf('m1', 2), ...(health ? [reportOf('m3', 1, { health })] : [])] },
      })
    bindings.put(in3(undefined))
    bindings.put(in3('Unhealthy'))
    expect(stages()).toEqual([])
    clock.advance(SETTLING_MS)
    expect(stages()).toEqual(['m3 toleration'])
    bindings.put(in3('Healthy'))
    bindings.put(in3('Unhealthy'))
    expect(stages()).toEqual(['m3 toleration'])
  })

  test('of a workload that fits in no cluster have the text of the block below', () => {
    const { rows, bindings, clusters, touched } = startRows()
    const condition = {
      type: 'Scheduled',
      status: 'False' as const,
      reason: 'NoClusterFit',
      message: '0/2 clusters are available.',
      lastTransitionTime: T2,
    }
    const placement = { ...duplicated(), clusterAffinities: [{ affinityName: 'only', clusterNames: ['m2'] }] }
    const nowhere = sampleBinding({
      spec: { clusters: [], placement, gracefulEvictionTasks: [task] },
      status: { conditions: [condition], aggregatedStatus: [] },
    })
    bindings.put(nowhere)
    const [block] = blockersOf(nowhere, {
      clusters: [sampleCluster('m1'), sampleCluster('m2')],
      policies: [],
      now: Date.parse(T2),
    })
    expect(block?.message).toMatchObject({
      code: 'failover.blocker.noSuccessor',
      args: { failure: { code: 'placement.failure.ofGroup', args: { group: 'only' } } },
    })
    expect(rows.entry(WEB, EVERYTHING)?.failovers[0]?.state.reason).toEqual(block?.message)
    touched.length = 0
    clusters.put(
      sampleCluster('m2', {
        status: { ...sampleCluster('m2').status, resourceSummary: { allocatable: { cpu: '1' } } },
      }),
    )
    expect(touched).toEqual([WEB])
  })

  test('do not count old replicas that are kept by an operator as running', () => {
    const { rows, bindings } = startRows()
    bindings.put(
      sampleBinding({
        spec: { clusters: placed({ m1: 3 }), gracefulEvictionTasks: [{ ...task, suppressDeletion: true }] },
      }),
    )
    expect(rows.summary(EVERYTHING)).toMatchObject({ running: 0, kept: 1 })
  })

  test('keep their identity while nothing of them changes', () => {
    const { rows, bindings, clusters } = startRows()
    bindings.put(sick())
    const before = rows.entry(WEB, EVERYTHING)?.failovers[0]
    bindings.put({ ...sick(), metadata: { ...sick().metadata, annotations: { unrelated: 'yes' } } })
    clusters.put(
      sampleCluster('m1', {
        status: { nodeSummary: { readyNum: 1, totalNum: 3 }, conditions: sampleCluster('m1').status?.conditions ?? [] },
      }),
    )
    expect(rows.entry(WEB, EVERYTHING)?.failovers[0]).toBe(before)
  })

  test('forget a workload that is deleted', () => {
    const { rows, bindings } = startRows()
    bindings.put(sick())
    expect(rows.summary(EVERYTHING).tolerating).toBe(1)
    bindings.remove(sick())
    expect([rows.entry(WEB, EVERYTHING), rows.summary(EVERYTHING).tolerating]).toEqual([undefined, 0])
  })

  test('stop looking when they are stopped', () => {
    const { rows, bindings, clusters, clock } = startRows()
    bindings.put(sick())
    clusters.put(sampleCluster('m2', { status: ready('Unknown') }))
    rows.summary(EVERYTHING)
    expect(clock.timers).toBeGreaterThan(0)
    rows.stop()
    expect(clock.timers).toBe(0)
  })
})

test('a failover begins with what the journal saw before the present version of the objects', () => {
  const { rows, bindings, clusters, clock } = startRows()
  clusters.put(sampleCluster('m2', { status: ready('False') }))
  clock.advance(7000)
  bindings.put(
    sampleBinding({
      spec: { clusters: placed({ m1: 2 }), gracefulEvictionTasks: [{ ...task, creationTimestamp: T1 }] },
    }),
  )
  const failover = rows.entry(WEB, EVERYTHING)?.failovers.find((each) => each.cluster === 'm2')
  expect(failover).toMatchObject({
    since: '2026-11-21T09:01:00.000Z',
    before: [
      { cluster: 'm1', replicas: 2 },
      { cluster: 'm2', replicas: 1 },
    ],
  })
})
