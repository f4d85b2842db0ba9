import { english } from '@/lib/messages/english'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { kubeError } from '@/lib/kube/errors'
import { configMap } from '@/lib/kube/kinds/config-map'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { KubeClient } from '@/server/kube/client'
import { createLogger } from '@/server/telemetry/logger'
import { createMemoryStore } from '../shared/memory-store'
import { type SharedStore, StoreUnavailable } from '../shared/store'
import { call } from '../testing/call'
import { eventually } from '../testing/start-bff'
import { startApi } from '../testing/start-api'
import { endpoint } from './endpoint'
import { Once } from './idempotency'
import { refuse } from './refusal'

const PATH = '/api/v1/counts'
const response = z.strictObject({ count: z.number() })

/** An action that counts its executions, or runs the function of the test. */
async function startCounting(
  act: (count: number, client: KubeClient) => unknown = () => undefined,
  store?: SharedStore,
  client?: KubeClient,
) {
  let count = 0
  const counting = endpoint({
    method: 'POST',
    path: PATH,
    kind: 'action',
    tag: 'api.tag.fleet',
    summary: 'queues.api.hold',
    body: z.strictObject({ by: z.string() }),
    response,
    perform: async ({ principal }) => {
      count += 1
      await act(count, principal.client)
      return { body: { count }, status: 201, version: String(count), headers: { 'set-cookie': ['a=b'] } }
    },
  })
  const clock = createFakeClock()
  const api = await startApi({ endpoints: [counting], clock, ...(store && { store }), ...(client && { client }) })
  const send = (key: string | undefined, { by = 'x', user = 'jane' } = {}) =>
    call(api.url + PATH, {
      body: { by },
      headers: { 'x-user': user, ...(key !== undefined && { 'idempotency-key': key }) },
    })
  return { ...api, clock, send, count: () => count }
}

describe('an action under a key', () => {
  test('is carried out once, and answered the same again', async () => {
    const { send, count, audited } = await startCounting()
    const first = await send('k1')
    const again = await send('k1')
    expect(first).toMatchObject({ status: 201, json: { count: 1 }, headers: { etag: '"1"' } })
    expect(again).toMatchObject({
      status: 201,
      json: { count: 1 },
      headers: { etag: '"1"', 'idempotency-replayed': 'true' },
    })
    expect([first.headers['idempotency-replayed'], again.headers['set-cookie'], count()]).toEqual([
      undefined,
      undefined,
      1,
    ])
    expect(audited()).toHaveLength(1)
  })

  test('is another one under another key, of another user, or without any', async () => {
    const { send, count } = await startCounting()
    for (const sent of [send('k1'), send('k2'), send('k1', { user: 'joe' }), send(undefined), send(undefined)]) {
      await sent
    }
    expect(count()).toBe(5)
  })

  test('with another body is refused', async () => {
    const { send, count } = await startCounting()
    await send('k1')
    expect(await send('k1', { by: 'y' })).toMatchObject({ status: 422, json: { reason: 'IdempotencyKeyReused' } })
    expect(count()).toBe(1)
  })

  test('that still runs is waited for, also when both came at once', async () => {
    const gate = Promise.withResolvers<void>()
    const { send, count } = await startCounting(() => gate.promise)
    const first = send('k1')
    await eventually(() => expect(count()).toBe(1))
    expect(await send('k1')).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      json: { reason: 'StillRunning', retryAfterSeconds: 1 },
    })
    gate.resolve()
    expect((await first).status).toBe(201)
    expect(await send('k1')).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
    const together = await Promise.all(Array.from({ length: 8 }, () => send('k2')))
    expect(
      together
        .map(({ status }) => status)
        .toSorted()
        .slice(0, 1),
    ).toEqual([201])
    expect(count()).toBe(2)
  })

  test('that was refused without changing anything may be sent again', async () => {
    const { send } = await startCounting((count) => {
      if (count === 1) throw refuse(409, 'PlanOutdated', 'Look again.')
    })
    expect((await send('k1')).status).toBe(409)
    expect(await send('k1')).toMatchObject({ status: 201, json: { count: 2 } })
  })

  test('whose outcome is unknown is not carried out again', async () => {
    const silent = { create: () => Promise.reject(kubeError(504, 'Timeout', 'too slow')) } as unknown as KubeClient
    const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }
    const { send, count } = await startCounting(async (_, client) => client.create(configMap, draft), undefined, silent)
    const first = await send('k1')
    const again = await send('k1')
    expect(first).toMatchObject({ status: 504, json: { changed: 'unknown' } })
    expect(again).toMatchObject({
      status: 504,
      json: { changed: 'unknown' },
      headers: { 'content-type': 'application/problem+json', 'idempotency-replayed': 'true' },
    })
    expect(count()).toBe(1)
  })

  test('is forgotten after a day', async () => {
    const { send, count, clock } = await startCounting()
    await send('k1')
    clock.advance(86_399_000)
    expect((await send('k1')).headers['idempotency-replayed']).toBe('true')
    clock.advance(2000)
    expect((await send('k1')).headers['idempotency-replayed']).toBeUndefined()
    expect(count()).toBe(2)
  })
})

describe('a store that is away', () => {
  const away = new StoreUnavailable('The shared store does not answer since noon.')
  const broken = (more: Partial<SharedStore>): SharedStore => ({
    ...spread(
      createMemoryStore({
        clock: createFakeClock(),
        onError: (error) => {
          throw error
        },
      }),
    ),
    ...more,
  })
  const spread = (store: SharedStore): SharedStore => ({
    get: (key) => store.get(key),
    set: (key, value, ttl) => store.set(key, value, ttl),
    add: (key, value, ttl) => store.add(key, value, ttl),
    delete: (key) => store.delete(key),
    publish: (channel, message) => store.publish(channel, message),
    subscribe: (channel, handler) => store.subscribe(channel, handler),
    state: () => store.state(),
    onState: (handler) => store.onState(handler),
    close: () => store.close(),
  })

  test('keeps an action with a key from being done, and one without from nothing', async () => {
    const { send, count } = await startCounting(undefined, broken({ get: () => Promise.reject(away) }))
    expect(await send('k1')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      json: { reason: 'StoreUnavailable', detail: expect.stringContaining('Nothing was changed') },
    })
    expect(count()).toBe(0)
    expect((await send(undefined)).status).toBe(201)
  })

  test('when the answer should be kept, lets the answer through, and the action is not repeated', async () => {
    const { send, count, clock } = await startCounting(undefined, broken({ set: () => Promise.reject(away) }))
    expect((await send('k1')).status).toBe(201)
    expect(await send('k1')).toMatchObject({ status: 409, json: { reason: 'StillRunning' } })
    clock.advance(61_000)
    expect(await send('k1')).toMatchObject({ status: 409, json: { reason: 'OutcomeUnknown' } })
    expect(count()).toBe(1)
  })
})

test.each(['hello', 'null', '{}', '{"state":"done","fingerprint":"x"}', '[1]'])(
  'a value of another client under a key (%s) is neither an answer nor a permission to act',
  async (text) => {
    const store = createMemoryStore({
      clock: createFakeClock(),
      onError: (error) => {
        throw error
      },
    })
    store.get = () => Promise.resolve(text)
    const { send, count } = await startCounting(undefined, store)
    expect(await send('k1')).toMatchObject({
      status: 409,
      json: { reason: 'OutcomeUnknown', detail: expect.stringContaining('new key') },
    })
    expect(count()).toBe(0)
  },
)

describe('a user who sends more than is kept for one', () => {
  test('waits until an answer expires, while others, and actions without a key, continue', async () => {
    const clock = createFakeClock(Date.UTC(2026, 10, 21))
    const once = new Once({
      store: createMemoryStore({
        clock,
        onError: (error) => {
          throw error
        },
      }),
      clock,
      log: createLogger({ level: 'silent' }),
      share: 2000,
    })
    let done = 0
    const send = (user: string, key: string) =>
      once.run({ user, key, request: [key], requestId: 'request-1', text: english }, async () => {
        done += 1
        return { status: 200, text: 'x'.repeat(500), contentType: 'application/json' }
      })
    for (const key of ['a', 'b', 'c']) await send('jane', key)
    await expect(send('jane', 'd')).rejects.toMatchObject({
      status: 429,
      reason: 'TooManyRequests',
      message: expect.stringContaining('without an Idempotency-Key'),
    })
    expect(await send('jane', 'a')).toMatchObject({ headers: { 'idempotency-replayed': 'true' } })
    await send('joe', 'd')
    expect(done).toBe(4)
    clock.advance(25 * 3_600_000)
    await send('jane', 'd')
    expect(done).toBe(5)
  })

  test('does not count refusals without changes', async () => {
    const clock = createFakeClock(Date.UTC(2026, 10, 21))
    const once = new Once({
      store: createMemoryStore({
        clock,
        onError: (error) => {
          throw error
        },
      }),
      clock,
      log: createLogger({ level: 'silent' }),
      share: 1,
    })
    const refused = () =>
      once.run({ user: 'jane', key: 'a', request: [], requestId: 'request-1', text: english }, () =>
        Promise.reject(refuse(409, 'NothingToDo', 'There is nothing.')),
      )
    for (let count = 0; count < 3; count += 1) await expect(refused()).rejects.toMatchObject({ status: 409 })
  })
})

describe('an action whose time ran out', () => {
  test('before its first write prevents later writes: its answer stays true', async () => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let created = 0
    const client = { create: async () => void (created += 1) } as unknown as KubeClient
    let failure: unknown
    const { send, clock } = await startCounting(
      async (_count, writer) => {
        asked.resolve()
        await gate.promise
        await writer
          .create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } })
          .catch((error: unknown) => {
            failure = error
          })
      },
      undefined,
      client,
    )
    const answer = send('k1')
    await asked.promise
    clock.advance(60_000)
    expect(await answer).toMatchObject({ status: 504, json: { changed: 'nothing' } })
    gate.resolve()
    await eventually(() => expect(failure).toBeDefined())
    expect(created).toBe(0)
  })
})
