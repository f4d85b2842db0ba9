import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { placed, ready, reportOf, sampleBinding, sampleCluster, T0 } from '@/lib/view/project/testing/samples'
import { EVERYTHING } from '../access/scope'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { Journal } from '../recorder/journal'
import { Observer } from '../recorder/observer'
import { FedInformers } from '../testing/fed-informers'
import { workloadRowsOf } from '../testing/workload-rows'
import { ReadyHistory } from './ready-history'

/** Three replicas, two of them in `m1`. */
async function federation() {
  const informers = new FedInformers()
  const clock = createFakeClock(Date.parse(T0))
  const journal = new Journal({ clock })
  const cache = new ControlPlaneCache(informers)
  const { workloads, start } = workloadRowsOf(cache, clock)
  start()
  new Observer(journal).start(cache)
  informers.of(resourceBinding).put(sampleBinding())
  for (const name of ['m1', 'm2']) informers.of(cluster).put(sampleCluster(name))
  await clock.advance(60_000)
  return {
    clock,
    history: new ReadyHistory({ journal, clock, views: { workloads } }),
    fail: () => informers.of(cluster).put(sampleCluster('m1', { status: ready('False') })),
    moveTo: (clusters: Record<string, number>, readyReplicas: number) => {
      const aggregatedStatus = Object.keys(clusters).map((name) =>
        reportOf(name, 3, { status: { replicas: 3, readyReplicas } }),
      )
      informers
        .of(resourceBinding)
        .put(sampleBinding({ spec: { clusters: placed(clusters) }, status: { aggregatedStatus } }))
    },
  }
}

const last = ({ points }: { points: { missing: number }[] }) => points.at(-1)?.missing

test('what is ready and what is missing add up at any moment of an outage', async () => {
  const { clock, history, fail, moveTo } = await federation()
  const told = async () => {
    const view = await history.view(EVERYTHING)
    return [view.ready, last(view)]
  }
  expect(await told()).toEqual([3, 0])
  fail()
  await clock.advance(2_000)
  await expect.poll(told).toEqual([1, 2])
  moveTo({ m2: 3 }, 2)
  await clock.advance(2_000)
  await expect.poll(told).toEqual([2, 1])
  moveTo({ m2: 3 }, 3)
  await clock.advance(2_000)
  await expect.poll(told).toEqual([3, 0])
})

test('what happens while the journal is read belongs to the next answer', async () => {
  const { history, fail } = await federation()
  const reading = history.view(EVERYTHING)
  fail()
  const view = await reading
  expect([view.ready, last(view)]).toEqual([3, 0])
})

test('readers with the same rights share one reading', async () => {
  const { history } = await federation()
  expect(history.view(EVERYTHING)).toBe(history.view(EVERYTHING))
})
