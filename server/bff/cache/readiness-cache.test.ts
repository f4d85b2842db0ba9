import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { ready, sampleCluster } from '@/lib/view/project/testing/samples'
import { FedInformers } from '../testing/fed-informers'
import { ControlPlaneCache } from './control-plane-cache'
import { ReadinessCache, RECOVERING_MS } from './readiness-cache'

function startCache() {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ReadinessCache(new ControlPlaneCache(informers), clock)
  const touched: string[] = []
  cache.touched.listen((name) => touched.push(name))
  const clusters = informers.of(cluster)
  clusters.put(sampleCluster('m1'))
  cache.start()
  const put = (status: 'True' | 'False' | 'Unknown') => clusters.put(sampleCluster('m1', { status: ready(status) }))
  return { cache, clock, put, clusters, touched, answers: () => cache.current().get('m1') }
}

test('a cluster that is there at the start answers as its condition says', () => {
  expect(startCache().answers()).toBe('True')
})

test('a cluster that comes back recovers for a while, and is then as before', () => {
  const { answers, clock, put, touched } = startCache()
  for (const status of ['False', 'Unknown'] as const) {
    put(status)
    expect(answers()).toBe(status)
    put('True')
    expect(answers()).toBe('Recovering')
    put('True')
    void clock.advance(RECOVERING_MS - 1)
    expect(answers()).toBe('Recovering')
    touched.length = 0
    void clock.advance(1)
    expect([answers(), touched]).toEqual(['True', ['m1']])
  }
})

test('a cluster that flaps every second never counts as one that answers', () => {
  const { answers, clock, put } = startCache()
  for (let second = 0; second < 30; second += 1) {
    put(second % 2 === 0 ? 'False' : 'True')
    expect(answers()).toBe(second % 2 === 0 ? 'False' : 'Recovering')
    void clock.advance(1000)
  }
})

test('a new cluster recovers without history, and a deleted one leaves no timer', () => {
  const { cache, clock, clusters, put } = startCache()
  clusters.put(sampleCluster('m2', { status: { conditions: [] } }))
  clusters.put(sampleCluster('m2'))
  expect(cache.current().get('m2')).toBe('True')
  put('False')
  put('True')
  clusters.remove(sampleCluster('m1'))
  expect([cache.current().get('m1'), clock.timers]).toEqual([undefined, 0])
  cache.stop()
})
