/** Webhooks that fail, are not trusted, or think while others write. */
import { beforeEach, describe, expect, it } from 'vitest'
import { selfSigned } from '../tls/certificates'
import {
  configMap,
  configure,
  everyMap,
  hook,
  MAPS,
  message,
  open,
  server,
  startAnewForEachTest,
  webhook,
} from './testing/webhook-setting'
import { patching } from './testing/webhook-server'

startAnewForEachTest()

describe('a webhook that cannot be asked', () => {
  const down = 'http://127.0.0.1:1/review'

  it('refuses the write when its policy is Fail, and says why', async () => {
    await configure('Validating', [webhook({ url: down })])
    const { status, body } = await server.send('POST', MAPS, configMap('x'))
    const text =
      'failed calling webhook "a.hooks.test": failed to call webhook: '
      + 'Post "http://127.0.0.1:1/review?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused'
    expect(status).toBe(500)
    expect(body).toMatchObject({
      reason: 'InternalError',
      message: `Internal error occurred: ${text}`,
      details: { causes: [{ message: text }] },
    })
  })

  it('is left out when its policy is Ignore', async () => {
    await configure('Mutating', [webhook({ url: down, failurePolicy: 'Ignore' }), webhook({ name: 'b.hooks.test' })])
    hook.decide(() => patching({ op: 'add', path: '/data/b', value: 'done' }))
    const { status, body } = await server.send('POST', MAPS, configMap('x'))
    expect([status, body.data]).toEqual([201, { k: 'v', b: 'done' }])
  })

  it('by its deadline is given up', async () => {
    await configure('Validating', [webhook({ timeoutSeconds: 2 })])
    const arrived = Promise.withResolvers<void>()
    hook.decide(() => new Promise(() => arrived.resolve()))
    const answer = server.send('POST', MAPS, configMap('slow'))
    await arrived.promise
    server.clock.advance(2000)
    expect(message(await answer)).toBe(
      'Internal error occurred: failed calling webhook "a.hooks.test": failed to call webhook: '
        + `Post "${hook.url}?timeout=2s": context deadline exceeded`,
    )
    expect(server.clock.timers).toBeLessThan(10)
  })

  it('in an older form of reviews is understood too', async () => {
    await configure('Mutating', [webhook({ admissionReviewVersions: ['v9', 'v1beta1', 'v1'] })])
    const patch = Buffer.from('[{"op":"add","path":"/data/old","value":"form"}]').toString('base64')
    hook.decide(({ uid }) => ({ raw: JSON.stringify({ response: { uid, allowed: true, patch } }) }))
    const { body } = await server.send('POST', MAPS, configMap('x'))
    expect(body.data).toEqual({ k: 'v', old: 'form' })
  })

  it.each([
    ['no JSON', { raw: 'hello' }, "failed to call webhook: Post .*: couldn't get version/kind; json parse error: "],
    ['an error', { raw: 'boom', status: 500 }, 'an error on the server \\("boom"\\) has prevented the request from'],
    ['not found', { raw: '', status: 404 }, 'the server could not find the requested resource'],
    ['nothing', { raw: '{}' }, 'received invalid webhook response: webhook response was absent'],
    ['another uid', { allowed: true, uid: 'x' }, 'invalid webhook response: expected response.uid="[^"]+", got "x"'],
    ['a patch without type', { allowed: true, patch: 'W10=' }, 'returned response.patch but not response.patchType'],
    ['an unknown patch', { allowed: true, patch: 'W10=', patchType: 'X' }, 'unsupported patch type "X"'],
  ])('because it answers %s', async (_what, answer, text) => {
    await configure('Mutating', [webhook()])
    hook.decide(() => answer)
    const { status, body } = await server.send('POST', MAPS, configMap('x'))
    expect(status).toBe(500)
    expect(body.message).toMatch(new RegExp(text))
  })

  it('may not patch when it validates', async () => {
    await configure('Validating', [webhook()])
    hook.decide(() => patching({ op: 'add', path: '/data/x', value: '1' }))
    expect(message(await server.send('POST', MAPS, configMap('x')))).toContain(
      'received invalid webhook response: validating webhook may not return response.patch',
    )
  })
})

describe('TLS', async () => {
  const hosts = ['127.0.0.1', 'hook.default.svc']
  const pair = await selfSigned({ hosts, now: Date.now() })
  const caBundle = Buffer.from(pair.cert).toString('base64')

  it('is trusted when the bundle vouches for it, and not otherwise', async () => {
    const secure = await open(undefined, pair)
    await configure('Validating', [webhook({ clientConfig: { url: secure.url, caBundle } })])
    expect((await server.send('POST', MAPS, configMap('a'))).status).toBe(201)
    await configure('Validating', [webhook({ url: secure.url })], 'without')
    expect(message(await server.send('POST', MAPS, configMap('b')))).toContain(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    )
  })

  it('leads to a Service that names a host, under the name of the Service', async () => {
    const secure = await open(undefined, pair)
    const service = { namespace: 'default', name: 'hook', port: secure.port, path: '/review' }
    await configure('Validating', [webhook({ clientConfig: { service, caBundle } })])
    expect(message(await server.send('POST', MAPS, configMap('a')))).toContain(
      `Post "https://hook.default.svc:${secure.port}/review?timeout=10s": service "hook" not found`,
    )
    await server.send('POST', '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: '127.0.0.1' },
    })
    expect((await server.send('POST', MAPS, configMap('a'))).status).toBe(201)
    expect(secure.seen).toHaveLength(1)
  })
})

describe('while a webhook thinks', () => {
  beforeEach(async () => {
    await server.send('POST', MAPS, configMap('shared', { a: '0' }))
    await configure('Mutating', [webhook({ rules: [{ ...everyMap, operations: ['UPDATE'] }] })])
  })

  /** The first review waits until another client has changed the object; the review of that change passes. */
  function meanwhile(change: () => Promise<unknown>): void {
    let first = true
    hook.decide(async () => {
      if (!first) return { allowed: true }
      first = false
      await change()
      return { allowed: true }
    })
  }

  it('another patch may be first: the object has both, and the webhook sees the later state', async () => {
    meanwhile(() => server.send('PATCH', `${MAPS}/shared`, { data: { b: '2' } }))
    const { status, body } = await server.send('PATCH', `${MAPS}/shared`, { data: { a: '1' } })
    expect([status, body.data]).toEqual([200, { a: '1', b: '2' }])
    expect(hook.seen.at(-1)?.object.data).toEqual({ a: '1', b: '2' })
  })

  it('a change of a stated version meets 409 when that version is gone', async () => {
    const { body } = await server.send('GET', `${MAPS}/shared`)
    meanwhile(() => server.send('PATCH', `${MAPS}/shared`, { data: { b: '2' } }))
    const { status } = await server.send('PUT', `${MAPS}/shared`, { ...body, data: { a: '1' } })
    expect(status).toBe(409)
  })

  it('the object may go: 404', async () => {
    meanwhile(() => server.send('DELETE', `${MAPS}/shared`))
    expect((await server.send('PATCH', `${MAPS}/shared`, { data: { a: '1' } })).status).toBe(404)
  })

  it('a writer that is always late is told so after five attempts', async () => {
    let count = 0
    hook.decide(async ({ object }) => {
      const { late } = object.data as Record<string, string>
      if (late) await server.send('PUT', `${MAPS}/shared`, configMap('shared', { count: String(++count) }))
      return { allowed: true }
    })
    const { status, body } = await server.send('PATCH', `${MAPS}/shared`, { data: { late: 'yes' } })
    expect([status, body.reason, count]).toEqual([409, 'Conflict', 5])
  })

  it('an object of the same name may be created: 409 AlreadyExists', async () => {
    await configure('Validating', [webhook({ rules: [{ ...everyMap, operations: ['CREATE'] }] })], 'create')
    let inner = 0
    hook.decide(async () => {
      if (inner++ === 0) expect((await server.send('POST', MAPS, configMap('twin'))).status).toBe(201)
      return { allowed: true }
    })
    const { status, body } = await server.send('POST', MAPS, configMap('twin'))
    expect([status, body.reason]).toEqual([409, 'AlreadyExists'])
  })
})
