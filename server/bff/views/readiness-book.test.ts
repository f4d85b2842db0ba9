import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { ready, sampleCluster } from '@/lib/view/project/testing/samples'
import { FedInformers } from '../testing/fed-informers'
import { World } from '../world/world'
import { ReadinessBook, RECOVERING_MS } from './readiness-book'

function startBook() {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const book = new ReadinessBook(new World(informers, () => true), clock)
  const touched: string[] = []
  book.touched.listen((name) => touched.push(name))
  const clusters = informers.of(cluster)
  clusters.put(sampleCluster('m1'))
  book.start()
  const put = (status: 'True' | 'False' | 'Unknown') => clusters.put(sampleCluster('m1', { status: ready(status) }))
  return { book, clock, put, clusters, touched, answers: () => book.current().get('m1') }
}

test('a cluster that is there at the start answers as its condition says', () => {
  expect(startBook().answers()).toBe('True')
})

test('a cluster that comes back recovers for a while, and is then as before', () => {
  const { answers, clock, put, touched } = startBook()
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
  const { answers, clock, put } = startBook()
  for (let second = 0; second < 30; second += 1) {
    put(second % 2 === 0 ? 'False' : 'True')
    expect(answers()).toBe(second % 2 === 0 ? 'False' : 'Recovering')
    void clock.advance(1000)
  }
})

test('a new cluster recovers from nothing, and one that is gone leaves no timer', () => {
  const { book, clock, clusters, put } = startBook()
  clusters.put(sampleCluster('m2', { status: { conditions: [] } }))
  clusters.put(sampleCluster('m2'))
  expect(book.current().get('m2')).toBe('True')
  put('False')
  put('True')
  clusters.remove(sampleCluster('m1'))
  expect([book.current().get('m1'), clock.timers]).toEqual([undefined, 0])
  book.stop()
})
