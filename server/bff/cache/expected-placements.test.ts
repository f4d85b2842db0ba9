import { expect, test } from 'vitest'
import { type SchedulerProfile, upstreamProfile } from '@/lib/domain/placement'
import { aBinding, aCluster } from '@/lib/domain/placement/testing/scheduled'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { FedInformers } from '../testing/fed-informers'
import { ControlPlaneCache, idOf } from './control-plane-cache'
import { ExpectedPlacements } from './expected-placements'

const TRIGGER = '2026-01-01T02:00:00Z'
const DECIDED = '2026-01-01T02:00:05Z'

function start(profile: SchedulerProfile = upstreamProfile) {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const expected = new ExpectedPlacements(cache, clock, profile)
  const touched: string[] = []
  const scheduled: string[] = []
  expected.touched.listen((id) => touched.push(id))
  expected.scheduled.listen((id) => scheduled.push(id))
  expected.start()
  const report = (...rooms: number[]): void =>
    rooms.forEach((room, at) => informers.of(clusterKind).put(aCluster(`m${at + 1}`, room)))
  const put = (binding: ResourceBinding): void => void informers.of(resourceBinding).put(binding)
  return { expected, clock, put, report, touched, scheduled }
}

const placed = (name: string, clusters: Record<string, number>) =>
  ({
    ...aBinding(name, clusters),
    metadata: { ...aBinding(name, clusters).metadata, namespace: 'default' },
  }) as ResourceBinding
const triggered = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  spec: { ...binding.spec, rescheduleTriggeredAt: TRIGGER },
})
const decided = (binding: ResourceBinding, clusters: Record<string, number>): ResourceBinding => ({
  ...binding,
  spec: { ...binding.spec, clusters: Object.entries(clusters).map(([name, replicas]) => ({ name, replicas })) },
})
const reported = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  status: { ...binding.status, lastScheduledTime: DECIDED },
})
const textOf = (places: readonly { name: string; replicas?: number }[] | undefined) =>
  places?.map(({ name, replicas }) => `${name} ${replicas}`).sort()

test('follows the reports until the scheduler decides, and then keeps what they implied', () => {
  const { expected, clock, put, report, touched, scheduled } = start()
  report(20, 0)
  const web = placed('web', { m2: 4 })
  const id = idOf(web)
  put(web)
  expect(expected.of(id)).toBeUndefined()
  put(triggered(web))
  expect(textOf(expected.of(id))).toEqual(['m1 3', 'm2 1'])

  report(20, 20)
  clock.advance(5000)
  expect(touched).toEqual([id])
  expect(textOf(expected.of(id))).toEqual(['m1 2', 'm2 2'])

  put(decided(triggered(web), { m1: 2, m2: 2 }))
  put(reported(decided(triggered(web), { m1: 2, m2: 2 })))
  expect(scheduled).toEqual([id])
  report(0, 20)
  clock.advance(5000)
  expect(textOf(expected.of(id))).toEqual(['m1 2', 'm2 2'])
  expect(touched).toEqual([id])
})

test('many pending workloads are predicted less often', () => {
  const { clock, put, report, touched } = start()
  report(20, 0)
  for (let at = 0; at < 3_000; at += 1) put(triggered(placed(`web-${at}`, { m2: 4 })))
  report(20, 20)
  clock.advance(4_900)
  expect(touched).toEqual([])
  clock.advance(200)
  expect(touched).toHaveLength(3_000)
})

test('a decision that changes nothing is one', () => {
  const { expected, put, report, scheduled } = start()
  report(20, 0)
  const web = placed('web', { m1: 4 })
  put(web)
  put(triggered(web))
  put(reported(triggered(web)))
  report(0, 20)
  expect(scheduled).toEqual([idOf(web)])
  expect(textOf(expected.of(idOf(web)))).toEqual(['m1 4'])
})

test('with overcommit protection, what was placed counts until it is healthy', () => {
  const { expected, put, report } = start({ ...upstreamProfile, overcommitProtection: true })
  report(8, 8)
  const [first, second] = [placed('a', { m2: 4 }), placed('b', { m2: 4 })]
  for (const binding of [first, second, triggered(first), triggered(second)]) put(binding)
  put(reported(decided(triggered(first), { m1: 6 })))
  expect(textOf(expected.of(idOf(second)))).toEqual(['m1 1', 'm2 3'])
  const healthy = reported(decided(triggered(first), { m1: 6 }))
  put({
    ...healthy,
    status: { ...healthy.status, aggregatedStatus: [{ clusterName: 'm1', health: 'Healthy' }] },
  } as ResourceBinding)
  expect(expected.assumptions?.in('m1', 0)).toEqual([])
})

test('with overcommit protection, a result that was written in another order counts, and one that was not does not', () => {
  const { expected, put } = start({ ...upstreamProfile, overcommitProtection: true })
  const healthy = (name: string, clusters: Record<string, number>): ResourceBinding => {
    const binding = placed(name, clusters)
    const aggregatedStatus = Object.keys(clusters).map((clusterName) => ({ clusterName, health: 'Healthy' as const }))
    return { ...binding, status: { ...binding.status, aggregatedStatus } }
  }
  const web = healthy('web', { m1: 2, m2: 2 })
  put(web)
  put(reported(web))
  expect(expected.assumptions?.in('m1', 0)).toEqual([])
  put(decided(reported(web), { m2: 2, m1: 2 }))
  expect(expected.assumptions?.in('m1', 0)).toMatchObject([{ components: [{ replicas: 2 }] }])
  const noted = healthy('noted', { m1: 3 })
  put(noted)
  const annotations = { 'policy.karmada.io/applied-placement': '{}' }
  put({ ...noted, metadata: { ...noted.metadata, annotations } })
  expect(expected.assumptions?.in('m1', 0)).toHaveLength(2)
})

test('a change of a placement counts as under way until clusters must have reported it', () => {
  const { expected, clock, put, report } = start()
  report(20, 20)
  const web = placed('web', { m2: 4 })
  put(web)
  put(triggered(web))
  expect(expected.movesUnderWay).toEqual([])
  put(decided(triggered(web), { m1: 2, m2: 2 }))
  expect(expected.movesUnderWay.map(({ binding, after }) => [textOf(binding.spec.clusters), textOf(after)])).toEqual([
    [['m2 4'], ['m1 2', 'm2 2']],
  ])
  clock.advance(60_000)
  expect(expected.movesUnderWay).toEqual([])
})
