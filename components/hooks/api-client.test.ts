import { describe, expect, test } from 'vitest'
import { ActionFailure, createApiClient } from './api-client'

type Step = Response | 'silence'
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const problem = (status: number, reason: string, more: object = {}) =>
  json(status, { type: '', title: '', status, detail: `it is ${reason}`, instance: 'urn:request:1', reason, ...more })

/** A server that answers these steps one after the other. */
function start(...steps: Step[]) {
  const sent: { path: string; method?: string | undefined; key: string | undefined; keepalive: boolean | undefined }[] =
    []
  const waited: number[] = []
  let keys = 0
  const client = createApiClient({
    fetch: (path, { method, headers, keepalive }) => {
      sent.push({ path, method, key: (headers as Record<string, string>)['idempotency-key'], keepalive })
      const step = steps.shift()
      return step === undefined || step === 'silence'
        ? Promise.reject(new TypeError('fetch failed'))
        : Promise.resolve(step)
    },
    wait: (ms) => Promise.resolve(void waited.push(ms)),
    newKey: () => `key-${++keys}`,
  })
  return { client, sent, waited }
}

describe('an order', () => {
  test('has a key of its own', async () => {
    const { client, sent } = start(json(200, { a: 1 }), json(200, { a: 2 }))
    expect([await client.order('/x', { body: {} }), await client.order('/x', { body: {} })]).toEqual([
      { a: 1 },
      { a: 2 },
    ])
    expect(sent).toMatchObject([{ method: 'POST', key: 'key-1', keepalive: true }, { key: 'key-2' }])
  })

  test('is sent again under the same key when no answer comes', async () => {
    const { client, sent, waited } = start('silence', json(201, { name: 'r' }))
    expect(await client.order('/x')).toEqual({ name: 'r' })
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
    expect(waited).toEqual([500])
  })

  test('that gets no answer after all retries fails with an unknown outcome', async () => {
    const { client, sent } = start()
    await expect(client.order('/x')).rejects.toMatchObject({
      code: 0,
      reason: 'Unreachable',
      message: expect.stringContaining('Outcome unknown'),
    })
    expect(sent).toHaveLength(3)
  })

  test('that still runs is asked for again', async () => {
    const { client, waited } = start(problem(409, 'StillRunning', { retryAfterSeconds: 1 }), json(200, {}))
    await client.order('/x')
    expect(waited).toEqual([1000])
  })

  test('that is refused is not sent again', async () => {
    const { client, sent } = start(problem(409, 'PlanOutdated', { plan: { base: 'new' }, field: 'base' }))
    const failure = await client.order('/x').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ActionFailure)
    expect(failure).toMatchObject({
      code: 409,
      reason: 'PlanOutdated',
      message: 'it is PlanOutdated',
      field: 'base',
      plan: { base: 'new' },
      instance: 'urn:request:1',
    })
    expect(sent).toHaveLength(1)
  })

  test('of a large body does not outlive its page', async () => {
    const { client, sent } = start(json(200, {}))
    await client.order('/x', { body: { text: 'x'.repeat(20_000) } })
    expect(sent[0]?.keepalive).toBe(false)
  })
})

describe('a question', () => {
  test('waits once where the server asks for a short wait', async () => {
    const { client, waited } = start(problem(429, 'TooManyRequests', { retryAfterSeconds: 2 }), json(200, [1]))
    expect(await client.ask('/x')).toEqual([1])
    expect(waited).toEqual([2000])
  })

  test.each<[string, Step[], object]>([
    ['a long wait', [problem(429, 'TooManyRequests', { retryAfterSeconds: 40 })], { code: 429, retryAfterSeconds: 40 }],
    ['silence', ['silence'], { code: 0, message: expect.stringContaining('Nothing was changed') }],
    [
      'a page of a proxy',
      [new Response('<html>', { status: 502, statusText: 'Bad Gateway' })],
      { code: 502, reason: 'Unexplained', message: 'The server responded with 502 Bad Gateway and no reason.' },
    ],
  ])('fails at once at %s', async (_, steps, failure) => {
    const { client, sent } = start(...steps)
    await expect(client.ask('/x')).rejects.toMatchObject(failure)
    expect(sent).toMatchObject([{ method: 'GET', key: undefined }])
  })

  test('that is called off is not a failure of the server', async () => {
    const { client } = start('silence')
    await expect(client.ask('/x', { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(TypeError)
  })
})

test('a listener is told when the server requires a new login, until it unsubscribes', async () => {
  const { client } = start(problem(401, 'SessionExpired'), problem(401, 'SessionExpired'))
  const told: string[] = []
  const stop = client.onLoginRequired(({ reason }) => void told.push(reason))
  await expect(client.ask('/x')).rejects.toMatchObject({ code: 401 })
  stop()
  await expect(client.ask('/x')).rejects.toMatchObject({ code: 401 })
  expect(told).toEqual(['SessionExpired'])
})
