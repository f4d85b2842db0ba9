import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWebhook } from '../admission/testing/webhook-server'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

async function create(name: string, finalizers: string[] = []): Promise<void> {
  const spec = { finalizers }
  await server.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec })
}

async function finalizersOf(name: string): Promise<unknown> {
  const { status, body } = await server.send('GET', `/api/v1/namespaces/${name}`)
  return status === 404 ? 'gone' : (body.spec as { finalizers?: string[] }).finalizers
}

const DEADLINE_MS = 10_000

/** Looks again and again until it is so. */
async function until(look: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  let seen = await look()
  while (JSON.stringify(seen) !== JSON.stringify(wanted) && Date.now() < deadline) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    seen = await look()
  }
  expect(seen).toEqual(wanted)
}

describe('a namespace that is deleted', () => {
  it('is removed at once when no client put a finalizer on it', async () => {
    await create('free')
    await server.send('DELETE', '/api/v1/namespaces/free')
    await until(() => finalizersOf('free'), 'gone')
  })

  it('keeps the finalizer of the server for five seconds when a client put another one on it', async () => {
    await create('held', ['ex.test/hold'])
    await server.send('DELETE', '/api/v1/namespaces/held')
    server.clock.advance(4999)
    expect(await finalizersOf('held')).toEqual(['ex.test/hold', 'kubernetes'])
    server.clock.advance(1)
    await until(() => finalizersOf('held'), ['ex.test/hold'])
  })

  it('as upstream, keeps its contents for five seconds', async () => {
    await server.close()
    server = await startTestServer({ upstream: true })
    const contents = async () => (await server.send('GET', '/api/v1/namespaces/full/configmaps/kept')).status
    await create('full')
    await server.send('POST', '/api/v1/namespaces/full/configmaps', { metadata: { name: 'kept' } })
    await server.send('DELETE', '/api/v1/namespaces/full')
    server.clock.advance(4999)
    expect(await contents()).toBe(200)
    server.clock.advance(1)
    await until(() => finalizersOf('full'), 'gone')
    expect(await contents()).toBe(404)
  })

  it('is emptied later when a webhook does not let go of its content', async () => {
    const hook = await startWebhook(() => ({ allowed: false }))
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }]
    await server.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'keep' },
      webhooks: [
        {
          name: 'keep.hooks.test',
          clientConfig: { url: hook.url },
          rules,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    })
    await create('full')
    await server.send('POST', '/api/v1/namespaces/full/configmaps', { metadata: { name: 'kept' } })
    await server.send('DELETE', '/api/v1/namespaces/full')
    await until(async () => server.faults.length, 1)
    expect(await finalizersOf('full')).toEqual(['kubernetes'])
    expect(hook.seen[0]?.userInfo.username).toBe('system:serviceaccount:kube-system:namespace-controller')
    hook.decide(() => ({ allowed: true }))
    server.clock.advance(1000)
    await until(() => finalizersOf('full'), 'gone')
    await hook.close()
  })
})

describe('the first deletion of a namespace', () => {
  it('answers with the namespace, marked, even if nothing holds it', async () => {
    await create('bare')
    await server.send('PUT', '/api/v1/namespaces/bare/finalize', { metadata: { name: 'bare' }, spec: {} })
    const { status, body } = await server.send('DELETE', '/api/v1/namespaces/bare')
    expect([status, body]).toMatchObject([200, { kind: 'Namespace', status: { phase: 'Terminating' } }])
    await until(() => finalizersOf('bare'), 'gone')
  })

  it('keeps the finalizer of the server for five seconds when its metadata has a finalizer', async () => {
    const metadata = { name: 'marked', finalizers: ['ex.test/hold'] }
    await server.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
    await server.send('DELETE', '/api/v1/namespaces/marked')
    server.clock.advance(4999)
    expect(await finalizersOf('marked')).toEqual(['kubernetes'])
    server.clock.advance(1)
    await until(() => finalizersOf('marked'), undefined)
  })
})
