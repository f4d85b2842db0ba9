import { describe, expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { event } from '@/lib/kube/kinds/event'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { sampleBinding, sampleCluster, sampleRebalancer, sampleWork } from '@/lib/view/project/testing/samples'
import { FedInformers } from '../testing/fed-informers'
import { eventually, startBff } from '../testing/start-bff'
import { ControlPlaneCache } from './control-plane-cache'
import { allServed } from './served-kinds'

const WEB = 'apps~v1/Deployment/demo/web'

describe('the cache of the control plane', () => {
  test('finds bindings, Works, rebalancers and events by what connects them', () => {
    const informers = new FedInformers()
    const cache = new ControlPlaneCache(informers)
    const binding = sampleBinding({
      spec: { gracefulEvictionTasks: [{ fromCluster: 'm9', producer: 'p', reason: 'r' }] },
    })
    informers.of(resourceBinding).put(binding)
    informers.of(work).put(sampleWork('m1'))
    informers.of(work).put(sampleWork('m1', { name: 'other' }))
    informers.of(workloadRebalancer).put(sampleRebalancer(['web', 'other']))
    const found = cache.bindingOf(WEB)
    expect(found?.metadata.name).toBe('web-deployment')
    expect(cache.bindingByKey('ResourceBinding', 'demo/web-deployment')).toBe(found)
    expect(['m1', 'm2', 'm3', 'm9'].map((name) => cache.bindingsIn(name).length)).toEqual([1, 1, 0, 1])
    expect(cache.worksOf(found ?? binding).map(({ metadata }) => metadata.name)).toEqual(['web-work'])
    expect(cache.worksOf(found ?? binding)).toBe(cache.worksOf(found ?? binding))
    const unnamed = { ...binding, metadata: { ...binding.metadata, labels: {} } }
    expect(cache.worksOf(unnamed)).toBe(cache.worksOf(unnamed))
    expect(cache.workloadsOfWork(sampleWork('m1'))).toEqual([WEB])
    expect(cache.workloadsOfWork(sampleWork('m1', { name: 'other' }))).toEqual([])
    expect(cache.rebalancersOf(WEB)).toHaveLength(1)
  })

  test('is as fresh as its worst copy', () => {
    const informers = new FedInformers()
    const cache = new ControlPlaneCache(informers)
    expect([cache.hasSynced(), cache.freshness()]).toEqual([false, { state: 'syncing' }])
    informers.syncAll()
    expect([cache.hasSynced(), cache.freshness()]).toEqual([true, { state: 'live' }])
    informers.of(work).setFreshness({ state: 'stale', since: 60_000, error: 'later' })
    informers.of(cluster).setFreshness({ state: 'stale', since: 1_000, error: 'first' })
    expect(cache.freshness()).toEqual({
      state: 'stale',
      since: '1970-01-01T00:00:01Z',
      error: { code: 'api.stale.noAnswer' },
    })
  })

  test('does not copy Events before a reader asks for them', () => {
    const informers = new FedInformers()
    let asked = false
    const cache = new ControlPlaneCache({
      ...informers,
      of: (kind) => {
        asked ||= kind.kind === event.kind
        return informers.of(kind)
      },
    })
    expect(asked).toBe(false)
    expect(cache.eventsAbout({ kind: 'Deployment', name: 'web' })).toEqual([])
    expect(asked).toBe(true)
  })
})

describe('a control plane that serves only a part', () => {
  test('shows the readable part: without Works and Clusters, that of the bindings', async () => {
    const { informers, read } = await startBff({
      served: {
        ...allServed,
        readable: ({ kind }) => kind === 'ResourceBinding',
        whyUnread: ({ kind }) => (kind === 'ResourceBinding' ? undefined : 'NotServed'),
      },
    })
    informers.of(resourceBinding).put(sampleBinding())
    informers.of(cluster).put(sampleCluster('m1'))
    informers.of(resourceBinding).sync()
    const workloads = read('workloads')
    const clusters = read('clusters')
    const rebalancers = read('rebalancers')
    const page = read(`workload/${WEB}`)
    await eventually(() => expect(workloads.held[WEB]).toMatchObject({ current: 3, state: { state: 'ok' } }))
    await eventually(() => expect(page.held[WEB]).toMatchObject({ why: [], timeline: [{ source: 'condition' }] }))
    await eventually(() =>
      expect([clusters, rebalancers].map(({ state }) => [state.phase, state.entities.size])).toEqual([
        ['refused', 0],
        ['refused', 0],
      ]),
    )
  })
})
