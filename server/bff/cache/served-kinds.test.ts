import { describe, expect, onTestFinished, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import type { Kind } from '@/lib/kube/kind'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { ensureDefinitions } from '@/server/reconcilers/shared/definitions'
import { systemClock } from '@/server/runtime/system-clock'
import { eventually } from '../testing/start-bff'
import { ControlPlaneCache, KINDS_READ } from './control-plane-cache'
import { definitionWatch, type WatchDefinition } from './definition-watch'
import { FollowedKinds } from './served-kinds'

const planKind = rebalancePlan as unknown as Kind
const plan = {
  metadata: { name: 'home' },
  spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }] },
}
const EAGER_MS = 3_000

type Asked = Pick<KubeClient, 'list' | 'raw'>

/** An API server without RebalancePlan, and a cache of it as an instance without loops has. */
async function start(
  change: (client: Asked) => Asked = (client) => client,
  { watches = false, kinds = KINDS_READ }: { watches?: boolean; kinds?: readonly Kind[] } = {},
) {
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds.filter(({ kind }) => kind !== 'RebalancePlan'),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => crypto.randomUUID(),
    random: Math.random,
    tokens: [{ token: 'admin', user: 'admin', groups: ['system:masters'] }],
  })
  const client = createRestClient({ url: server.url, token: 'admin' })
  const clock = createFakeClock()
  let isWatched = false
  const watch = definitionWatch({ client, clock: systemClock, random: () => 0 })
  const watchDefinition: WatchDefinition = (kind, handlers) =>
    watch(kind, {
      ...handlers,
      onWatched: (is) => {
        isWatched = is
        handlers.onWatched(is)
      },
    })
  const served = await FollowedKinds.open({ client: change(client), clock, kinds, ...(watches && { watchDefinition }) })
  const onError = (error: unknown): never => {
    throw error
  }
  const informers = createInformers({ client, clock: systemClock, random: () => 0, onError })
  const cache = new ControlPlaneCache(informers, served)
  onTestFinished(async () => {
    served.stop()
    await informers.stop()
    await client.close()
    await server.close()
  })
  return { cache, client, clock, served, isWatched: () => isWatched }
}

describe('a kind whose definition is installed while the console runs', () => {
  test('is read within seconds, with what exists by then, and is empty again once it is gone', async () => {
    const { cache, client, clock } = await start()
    await cache.whenSynced()
    const seen: string[] = []
    cache.plans.onChange((change) => seen.push(change.type))
    expect([cache.plans.list(), cache.freshness().state]).toEqual([[], 'live'])

    await ensureDefinitions(client, [planKind])
    await client.create(planKind, { apiVersion: 'evenkeel.io/v1alpha1', kind: 'RebalancePlan', ...plan })
    await eventually(() => {
      clock.advance(EAGER_MS)
      expect(cache.plans.list().map(({ metadata }) => metadata.name)).toEqual(['home'])
    })
    expect(cache.undoingPlans('home')).toEqual([])
    expect(seen).toEqual(['added'])

    const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rebalanceplans.evenkeel.io'
    await client.raw('DELETE', definition)
    await eventually(() => expect([cache.plans.list(), cache.freshness().state]).toEqual([[], 'live']), 30_000)
    expect(seen).toEqual(['added', 'deleted'])
  })

  test('counts as not yet known until its objects are there, when it is installed again', async () => {
    const { cache, client, clock } = await start()
    const create = (name: string) =>
      client.create(planKind, {
        apiVersion: 'evenkeel.io/v1alpha1',
        kind: 'RebalancePlan',
        ...plan,
        metadata: { name },
      })
    const isRead = () => cache.whyUnread(planKind) === undefined
    await cache.whenSynced()
    await ensureDefinitions(client, [planKind])
    await create('first')
    await eventually(() => {
      clock.advance(EAGER_MS)
      expect(isRead()).toBe(true)
    })
    await client.raw('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rebalanceplans.evenkeel.io')
    await eventually(() => expect(isRead()).toBe(false), 30_000)

    const shown: string[][] = []
    const look = (): void => {
      if (isRead()) shown.push(cache.plans.list().map(({ metadata }) => metadata.name))
    }
    cache.onUnreadChange(look)
    await ensureDefinitions(client, [planKind])
    await create('second')
    await eventually(() => {
      clock.advance(EAGER_MS)
      look()
      expect(shown.length).toBeGreaterThan(0)
    }, 30_000)
    expect(shown).toEqual(shown.map(() => ['second']))
  })

  test('is found at once by the instance that installs it', async () => {
    const { cache, client, served } = await start()
    await ensureDefinitions(client, [planKind])
    await served.look()
    await eventually(() => expect(cache.plans.hasSynced() && served.readable(planKind)).toBe(true))
  })
})

test('an answer of 404 for everything, as a wrong proxy gives it, takes no kind away', async () => {
  let isWrong = false
  const { cache, served } = await start((client) => ({
    list: (...args) => client.list(...args),
    raw: async (...args) => (isWrong ? { status: 404, body: {} } : client.raw(...args)),
  }))
  await cache.whenSynced()
  isWrong = true
  const told: Kind[] = []
  served.onChange((kind) => told.push(kind))
  for (const kind of KINDS_READ) served.doubt(kind)
  await served.look()
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  expect(told).toEqual([])
  expect(KINDS_READ.filter((kind) => !served.readable(kind)).map(({ kind }) => kind)).toEqual(['RebalancePlan'])
})

describe('while a kind is missing', () => {
  /** Counts the checks in half an hour after the eager ones, whose answers do not need the server. */
  async function checksOf(watches: boolean) {
    let checks = 0
    let isAbsent = true
    const started = await start(
      (client) => ({
        list: (...args) => client.list(...args),
        raw: async (...args) => {
          checks += 1
          return isAbsent ? { status: 404, body: {} } : client.raw(...args)
        },
      }),
      { watches, kinds: [planKind] },
    )
    if (watches) await eventually(() => expect(started.isWatched()).toBe(true))
    const advance = async (ms: number): Promise<void> => {
      for (let at = 0; at < ms; at += EAGER_MS) {
        started.clock.advance(EAGER_MS)
        await new Promise((resolve) => void setImmediate(resolve))
      }
    }
    await advance(2 * 60_000)
    checks = 0
    await advance(30 * 60_000)
    const counted = checks
    isAbsent = false
    return { ...started, checks: counted }
  }

  test('it is looked for increasingly seldom', async () => {
    const { checks } = await checksOf(false)
    expect(checks).toBeGreaterThan(10)
    expect(checks).toBeLessThan(25)
  })

  test('it is hardly looked for with a watch of its definition, and found at once', async () => {
    const { checks, client, served } = await checksOf(true)
    expect(checks).toBeLessThan(5)
    await ensureDefinitions(client, [planKind])
    await eventually(() => expect(served.readable(planKind)).toBe(true))
  })
})
