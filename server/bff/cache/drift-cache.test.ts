import { expect, test } from 'vitest'
import { cluster, type Cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aCluster, byAvailableReplicas } from '@/lib/testing/builders'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { EVERYTHING } from '../access/scope'
import { FedInformers } from '../testing/fed-informers'
import { workloadRowsOf } from '../testing/workload-rows'
import { ControlPlaneCache } from './control-plane-cache'
import { DriftCache } from './drift-cache'

const WEB = 'apps~v1/Deployment/default/web'
const placement = byAvailableReplicas()

function bindingOn(placed: Record<string, number>, generation = 1, name = 'web'): ResourceBinding {
  const draft = aBinding(name, {
    replicas: Object.values(placed).reduce((sum, count) => sum + count, 0),
    placement,
    clusters: Object.entries(placed).map(([cluster, replicas]) => ({ name: cluster, replicas })),
    cpu: '1',
    status: { schedulerObservedGeneration: generation, lastScheduledTime: '2026-01-01T00:00:00Z' },
  })
  const annotations = { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement) }
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation, annotations } } as ResourceBinding
}

const clusterWith = (name: string, allocated: number): Cluster =>
  aCluster(name, { cpu: '100', allocated: { cpu: String(allocated) } }) as Cluster

function start(elapsed?: () => number) {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const drifts = new DriftCache(cache, clock, elapsed ? { elapsed } : {})
  const { workloads: rows, start: startRows } = workloadRowsOf(cache, clock, { drifts })
  const touched: string[] = []
  rows.touched.listen((id) => touched.push(id))
  drifts.start()
  startRows()
  for (const name of ['m1', 'm2']) informers.of(cluster).put(clusterWith(name, 0))
  return { informers, clock, drifts, rows, touched }
}

test('after an outage a row shows how many replicas would return, until they have returned', async () => {
  const { informers, clock, rows, touched } = start()
  informers.of(resourceBinding).put(bindingOn({ m2: 6 }))
  await clock.advance(1_000)
  expect(rows.row(WEB, EVERYTHING)?.drift, 'copies that are not whole tell nothing').toBeUndefined()
  informers.syncAll()
  await clock.advance(1_000)
  expect(rows.row(WEB, EVERYTHING)?.drift).toBe(3)
  touched.length = 0
  informers.of(resourceBinding).put(bindingOn({ m1: 3, m2: 3 }, 2))
  await clock.advance(1_000)
  expect(rows.row(WEB, EVERYTHING)?.drift).toBeUndefined()
  expect(touched).toContain(WEB)
  informers.of(resourceBinding).remove(bindingOn({ m1: 3, m2: 3 }, 2))
  expect(rows.row(WEB, EVERYTHING)).toBeUndefined()
})

test('a little less room counts when it has been quiet for a while, more room at once', async () => {
  const { informers, clock, drifts } = start()
  informers.of(resourceBinding).put(bindingOn({ m1: 20, m2: 20 }))
  informers.syncAll()
  await clock.advance(1_000)
  expect(drifts.drift(WEB)).toBe(0)
  informers.of(cluster).put(clusterWith('m1', 60))
  await clock.advance(1_000)
  const atOnce = drifts.drift(WEB)
  expect(atOnce).toBeGreaterThan(0)
  informers.of(cluster).put(clusterWith('m1', 56))
  await clock.advance(14_000)
  expect(drifts.drift(WEB)).toBe(atOnce)
  await clock.advance(2_000)
  expect(drifts.drift(WEB)).toBeLessThan(atOnce)
})

test('what members report of a workload costs no computation', async () => {
  let turns = 0
  const { informers, clock, drifts } = start(() => (turns += 1))
  informers.of(resourceBinding).put(bindingOn({ m2: 6 }))
  informers.syncAll()
  await clock.advance(1_000)
  const [known, { status, ...binding }] = [turns, bindingOn({ m2: 6 })]
  const aggregatedStatus = [{ clusterName: 'm2', applied: true, health: 'Unhealthy' as const }]
  informers.of(resourceBinding).put({ ...binding, status: { ...status, aggregatedStatus } })
  await clock.advance(60_000)
  expect([turns, drifts.drift(WEB), drifts.isCurrent]).toEqual([known, 3, true])
})

test('many workloads are looked at a few at a time, and the pauses are in proportion to the work', async () => {
  let now = 0
  // Every look at the timer is 3 ms after the last one.
  const { informers, clock, drifts } = start(() => (now += 3))
  for (let at = 0; at < 100; at += 1) informers.of(resourceBinding).put(bindingOn({ m2: 6 }, 1, `web-${at}`))
  informers.syncAll()
  await clock.advance(101)
  const first = now
  expect(drifts.isCurrent).toBe(false)
  expect(first).toBeLessThan(20)
  await clock.advance(20_000)
  expect(drifts.isCurrent).toBe(true)
  expect(now).toBeLessThanOrEqual(20_000 / 10 + first)
  expect(drifts.drift('apps~v1/Deployment/default/web-99')).toBe(3)
})
