import { describe, expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { sampleBinding, sampleCluster } from '@/lib/view/project/testing/samples'
import { call, type CallOptions } from '../testing/call'
import { startBff, type TestBff } from '../testing/start-bff'

const PLANS = '/api/v1/rebalance-previews'
const REBALANCERS = '/api/v1/rebalancers'
const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }

async function startSynced(): Promise<TestBff> {
  const bff = await startBff({
    metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
  })
  bff.informers.of(cluster).put(sampleCluster('m1'))
  bff.informers.of(resourceBinding).put(sampleBinding())
  bff.informers.syncAll()
  return bff
}

describe('probes', () => {
  test.each([
    ['/healthz', 200, 'ok'],
    ['/metrics', 200, 'up 1\n'],
    ['/readyz', 200, 'ok'],
  ])('%s answers %d under any host name', async (path, status, text) => {
    const { url } = await startSynced()
    expect(await call(url + path, { headers: { host: '10.1.2.3:8080' } })).toMatchObject({ status, text })
  })

  test('security.txt names contact, policy and an expiry in the future, and is absent without a contact', async () => {
    const path = '/.well-known/security.txt'
    const { url } = await startBff({
      security: { contact: 'https://example.com/report', policy: 'https://example.com/policy' },
    })
    const { status, text } = await call(url + path)
    expect([status, text.split('\n').map((line) => line.split(': ', 1)[0])]).toEqual([
      200,
      ['Contact', 'Expires', 'Preferred-Languages', 'Policy', ''],
    ])
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? '')
    expect(expires - Date.now()).toBeGreaterThan(150 * 24 * 3600 * 1000)
    expect(expires - Date.now()).toBeLessThan(365 * 24 * 3600 * 1000)
    expect((await call((await startBff()).url + path)).status).not.toBe(200)
  })

  test('/readyz waits for the caches and names those that are missing', async () => {
    const { url, informers } = await startBff()
    expect(await call(`${url}/readyz`)).toMatchObject({
      status: 503,
      text: expect.stringMatching(/^not yet synced: clusters\.cluster\.karmada\.io, /),
    })
    informers.syncAll()
    informers.of(cluster).setFreshness({ state: 'stale', since: 0, error: 'https://10.0.0.1:6443 refused' })
    expect(await call(`${url}/readyz`)).toMatchObject({ status: 200, text: 'ok' })
  })

  test('/readyz?verbose lists every cache, stale ones too, and no address', async () => {
    const { url, informers } = await startBff()
    const before = await call(`${url}/readyz?verbose`)
    expect(before.text).toMatch(/^\[-\]clusters\.cluster\.karmada\.io not yet synced\n/)
    expect(before.text).toMatch(/\n\[\+\]serving ok\nreadyz check failed\n$/)
    informers.syncAll()
    informers.of(cluster).setFreshness({ state: 'stale', since: 0, error: 'https://10.0.0.1:6443 refused' })
    const after = await call(`${url}/readyz?verbose`)
    expect(after).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^\[\+\]clusters\.cluster\.karmada\.io stale since 1970-01-01T00:00:00Z\n/),
    })
    expect(after.text).toMatch(/\nreadyz check passed\n$/)
    expect(after.text).not.toContain('10.0.0.1')
  })

  test('/readyz turns away before the first objects exist and once the process shuts down, /healthz does not', async () => {
    let cause: 'creating the first objects' | 'shutting down' | undefined = 'creating the first objects'
    const { url, informers } = await startBff({ unreadyBecause: () => cause })
    informers.syncAll()
    expect(await call(`${url}/readyz`)).toMatchObject({ status: 503, text: 'creating the first objects' })
    cause = undefined
    expect((await call(`${url}/readyz`)).status).toBe(200)
    cause = 'shutting down'
    expect(await call(`${url}/readyz`)).toMatchObject({ status: 503, text: 'shutting down' })
    expect((await call(`${url}/readyz?verbose`)).text).toContain('[-]serving shutting down')
    expect((await call(`${url}/healthz`)).status).toBe(200)
  })

  test('/metrics is left to others when there are none', async () => {
    const { url } = await startBff()
    expect((await call(`${url}/metrics`)).status).toBe(418)
  })
})

describe('requests that are not ours', () => {
  test.each(['/', '/fleet', '/apis', '/_next/static/a.js'])('%s is left to others', async (path) => {
    const { url } = await startBff()
    expect((await call(url + path)).status).toBe(418)
  })
})

describe('a refusal', () => {
  const plan = (more: CallOptions = {}): CallOptions => ({ body: { targets: [web] }, ...more })
  test.each<[string, string, CallOptions, number, string, string | undefined]>([
    ['an unknown path', '/api/nothing', {}, 404, 'NotFound', undefined],
    ['a wrong method', PLANS, {}, 405, 'MethodNotAllowed', undefined],
    ['a foreign host name', PLANS, plan({ headers: { host: 'evil.example' } }), 403, 'Foreign', undefined],
    [
      'a foreign host name on a path that does not exist',
      '/api/nothing',
      { headers: { host: 'evil.example' } },
      403,
      'Foreign',
      undefined,
    ],
    ['a foreign origin', PLANS, plan({ headers: { origin: 'http://evil.example' } }), 403, 'Foreign', undefined],
    ['the opaque origin', PLANS, plan({ headers: { origin: 'null' } }), 403, 'Foreign', undefined],
    ['a form', PLANS, plan({ headers: { 'content-type': 'text/plain' } }), 415, 'UnsupportedMediaType', undefined],
    [
      'a body that is packed',
      PLANS,
      plan({ headers: { 'content-encoding': 'gzip' } }),
      415,
      'UnsupportedMediaType',
      undefined,
    ],
    ['a body that is no JSON', PLANS, { body: '{' }, 400, 'BadRequest', undefined],
    ['a body of the wrong shape', PLANS, { body: [] }, 400, 'Invalid', undefined],
    ['no targets', PLANS, { body: { targets: [] } }, 400, 'Invalid', 'targets'],
    [
      'a target without name',
      PLANS,
      { body: { targets: [web, { ...web, name: '' }] } },
      400,
      'Invalid',
      'targets[1].name',
    ],
    ['an unknown field', PLANS, { body: { targets: [web], force: true } }, 400, 'Invalid', undefined],
    ['a rebalance without plan', REBALANCERS, plan(), 400, 'Invalid', 'base'],
    [
      'a negative time to live',
      REBALANCERS,
      { body: { targets: [web], base: 'x', ttlSecondsAfterFinished: -1 } },
      400,
      'Invalid',
      'ttlSecondsAfterFinished',
    ],
    ['a huge body', PLANS, { body: ' '.repeat(1024 * 1024 + 1) }, 413, 'RequestEntityTooLarge', undefined],
  ])('meets %s', async (_, path, options, ...[code, reason, field]) => {
    const { url } = await startSynced()
    const { status, json } = await call(url + path, options)
    expect(status).toBe(code)
    expect(json).toEqual({
      type: `/api-reference#problem-${reason.toLowerCase()}`,
      title: expect.stringMatching(/.+/),
      status: code,
      reason,
      detail: expect.stringMatching(/.+/),
      instance: expect.stringMatching(/^urn:request:.{8,}/),
      ...(field && { field }),
    })
  })

  test.each(['localhost', '127.0.0.1', '[::1]'])('does not meet %s with its own origin', async (name) => {
    const { url } = await startSynced()
    const host = `${name}:${new URL(url).port}`
    const { status } = await call(url + PLANS, plan({ headers: { host, origin: `http://${host}` } }))
    expect(status).toBe(200)
  })

  test('does not meet a host name that was allowed', async () => {
    const { url } = await startBff({ allowedHosts: ['Fleet.example:8443'] })
    expect((await call(`${url}/api/nothing`, { headers: { host: 'fleet.example' } })).status).toBe(404)
  })

  test('says to wait before the caches are synced, and that they are stale', async () => {
    const { url, informers } = await startBff()
    expect(await call(url + PLANS, plan())).toMatchObject({ status: 503, json: { reason: 'NotSynced' } })
    informers.syncAll()
    informers.of(cluster).setFreshness({ state: 'stale', since: 0, error: 'gone' })
    expect(await call(url + PLANS, plan())).toMatchObject({ status: 503, json: { reason: 'Stale' } })
  })

  test('meets a list before the caches are complete, for what is missing must not look as if it were not there', async () => {
    const { url, informers } = await startBff()
    informers.of(cluster).put(sampleCluster('m1'))
    expect(await call(`${url}/api/v1/clusters`)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { reason: 'NotSynced' },
    })
    informers.syncAll()
    expect(await call(`${url}/api/v1/clusters`)).toMatchObject({ status: 200, json: { items: [{ id: 'm1' }] } })
  })

  test('does not apply to a list of the last known state, which shows its age', async () => {
    const { url, informers } = await startSynced()
    informers.of(cluster).setFreshness({ state: 'stale', since: Date.UTC(2026, 10, 21, 9), error: 'gone' })
    for (const path of ['clusters', 'clusters/m1']) {
      expect(await call(`${url}/api/v1/${path}`)).toMatchObject({
        status: 200,
        headers: { 'evenkeel-stale-since': '2026-11-21T09:00:00Z' },
      })
    }
    expect((await call(`${url}/api/v1/clusters/m1`)).headers.etag).toMatch(/^".+"$/)
  })

  test('reports that the API server does not respond, and that nothing was changed', async () => {
    const { url } = await startSynced()
    const { base } = (await call(url + PLANS, plan())).json as RebalancePlanView
    const { status, json } = await call(url + REBALANCERS, { body: { targets: [web], base } })
    expect(status).toBe(503)
    expect(json).toMatchObject({
      reason: 'Unreachable',
      changed: 'nothing',
      detail: expect.stringContaining('Nothing was changed'),
    })
  })
})
