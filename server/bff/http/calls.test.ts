import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { kubeError } from '@/lib/kube/errors'
import { configMap } from '@/lib/kube/kinds/config-map'
import { english } from '@/lib/messages/english'
import type { Problem, ProblemReason } from '@/lib/view/problems'
import type { KubeClient } from '@/server/kube/client'
import { createRestClient } from '@/server/kube/rest-client'
import { FaultyServer } from '@/server/kube/testing/faulty-server'
import { call } from '../testing/call'
import { startApi } from '../testing/start-api'
import { type AnyEndpoint, endpoint, openEndpoint } from './endpoint'
import { refuse } from './refusal'

const named = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: {},
})
const done = z.strictObject({ done: z.boolean() })
const write = (names: readonly string[]): AnyEndpoint =>
  endpoint({
    method: 'POST',
    path: '/api/v1/writes',
    kind: 'action',
    tag: 'api.tag.fleet',
    summary: 'queues.api.hold',
    body: z.strictObject({ value: z.string() }),
    response: done,
    perform: async ({ principal: { client } }) => {
      for (const name of names) await client.create(configMap, named(name))
      return { done: true }
    },
  })
const read: AnyEndpoint = endpoint({
  method: 'GET',
  path: '/api/v1/reads',
  kind: 'query',
  tag: 'api.tag.fleet',
  summary: 'queues.api.hold',
  response: done,
  perform: async ({ principal: { client } }) => {
    await client.get(configMap, { namespace: 'default', name: 'x' })
    return { done: true }
  },
})

async function startFaulty(): Promise<{ faulty: FaultyServer; client: KubeClient }> {
  const faulty = new FaultyServer()
  await faulty.start()
  const client = createRestClient({ url: faulty.url, token: 'jane' })
  onTestFinished(async () => {
    await client.close()
    await faulty.stop()
  })
  return { faulty, client }
}

describe('what the API server answers to an action becomes a calm sentence', () => {
  test.each<[number, number, ProblemReason, Problem['changed'], string]>([
    [401, 401, 'Unauthorized', 'nothing', 'Log in again. Nothing was changed.'],
    [403, 403, 'Forbidden', 'nothing', 'The API server refused: out of order. Nothing was changed.'],
    [404, 404, 'NotFound', 'nothing', 'Nothing was changed.'],
    [409, 409, 'Conflict', 'nothing', 'Read it again, then retry. Nothing was changed.'],
    [410, 410, 'Expired', 'nothing', 'Start again. Nothing was changed.'],
    [422, 422, 'Refused', 'nothing', 'Nothing was changed.'],
    [429, 429, 'TooManyRequests', 'nothing', 'Try again in a moment. Nothing was changed.'],
    [500, 502, 'ApiServerFailed', 'unknown', 'Outcome unknown. Check whether the action took effect before you retry.'],
    [503, 503, 'Unreachable', 'unknown', 'Outcome unknown'],
    [504, 504, 'Timeout', 'unknown', 'Outcome unknown'],
  ])('%d is answered %d %s, and %s was changed', async (code, ...[status, reason, changed, sentence]) => {
    const { faulty, client } = await startFaulty()
    faulty.failWith = code
    const { url, audited } = await startApi({ endpoints: [write(['a'])], client })
    const answer = await call(`${url}/api/v1/writes`, { body: { value: 'x' } })
    expect(answer).toMatchObject({
      status,
      headers: { 'content-type': 'application/problem+json' },
      json: {
        status,
        reason,
        changed,
        detail: expect.stringContaining(sentence),
        title: english(`api.problem.${reason}.title`),
      },
    })
    expect(audited()).toMatchObject([{ status, reason, result: changed === 'unknown' ? 'unknown' : 'refused' }])
  })

  test('and when to come back is passed on', async () => {
    const { faulty, client } = await startFaulty()
    faulty.failWith = 429
    faulty.retryAfterSeconds = 7
    const { url } = await startApi({ endpoints: [write(['a'])], client })
    expect(await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).toMatchObject({
      headers: { 'retry-after': '7' },
      json: { retryAfterSeconds: 7 },
    })
  })

  test('silence ends in a timeout, and the outcome is unknown', async () => {
    const { faulty, client } = await startFaulty()
    faulty.delayMs = 2000
    const { url, audited } = await startApi({ endpoints: [write(['a'])], client, answerMs: 50 })
    expect(await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).toMatchObject({
      status: 504,
      json: { reason: 'Timeout', changed: 'unknown', detail: expect.stringContaining('Outcome unknown') },
    })
    expect(audited()).toMatchObject([{ status: 504, result: 'unknown' }])
  })

  test('a stopped server received no request', async () => {
    const { url } = await startApi({ endpoints: [write(['a'])] })
    expect(await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).toMatchObject({
      status: 503,
      json: { reason: 'Unreachable', changed: 'nothing' },
    })
  })

  test('a part that was done before is told', async () => {
    const { faulty, client } = await startFaulty()
    const second = endpoint({
      method: 'POST',
      path: '/api/v1/writes',
      kind: 'action',
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      response: done,
      perform: async ({ principal }) => {
        await principal.client.create(configMap, named('a'))
        faulty.failWith = 403
        await principal.client.create(configMap, named('b'))
        return { done: true }
      },
    })
    const { url } = await startApi({ endpoints: [second], client })
    expect(await call(`${url}/api/v1/writes`, { method: 'POST' })).toMatchObject({
      status: 403,
      json: { changed: 'part', detail: expect.stringContaining('Part of the action took effect') },
    })
  })

  test('a query has no side effects and does not report changes', async () => {
    const { faulty, client } = await startFaulty()
    faulty.failWith = 500
    const { url, audited } = await startApi({ endpoints: [read], client })
    const { status, json } = await call(`${url}/api/v1/reads`)
    expect([status, (json as Problem).changed, audited()]).toEqual([502, undefined, []])
  })

  test('a refusal of the credentials of the console asks no user to log in', async () => {
    const { faulty, client } = await startFaulty()
    faulty.failWith = 401
    const { url } = await startApi({ endpoints: [read], client, via: 'local' })
    expect(await call(`${url}/api/v1/reads`)).toMatchObject({ status: 502, json: { reason: 'CredentialsRefused' } })
  })
})

describe('a call', () => {
  const failing = (problem: Error, kind: 'query' | 'action' = 'action'): AnyEndpoint =>
    endpoint({
      method: 'POST',
      path: '/api/v1/fails',
      kind,
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      response: done,
      perform: () => {
        throw problem
      },
    })

  test('that fails unexpectedly reveals no internals', async () => {
    const { url, audited } = await startApi({ endpoints: [failing(new Error('secret path /etc/x'))] })
    const { status, text, headers } = await call(`${url}/api/v1/fails`, {
      method: 'POST',
      headers: { 'x-request-id': 'request-1' },
    })
    expect([status, text.includes('secret'), headers['x-request-id']]).toEqual([500, false, 'request-1'])
    expect(JSON.parse(text)).toMatchObject({
      reason: 'InternalError',
      instance: 'urn:request:request-1',
      changed: 'nothing',
      detail: expect.stringContaining('request-1'),
    })
    expect(audited()).toMatchObject([{ result: 'failed', reason: 'InternalError', requestId: 'request-1' }])
  })

  test('is not made without the right to it, and the right is named', async () => {
    let performed = 0
    const needy = endpoint({
      method: 'POST',
      path: '/api/v1/needy',
      kind: 'action',
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      response: done,
      needs: () => [
        { verb: 'get', group: 'evenkeel.io', resource: 'queues', namespace: 'lab' },
        { verb: 'update', group: 'evenkeel.io', resource: 'queues', namespace: 'lab', name: 'main' },
      ],
      perform: () => ({ done: (performed += 1) > 0 }),
    })
    const can = ({ verb }: { verb: string }) =>
      Promise.resolve(
        verb === 'get' ? { allowed: true, reason: '' } : { allowed: false, reason: 'no role binds jane to it' },
      )
    const { url, audited } = await startApi({ endpoints: [needy], can })
    expect(await call(`${url}/api/v1/needy`, { method: 'POST' })).toMatchObject({
      status: 403,
      json: {
        reason: 'Forbidden',
        detail: 'You may not update queues.evenkeel.io "main" in namespace lab: no role binds jane to it.',
      },
    })
    expect(performed).toBe(0)
    expect(audited()).toMatchObject([
      {
        user: 'jane',
        result: 'refused',
        status: 403,
        object: { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', namespace: 'lab', name: 'main' },
      },
    ])
  })

  test('whose rights cannot be asked about is not made', async () => {
    const needy = endpoint({
      method: 'GET',
      path: '/api/v1/needy',
      kind: 'query',
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      response: done,
      needs: () => [{ verb: 'get', group: '', resource: 'pods' }],
      perform: () => ({ done: true }),
    })
    const { url } = await startApi({
      endpoints: [needy],
      can: () => Promise.reject(kubeError(0, 'Unreachable', 'gone')),
    })
    expect(await call(`${url}/api/v1/needy`)).toMatchObject({ status: 503, json: { reason: 'Unreachable' } })
  })

  test('of an action is refused by a console that is read-only, of a query is not', async () => {
    const { url, audited } = await startApi({
      endpoints: [write([]), failing(refuse(409, 'NothingToDo', 'There is nothing.'), 'query')],
      readOnly: true,
    })
    expect(await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).toMatchObject({
      status: 403,
      json: { reason: 'ReadOnly' },
    })
    expect(await call(`${url}/api/v1/fails`, { method: 'POST' })).toMatchObject({ status: 409 })
    expect(audited()).toMatchObject([{ reason: 'ReadOnly' }])
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['an If-Match that is no ETag', { 'if-match': 'W/"12"' }, 'If-Match', 'one strong ETag'],
    ['a key that is too long', { 'idempotency-key': 'x'.repeat(256) }, 'Idempotency-Key', '1 to 255'],
    ['a key with spaces', { 'idempotency-key': 'a b' }, 'Idempotency-Key', '1 to 255'],
  ])('with %s is refused', async (_, headers, field, sentence) => {
    const { url } = await startApi({ endpoints: [write([])] })
    expect(await call(`${url}/api/v1/writes`, { body: { value: 'x' }, headers })).toMatchObject({
      status: 400,
      json: { field, detail: expect.stringContaining(sentence) },
    })
  })

  test('with a parameter twice, or one that there is not, is refused', async () => {
    const asking = endpoint({
      method: 'GET',
      path: '/api/v1/asks',
      kind: 'query',
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      query: z.strictObject({ a: z.string().optional() }),
      response: done,
      perform: () => ({ done: true }),
    })
    const { url } = await startApi({ endpoints: [asking] })
    expect(await call(`${url}/api/v1/asks?a=1&a=2`)).toMatchObject({ status: 400, json: { field: 'a' } })
    expect(await call(`${url}/api/v1/asks?b=1`)).toMatchObject({ status: 400, json: { reason: 'Invalid' } })
    expect(await call(`${url}/api/v1/asks?a=1`)).toMatchObject({ status: 200, json: { done: true } })
  })

  test('with a method that there is not names those that there are', async () => {
    const { url } = await startApi({ endpoints: [write([])] })
    expect(await call(`${url}/api/v1/writes`, { method: 'DELETE' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      json: { reason: 'MethodNotAllowed' },
    })
  })

  test('of HEAD has the headers and no body', async () => {
    const versioned = endpoint({
      method: 'GET',
      path: '/api/v1/things/{id}',
      kind: 'query',
      tag: 'api.tag.fleet',
      summary: 'queues.api.hold',
      response: done,
      perform: () => ({ body: { done: true }, version: '17' }),
    })
    const { url } = await startApi({ endpoints: [versioned] })
    expect(await call(`${url}/api/v1/things/a`, { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      headers: { etag: '"17"' },
    })
  })
})

test('a stream that fails is cut off, so that no client takes it for complete', async () => {
  const broken = endpoint({
    method: 'GET',
    path: '/api/v1/exports',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'queues.api.hold',
    response: done,
    perform: () => ({
      chunks: (async function* () {
        yield '['
        throw new Error('secret path /etc/x')
      })(),
    }),
  })
  const { url } = await startApi({ endpoints: [broken] })
  const answer = await fetch(`${url}/api/v1/exports`)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow('terminated')
})

describe('an operation that is open', () => {
  const logIn = openEndpoint({
    open: true,
    method: 'POST',
    path: '/api/v1/session',
    kind: 'action',
    tag: 'api.tag.session',
    summary: 'api.action.logIn',
    body: z.strictObject({ token: z.string() }),
    response: done,
    perform: ({ body: { token }, concerns }) => {
      if (token === 'flood') throw refuse(429, 'TooManyRequests', 'Too many.')
      if (token !== 'good') throw refuse(401, 'TokenInvalid', 'No.')
      concerns({ object: { apiVersion: 'authentication.k8s.io/v1', kind: 'User', name: 'jane', uid: 'key-of-jane' } })
      return Promise.resolve({ body: { done: true }, status: 201, headers: { 'set-cookie': ['a=1', 'b=2'] } })
    },
  })

  test('is carried out for an unknown client, also by a read-only console, and is on record', async () => {
    const { url, audited } = await startApi({ endpoints: [logIn], readOnly: true })
    const send = (token: string) => call(`${url}/api/v1/session`, { body: { token } })
    expect(await send('good')).toMatchObject({ status: 201, headers: { 'set-cookie': ['a=1', 'b=2'] } })
    expect((await send('bad')).status).toBe(401)
    expect((await send('flood')).status).toBe(429)
    expect(audited()).toMatchObject([
      { user: 'jane', key: 'key-of-jane', summary: { code: 'api.action.logIn' }, result: 'accepted' },
      { user: '', result: 'refused', reason: 'TokenInvalid' },
    ])
    expect(audited()).toHaveLength(2)
  })

  test('is limited by address, and what makes no sense or is too much does not fill the log', async () => {
    const { url, audited } = await startApi({
      endpoints: [logIn],
      rateLimits: { queriesPerMinute: 1, actionsPerMinute: 3 },
    })
    const send = (body: unknown, address: string) =>
      call(`${url}/api/v1/session`, { body, headers: { 'x-address': address } })
    const [home, neighbour] = ['2001:db8::1', '2001:db8:0:0:ffff::2']
    expect((await send({ wrong: 'x' }, home)).status).toBe(400)
    expect((await send({ token: 'bad' }, neighbour)).status).toBe(401)
    expect(await send({ token: 'good' }, home)).toMatchObject({ status: 201, headers: { 'ratelimit-remaining': '0' } })
    expect(await send({ token: 'good' }, neighbour)).toMatchObject({ status: 429, json: { reason: 'TooManyRequests' } })
    expect((await send({ token: 'good' }, '192.0.2.1')).status).toBe(201)
    expect(audited().map(({ status, address }) => [status, address])).toEqual([
      [401, neighbour],
      [201, home],
      [201, '192.0.2.1'],
    ])
  })

  test('that is declared unlimited has no rate limit', async () => {
    const logOut = openEndpoint({
      open: true,
      unlimited: true,
      method: 'DELETE',
      path: '/api/v1/session',
      kind: 'action',
      tag: 'api.tag.session',
      summary: 'api.action.logOut',
      response: done,
      perform: async () => ({ done: true }),
    })
    const { url } = await startApi({
      endpoints: [logIn, logOut],
      rateLimits: { queriesPerMinute: 1, actionsPerMinute: 1 },
    })
    for (const status of [400, 429, 429]) {
      expect((await call(`${url}/api/v1/session`, { body: {} })).status).toBe(status)
      expect((await call(`${url}/api/v1/session`, { method: 'DELETE' })).status).toBe(200)
    }
  })

  test('has no principal', async () => {
    const prying = openEndpoint({
      open: true,
      method: 'GET',
      path: '/api/v1/pries',
      kind: 'query',
      tag: 'api.tag.session',
      summary: 'queues.api.hold',
      response: done,
      perform: async (given) => ({ done: 'principal' in given || 'access' in given }),
    })
    const { url } = await startApi({ endpoints: [prying] })
    expect((await call(`${url}/api/v1/pries`)).json).toEqual({ done: false })
  })
})

describe('a user', () => {
  const count = endpoint({
    method: 'GET',
    path: '/api/v1/counts',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'queues.api.hold',
    response: done,
    perform: () => ({ done: true }),
  })

  test('who asks too much waits, while others and actions go on', async () => {
    const { url } = await startApi({
      endpoints: [count, write([])],
      rateLimits: { queriesPerMinute: 2, actionsPerMinute: 1 },
    })
    const ask = (user: string) => call(`${url}/api/v1/counts`, { headers: { 'x-user': user } })
    expect((await ask('jane')).headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    })
    expect((await ask('jane')).status).toBe(200)
    const third = await ask('jane')
    expect(third).toMatchObject({
      status: 429,
      headers: { 'ratelimit-remaining': '0', 'retry-after': expect.stringMatching(/^([1-5]?\d|60)$/) },
      json: { reason: 'TooManyRequests' },
    })
    expect(third.json).toMatchObject({ retryAfterSeconds: Number(third.headers['retry-after']) })
    expect((await ask('joe')).status).toBe(200)
    expect((await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).status).toBe(200)
    expect((await call(`${url}/api/v1/writes`, { body: { value: 'x' } })).status).toBe(429)
  })

  test('is the same one under each token, though its extras differ', async () => {
    const { url, audited } = await startApi({
      endpoints: [write([])],
      rateLimits: { queriesPerMinute: 0, actionsPerMinute: 2 },
    })
    const send = (key: string) =>
      call(`${url}/api/v1/writes`, {
        body: { value: 'x' },
        headers: { 'x-key': key, 'x-address': '192.0.2.9', 'idempotency-key': 'k1' },
      })
    expect((await send('first token')).status).toBe(200)
    expect((await send('second token')).headers).toMatchObject({ 'idempotency-replayed': 'true' })
    expect((await send('third token')).status).toBe(429)
    expect(audited()).toMatchObject([{ user: 'jane', address: '192.0.2.9' }])
  })

  test('may request anything without a limit', async () => {
    const { url } = await startApi({ endpoints: [count], rateLimits: { queriesPerMinute: 0, actionsPerMinute: 0 } })
    const { status, headers } = await call(`${url}/api/v1/counts`)
    expect([status, headers['ratelimit-limit']]).toEqual([200, undefined])
  })
})
