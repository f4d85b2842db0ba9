import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { configMap, type ConfigMap } from '@/lib/kube/kinds/config-map'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { systemClock } from '@/server/runtime/system-clock'
import type { Change } from './informer'
import { createInformer, type InformerOptions, type RunningInformer } from './informers'
import { createRestClient, type RestClient } from './rest-client'
import { FaultyServer } from './testing/faulty-server'

let server: FaultyServer
let client: RestClient
let informer: RunningInformer<ConfigMap> | undefined
let changes: string[]

beforeEach(async () => {
  server = new FaultyServer()
  await server.start()
  server.put('a', '1')
  server.put('b', '1')
  client = createRestClient({ url: server.url, token: 'secret' })
  changes = []
})

afterEach(async () => {
  await informer?.stop()
  await client.close()
  await server.stop()
})

function follow(options: Partial<InformerOptions> = {}): RunningInformer<ConfigMap> {
  const onError = (error: unknown): never => {
    throw error
  }
  informer = createInformer(configMap, {
    client,
    clock: systemClock,
    random: () => 0,
    onError,
    freeze: true,
    backoff: { baseMs: 5, maxMs: 20 },
    ...options,
  })
  informer.onChange((change: Change<ConfigMap>) => {
    const { metadata, data } = change.type === 'deleted' ? change.old : change.object
    changes.push(`${change.type} ${metadata.name}=${data?.value}`)
  })
  return informer
}

const copy = (): Record<string, string> =>
  Object.fromEntries((informer?.list() ?? []).map(({ metadata, data }) => [metadata.name, data?.value ?? '']))
const converged = () => vi.waitFor(() => expect(copy()).toEqual(server.state()), { timeout: 10_000 })
const state = () => informer?.freshness().state
const becomes = (wanted: string) => vi.waitFor(() => expect(state()).toBe(wanted), { timeout: 10_000 })

describe.each([true, false])('with streamed lists served: %s', (streamsLists) => {
  beforeEach(() => {
    server.streamsLists = streamsLists
  })

  test('copies what is there, then follows every change', async () => {
    const followed = follow({ pageSize: 1 })
    expect(followed.hasSynced()).toBe(false)
    await followed.whenSynced()
    await becomes('live')
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    server.put('c', '1')
    server.put('a', '2')
    server.remove('b')
    await converged()
    expect(changes).toEqual(['added a=1', 'added b=1', 'added c=1', 'updated a=2', 'deleted b=1'])
    expect(followed.get('default/a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
  })

  test('goes on where a broken socket left it, without listing again', async () => {
    await follow().whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    const before = server.asked.length
    server.cutWatches()
    server.put('a', '2')
    await converged()
    expect(server.asked.slice(before)).not.toContain('list')
    expect(server.asked.slice(before)).not.toContain('stream')
    expect(changes.at(-1)).toBe('updated a=2')
  })

  test.each([
    ['its watch is refused as too old', (s: FaultyServer) => s.endWatches()],
    ['its watch ends with an error line', (s: FaultyServer) => s.expireWatches()],
  ])('lists again when %s, reports the difference alone and keeps the identity of the rest', async (_name, end) => {
    const followed = follow()
    await followed.whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    const unchanged = followed.get('default/a')
    changes = []
    server.cutWatches()
    server.delayMs = 30
    end(server)
    server.remove('b')
    server.put('c', '1')
    server.compact()
    await converged()
    expect(changes.toSorted()).toEqual(['added c=1', 'deleted b=1'])
    expect(followed.get('default/a')).toBe(unchanged)
    await becomes('live')
  })

  test('is stale while the server is away, and live again when it is back', async () => {
    const followed = follow()
    const seen: string[] = []
    followed.onFreshness((freshness) => seen.push(freshness.state))
    await followed.whenSynced()
    await server.stop()
    await becomes('stale')
    expect(copy()).toEqual({ a: '1', b: '1' })
    server.put('a', '2')
    await server.start()
    await becomes('live')
    await converged()
    expect(seen).toEqual(['live', 'stale', 'live'])
  })
})

describe('an informer', () => {
  test('waits for a server that is not there yet, and says so', async () => {
    await server.stop()
    const followed = follow()
    await becomes('stale')
    expect(followed.hasSynced()).toBe(false)
    await server.start()
    await followed.whenSynced()
    expect(copy()).toEqual({ a: '1', b: '1' })
  })

  test('becomes stale when a reconnect is refused', async () => {
    await follow().whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    server.failWith = 503
    server.endWatches()
    await becomes('stale')
    expect(informer?.freshness()).toMatchObject({ error: 'out of order' })
    server.failWith = undefined
    await becomes('live')
  })

  test('counts a break as the first one after a quiet time without trouble', async () => {
    const clock = createFakeClock()
    const followed = follow({ clock })
    await followed.whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    server.failWith = 503
    server.endWatches()
    await becomes('stale')
    server.failWith = undefined
    await vi.waitFor(() => {
      clock.advance(100)
      expect([state(), server.watchers]).toEqual(['live', 1])
    })
    const seen: string[] = []
    followed.onFreshness((freshness) => seen.push(freshness.state))
    clock.advance(1_000)
    server.cutWatches()
    server.put('a', '2')
    await converged()
    expect(seen).toEqual([])
  })

  test('backs off from a server that accepts every watch and breaks it', async () => {
    await follow({ backoff: { baseMs: 50, maxMs: 1000 } }).whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    server.breaksWatches = true
    const before = server.asked.length
    server.cutWatches()
    await becomes('stale')
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(before + 3), { timeout: 5000 })
    expect(server.asked.length).toBeLessThan(before + 20)
    server.breaksWatches = false
    server.put('a', '2')
    await converged()
  })

  test('survives a slow server', async () => {
    server.delayMs = 100
    await follow().whenSynced()
    server.put('a', '2')
    await converged()
  })

  test('gives up a watch that fell silent and says that its copy is stale', async () => {
    const clock = createFakeClock()
    await follow({ clock, watchSeconds: 60 }).whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    clock.advance(74_000)
    expect(state()).toBe('live')
    clock.advance(2000)
    await becomes('stale')
    await vi.waitFor(() => {
      clock.advance(100)
      expect(state()).toBe('live')
    })
  })

  test('restarts a watch without events for a while, silently, because its connection may be dead', async () => {
    const clock = createFakeClock()
    await follow({ clock }).whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    const states: string[] = []
    informer?.onFreshness((freshness) => states.push(freshness.state))
    const asked = server.asked.length
    clock.advance(100_000)
    server.put('a', '2')
    await converged()
    clock.advance(149_000)
    expect(server.asked).toHaveLength(asked)
    clock.advance(2000)
    await vi.waitFor(() => expect(server.asked.slice(asked)).toEqual(['watch']))
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    server.put('a', '3')
    await converged()
    expect(states).toEqual([])
  })

  test('lists page by page when the server ignores that it shall stream the list', async () => {
    const clock = createFakeClock()
    server.ignoresStreaming = true
    const followed = follow({ clock, pageSize: 1 })
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    expect(followed.hasSynced()).toBe(false)
    clock.advance(60_000)
    await followed.whenSynced()
    expect(copy()).toEqual({ a: '1', b: '1' })
    expect(server.asked.slice(0, 3)).toEqual(['stream', 'list', 'list'])
  })

  test('moves its point in time on with bookmarks, so that a reconnect is not too old', async () => {
    await follow().whenSynced()
    await vi.waitFor(() => expect(server.watchers).toBe(1))
    // Other objects of this server changed; only a bookmark shows it.
    server.put('z', '1')
    server.remove('z')
    await vi.waitFor(() => expect(changes).toContain('deleted z=1'))
    server.bookmark()
    server.compact()
    await vi.waitFor(() => expect(informer?.freshness()).toEqual({ state: 'live', resourceVersion: '104' }))
    const before = server.asked.length
    server.endWatches()
    await vi.waitFor(() => expect(server.asked.length).toBe(before + 1))
    expect(server.asked.at(-1)).toBe('watch')
  })

  test('calls no handler after it was stopped', async () => {
    const followed = follow()
    await followed.whenSynced()
    await followed.stop()
    changes = []
    server.put('a', '2')
    await vi.waitFor(() => expect(server.watchers).toBe(0))
    expect(changes).toEqual([])
  })

  test('sends its credentials and its name', async () => {
    await follow().whenSynced()
    expect(server.headers[0]).toMatchObject({ authorization: 'Bearer secret', 'user-agent': 'evenkeel' })
  })
})
