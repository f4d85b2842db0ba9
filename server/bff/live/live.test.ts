import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { message } from '@/lib/messages/message'
import type { DeltaMessage } from '@/lib/view/live'
import { freshnessOf } from '@/lib/view/live-client'
import {
  ready,
  reportOf,
  sampleBinding,
  sampleCluster,
  samplePlan,
  sampleRebalancer,
  sampleWork,
} from '@/lib/view/project/testing/samples'
import { createLogger } from '@/server/telemetry/logger'
import { eventually, startBff, type TestBff } from '../testing/start-bff'
import { flushIntervalFor } from './flush-pace'

const WEB = 'apps~v1/Deployment/demo/web'

/** Two ready clusters with one healthy workload. */
async function startFleet(deps: Parameters<typeof startBff>[0] = {}): Promise<TestBff> {
  const bff = await startBff(deps)
  const { informers } = bff
  for (const name of ['m1', 'm2']) {
    informers.of(cluster).put(sampleCluster(name))
    informers.of(work).put(sampleWork(name))
  }
  informers.of(resourceBinding).put(sampleBinding())
  informers.syncAll()
  return bff
}

describe('a live topic over a real socket', () => {
  test('sends a snapshot, says that it is complete, then only what changed', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
    expect(reader.held[WEB]).toMatchObject({ desired: 3, current: 3, state: { state: 'ok' } })

    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 2, m2: 2 } }))
    await eventually(() => expect(reader.held[WEB]).toMatchObject({ desired: 4 }))
    expect(reader.messages('snapshot')).toHaveLength(1)
    expect(reader.messages('delta')).toMatchObject([{ topic: 'workloads', changed: [{ id: WEB }], removed: [] }])

    fleet.informers.of(resourceBinding).remove(sampleBinding())
    await eventually(() => expect(reader.held).toEqual({}))
  })

  test('shows clusters with their load, and follows them', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('clusters')
    await eventually(() =>
      expect(reader.held['m1']).toMatchObject({
        workloads: 1,
        replicas: { desired: 2, current: 2, ready: 2 },
        state: { state: 'ok' },
      }),
    )
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m2: 3 } }))
    fleet.informers.of(cluster).put(sampleCluster('m1', { status: ready('False') }))
    await eventually(() =>
      expect(reader.held).toMatchObject({
        m1: { workloads: 0, replicas: { desired: 0 }, state: { state: 'fail' } },
        m2: { workloads: 1, replicas: { desired: 3, ready: 3 } },
      }),
    )
  })

  test('tells a workload when its cluster stops reporting and when its Work fails', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    fleet.informers.of(cluster).put(sampleCluster('m2', { status: ready('False') }))
    await eventually(() =>
      expect(reader.held[WEB]).toMatchObject({
        state: { state: 'warn' },
        cells: [{ state: { state: 'ok' } }, { state: { state: 'unknown' } }],
      }),
    )
    fleet.informers.of(cluster).put(sampleCluster('m2'))
    const refused = {
      type: 'Applied',
      status: 'False',
      reason: 'AppliedFailed',
      message: 'quota',
      lastTransitionTime: '2026-11-21T09:00:00Z',
    } as const
    fleet.informers.of(work).put(sampleWork('m2', { status: { conditions: [refused] } }))
    await eventually(() =>
      expect(reader.held[WEB]).toMatchObject({
        state: {
          state: 'fail',
          reason: { args: { cluster: 'm2', reason: { code: 'workload.cell.rejected', args: { why: 'quota' } } } },
        },
      }),
    )
  })

  test('follows a rebalance from the trigger to healthy', async () => {
    const fleet = await startFleet()
    const [rows, page] = [fleet.read('rebalancers'), fleet.read('rebalancer/back-home')]
    const rebalancer = sampleRebalancer(['web'])
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 3 } }))
    fleet.informers.of(workloadRebalancer).put(rebalancer)
    const stage = (name: string, moves: object[] = []) =>
      eventually(() => {
        expect(page.held['back-home']).toMatchObject({ targets: [{ stage: name }] })
        expect(rows.held['back-home']).toMatchObject({ ids: [WEB], counts: { [name]: 1 }, moves })
        expect(rows.held['back-home']).not.toHaveProperty('targets')
      })
    await stage('pending')

    const triggeredAt = rebalancer.metadata.creationTimestamp
    const triggered = { rescheduleTriggeredAt: triggeredAt }
    fleet.informers
      .of(resourceBinding)
      .put(sampleBinding({ clusters: { m1: 3 }, spec: triggered, metadata: { generation: 2 } }))
    await stage('triggered')

    const applied = {
      type: 'FullyApplied',
      status: 'True',
      reason: 'FullyAppliedSuccess',
      message: '',
      lastTransitionTime: triggeredAt,
    } as const
    const scheduled = {
      type: 'Scheduled',
      status: 'True',
      reason: 'Success',
      message: '',
      lastTransitionTime: triggeredAt,
    } as const
    const status = { lastScheduledTime: triggeredAt, conditions: [scheduled, applied] }
    fleet.informers
      .of(resourceBinding)
      .put(
        sampleBinding({
          clusters: { m1: 2, m2: 1 },
          spec: triggered,
          status: { ...status, aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1, { health: 'Unhealthy' })] },
        }),
      )
    const before = [{ cluster: 'm1', replicas: 3 }]
    const after = [
      { cluster: 'm1', replicas: 2 },
      { cluster: 'm2', replicas: 1 },
    ]
    await stage('applied', [{ id: WEB, before, after }])
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 2, m2: 1 }, spec: triggered, status }))
    await stage('healthy')
    const summary = {
      state: { state: 'ok', reason: message('rebalance.state.done', { total: 1, moved: 1 }) },
      counts: { healthy: 1, pending: 0 },
    }
    expect(rows.held['back-home']).toMatchObject(summary)
    expect(page.held['back-home']).toMatchObject({ ...summary, targets: [{ before, after, moved: 1 }] })
    fleet.informers.of(workloadRebalancer).remove(rebalancer)
    await eventually(() => expect([rows.held, page.held]).toEqual([{}, {}]))
  })

  test('shows nothing for a missing rebalancer, and another one when it is created', async () => {
    const fleet = await startFleet()
    const page = fleet.read('rebalancer/back-home')
    await eventually(() => expect([page.state.phase, page.held]).toEqual(['live', {}]))
    fleet.informers.of(workloadRebalancer).put(sampleRebalancer(['web'], { metadata: { name: 'other' } }))
    fleet.informers.of(workloadRebalancer).put(sampleRebalancer(['web']))
    await eventually(() => expect(Object.keys(page.held)).toEqual(['back-home']))
  })

  test('sends targets of a plan only to its page, and nothing for a missing plan', async () => {
    const fleet = await startFleet()
    const [rows, page] = [fleet.read('plans'), fleet.read('plan/spread')]
    await eventually(() => expect([rows.state.phase, page.state.phase, page.held]).toEqual(['live', 'live', {}]))
    const plans = fleet.informers.of(rebalancePlan)
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }
    const [from, to] = [[{ name: 'm1', replicas: 3 }], [{ name: 'm2', replicas: 3 }]]
    const put = (readyLowest: number): void => {
      const workloads = [{ workload, stage: 'Applied' as const, before: from, predicted: to, readyLowest }]
      plans.put(samplePlan({ status: { phase: 'Running', workloads } }))
    }
    plans.put(samplePlan({ metadata: { name: 'other' } }))
    put(3)
    const [before, after] = [[{ cluster: 'm1', replicas: 3 }], [{ cluster: 'm2', replicas: 3 }]]
    await eventually(() => expect(Object.keys(rows.held)).toEqual(['other', 'spread']))
    expect(rows.held['spread']).toMatchObject({ ids: [WEB], moves: [{ id: WEB, before, after }] })
    expect(rows.held['spread']).not.toHaveProperty('targets')

    put(2)
    const targets = [{ id: WEB, before, predicted: after, ready: { lowest: 2 } }]
    await eventually(() => expect(page.held).toMatchObject({ spread: { targets } }))
    expect(Object.keys(page.held)).toEqual(['spread'])
    plans.remove(samplePlan({ metadata: { name: 'other' } }))
    await eventually(() => expect(Object.keys(rows.held)).toEqual(['spread']))
    const sent = (rows.messages('delta') as DeltaMessage[]).flatMap(({ changed }) => changed as { id: string }[])
    expect(sent.filter(({ id }) => id === 'spread')).toHaveLength(1)
    plans.remove(samplePlan())
    await eventually(() => expect([rows.held, page.held]).toEqual([{}, {}]))
  })

  test('shows all of one workload, and nothing for a missing one', async () => {
    const fleet = await startFleet()
    const page = fleet.read(`workload/${WEB}`)
    const nothing = fleet.read('workload/apps~v1/Deployment/demo/none')
    await eventually(() =>
      expect(page.held[WEB]).toMatchObject({
        conditions: [{ type: 'Scheduled' }],
        bindingObject: { kind: 'ResourceBinding' },
        why: [{ cluster: 'm1' }, { cluster: 'm2' }],
      }),
    )
    await eventually(() => expect([nothing.state.phase, nothing.held]).toEqual(['live', {}]))
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 1, m2: 2 } }))
    await eventually(() =>
      expect(page.held[WEB]).toMatchObject({
        timeline: expect.arrayContaining([
          expect.objectContaining({
            source: 'placement',
            detail: expect.objectContaining({
              args: expect.objectContaining({ before: 'm1 2 · m2 1', after: 'm1 1 · m2 2' }),
            }),
          }),
        ]),
      }),
    )
  })

  test('resumes after a broken connection with what was missed, without a new snapshot', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    reader.breakConnection()
    fleet.informers.of(resourceBinding).put(sampleBinding({ name: 'api' }))
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 7, m2: 2 } }))
    await eventually(() => expect(Object.keys(reader.held)).toHaveLength(2))
    expect(reader.held[WEB]).toMatchObject({ desired: 9 })
    await eventually(() => expect(reader.state.phase).toBe('live'))
    expect(reader.messages('snapshot')).toHaveLength(1)
  })

  test('sends a snapshot to a reader of another life of the server', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    reader.socket.emit('subscribe', { topic: 'workloads', since: { epoch: 'another', revision: 1 } })
    await eventually(() => expect(reader.messages('snapshot')).toHaveLength(2))
  })

  test('keeps quiet until the whole control plane was seen once', async () => {
    const bff = await startBff()
    bff.informers.of(resourceBinding).put(sampleBinding())
    const reader = bff.read('workloads')
    await eventually(() => expect(freshnessOf(reader.state)).toMatchObject({ word: 'Connecting' }))
    expect(reader.messages('snapshot')).toEqual([])
    bff.informers.syncAll()
    await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
    expect(Object.keys(reader.held)).toEqual([WEB])
  })

  test('keeps its data and reports stale while the control plane does not respond', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
    fleet.informers
      .of(work)
      .setFreshness({ state: 'stale', since: Date.UTC(2026, 10, 21, 9, 14, 2), error: 'connection refused' })
    await eventually(() =>
      expect(freshnessOf(reader.state)).toMatchObject({
        word: 'Stale',
        since: '2026-11-21T09:14:02Z',
        error: expect.stringContaining('connection refused'),
      }),
    )
    expect(Object.keys(reader.held)).toEqual([WEB])
    fleet.informers.of(work).setFreshness({ state: 'live', resourceVersion: '2' })
    await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
  })

  test('coalesces a storm of changes into few messages', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    const began = performance.now()
    for (let wave = 0; wave < 10; wave++) {
      for (let at = 0; at < 50; at++)
        fleet.informers.of(resourceBinding).put(sampleBinding({ name: `w${at}`, clusters: { m1: wave + 1 } }))
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
    await eventually(() => expect(reader.held['apps~v1/Deployment/demo/w49']).toMatchObject({ desired: 10 }))
    const seconds = (performance.now() - began) / 1000
    expect(reader.messages('delta').length).toBeLessThanOrEqual(1 + Math.ceil((seconds * 1000) / flushIntervalFor(1)))
  })

  test.each([
    ['an unknown topic', { topic: 'secrets' }, 'No topic “secrets”.'],
    ['a page without an id', { topic: 'workload/web' }, 'No topic “workload/web”.'],
    ['a subscription without topic', {}, 'A subscription must be { topic, since?: { epoch, revision } }.'],
    [
      'a position that is none',
      { topic: 'workloads', since: 7 },
      'A subscription must be { topic, since?: { epoch, revision } }.',
    ],
  ])('refuses %s', async (_, message, why) => {
    const fleet = await startFleet()
    const reader = fleet.read('clusters')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    reader.socket.emit('subscribe', message as { topic: string })
    await eventually(() => expect(reader.messages('refused')).toMatchObject([{ message: why }]))
  })

  test('sends nothing of a topic that was left', async () => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    reader.socket.emit('unsubscribe', { topic: 'workloads' })
    reader.socket.emit('subscribe', { topic: 'clusters' })
    await eventually(() => expect(reader.messages('snapshot')).toHaveLength(2))
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 5 } }))
    await eventually(() =>
      expect(reader.messages('delta').map((delta) => (delta as { topic: string }).topic)).toContain('clusters'),
    )
    expect(reader.messages('delta').filter((delta) => (delta as { topic: string }).topic === 'workloads')).toEqual([])
  })

  test.each([
    ['another host name', { host: 'evil.example' }],
    ['another origin', { origin: 'http://evil.example' }],
  ])('does not let %s connect', async (_, headers) => {
    const fleet = await startFleet()
    const reader = fleet.read('workloads', { headers })
    await eventually(() => expect(reader.messages('connect_error').length).toBeGreaterThan(0))
    expect(reader.state.phase).toBe('offline')
  })
})

describe('a slow reader', () => {
  test('is closed when it does not read for long, and resumes where it was', async () => {
    const logged = new PassThrough()
    const log = createLogger({ level: 'warn', pretty: false, destination: logged })
    const fleet = await startFleet({ log, limits: { waitingMessages: 1, stalledAfterMs: 50, pingMs: 60_000 } })
    const reader = fleet.read('workloads')
    await eventually(() => expect(reader.state.phase).toBe('live'))
    const firstSocket = reader.socket.id
    const { transport } = reader.socket.io.engine as unknown as {
      transport: { ws: { _socket: { pause(): void; resume(): void } } }
    }
    transport.ws._socket.pause()
    onTestFinished(() => void transport.ws._socket.resume())
    // What cannot be compressed fills the buffers between the two ends, until the server has to wait.
    const noise = [randomBytes(2_000_000), randomBytes(2_000_000)].map((bytes) => bytes.toString('base64'))
    let round = 0
    await eventually(() => {
      if (round++ % 10 === 0)
        fleet.informers.of(resourceBinding).put(unschedulable('noise', noise[((round / 10) | 0) % 2] ?? ''))
      expect(String(logged.read() ?? '')).toContain('reads too slowly')
    }, 45_000)
    fleet.informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 40, m2: 2 } }))
    transport.ws._socket.resume()
    await eventually(() => expect(reader.held[WEB]).toMatchObject({ desired: 42 }))
    expect(reader.socket.id).not.toBe(firstSocket)
    expect(reader.messages('snapshot')).toHaveLength(1)
  }, 60_000)
})

function unschedulable(name: string, message: string): ReturnType<typeof sampleBinding> {
  const condition = {
    type: 'Scheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastTransitionTime: '2026-11-21T09:00:00Z',
  } as const
  return sampleBinding({ name, status: { conditions: [condition] } })
}
