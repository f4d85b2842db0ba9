import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/start-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['/livez', 200, 'ok'],
  ['/readyz/ping', 200, 'ok'],
  ['/readyz/etcd?verbose', 200, 'ok'],
  ['/healthz?verbose', 200, '[+]ping ok\n[+]log ok\n[+]etcd ok\nhealthz check passed\n'],
  ['/livez?verbose&exclude=ping', 200, '[+]ping excluded: ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n'],
  ['/readyz/nothing', 404, '404 page not found\n'],
])('%s is answered with %i', async (path, status, text) => {
  const answer = await server.send('GET', path)
  expect([answer.status, answer.body.text]).toEqual([status, text])
})

test('the root names groups, versions and checks', async () => {
  const { paths } = (await server.send('GET', '/')).body as unknown as { paths: string[] }
  expect(paths).toEqual(
    expect.arrayContaining(['/api/v1', '/apis/', '/apis/apps', '/apis/apps/v1', '/livez/ping', '/version']),
  )
  expect(paths).toEqual(paths.toSorted())
})
