import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { type ApiServer, createMemoryStore, startApiServer } from './index'

let server: ApiServer | undefined
afterEach(() => server?.close())

test('each request is told of with its user, when it begins and after its body was read', async () => {
  const told: object[] = []
  server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: createFakeClock(),
    uid: randomUUID,
    random: () => 0,
    tokens: [{ token: 't', user: 'root', groups: ['system:masters'] }],
    onWork: (work) => void told.push(work),
  })
  const path = '/api/v1/namespaces/default/configmaps'
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
  await fetch(server.url + path, { method: 'POST', headers, body })
  await fetch(server.url + path, { headers: { ...headers, 'impersonate-user': 'alice' } })
  const { call } = server.local({ caller: { user: 'loop', groups: ['system:masters'] } })
  await call({ method: 'GET', path: '/api/v1/nodes', userAgent: 'test' })
  expect(told).toEqual([
    { method: 'POST', path, user: 'root' },
    { method: 'POST', path, user: 'root' },
    { method: 'GET', path, user: 'alice' },
    { method: 'GET', path: '/api/v1/nodes', user: 'loop' },
  ])
})
