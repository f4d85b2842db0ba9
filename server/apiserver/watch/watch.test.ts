import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
let count = 0
let path = ''

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A namespace of its own for every test. */
async function freshNamespace(): Promise<string> {
  const name = `n${++count}`
  const { body } = await server.send('POST', '/api/v1/namespaces', { metadata: { name } })
  path = `/api/v1/namespaces/${name}/configmaps`
  return String(body.metadata.resourceVersion)
}

const put = async (name: string, labels: Record<string, string> = {}): Promise<string> => {
  const { body } = await server.send('POST', path, { metadata: { name, labels }, data: { k: 'v' } })
  return String(body.metadata.resourceVersion)
}

describe('a watch', () => {
  test('answers a forgotten version with an ERROR event of code 410', async () => {
    const since = await freshNamespace()
    await put('a')
    server.store.compact(server.store.revision)
    const watch = await server.watch(`${path}?watch=1&resourceVersion=${since}`)
    expect(await watch.next(1)).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ])
    await watch.ended()
  })

  test.each(['', '&resourceVersion=0'])('without initial events begins now (%j)', async (version) => {
    await freshNamespace()
    await put('before')
    const query = `watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan${version}`
    const watch = await server.watch(`${path}?${query}`)
    await put('after')
    expect(await watch.next(1)).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'after' } } }])
    watch.stop()
  })

  test('sends bookmarks and ends at its timeout', async () => {
    await freshNamespace()
    const watch = await server.watch(`${path}?watch=1&timeoutSeconds=100&allowWatchBookmarks=true`)
    server.clock.advance(61_000)
    expect(await watch.next(1)).toMatchObject([
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(server.store.revision) } } },
    ])
    server.clock.advance(40_000)
    await watch.ended()
  })

  test('keeps objects that were written; without one, only their text is kept', async () => {
    await freshNamespace()
    const location = { keyspace: '', resource: 'configmaps' }
    const valueOf = (name: string) => server.store.get({ ...location, key: `${path.split('/').at(-2)}/${name}` })?.value
    await put('alone')
    const alone = valueOf('alone')
    await put('next')
    expect(valueOf('alone')).toEqual(alone)
    expect(valueOf('alone')).not.toBe(alone)
    const watch = await server.watch(`${path}?watch=1`)
    await put('watched')
    const watched = valueOf('watched')
    await put('last')
    expect(valueOf('watched')).toBe(watched)
    watch.stop()
  })

  test('shows rows of a table', async () => {
    await freshNamespace()
    const watch = await server.watch(`${path}?watch=1`, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
    await put('a')
    await put('b')
    const [first, second] = await watch.next(2)
    expect(first?.object).toMatchObject({
      kind: 'Table',
      columnDefinitions: expect.any(Array),
      rows: [{ cells: ['a', 1, '0s'] }],
    })
    expect(second?.object.columnDefinitions).toBeNull()
    watch.stop()
  })

  test('shows a bookmark as the row of an empty object', async () => {
    await freshNamespace()
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const watch = await server.watch(`${path}?${query}`, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
    const [bookmark] = await watch.next(1)
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: {
        columnDefinitions: expect.any(Array),
        rows: [{ cells: ['', 0, '<unknown>'], object: { kind: 'PartialObjectMetadata' } }],
      },
    })
    watch.stop()
  })
})

test('a version that is not reached within three seconds is answered with 504', async () => {
  await freshNamespace()
  const answer = server.send('GET', `${path}?resourceVersion=99999999`)
  const timer = setInterval(() => server.clock.advance(1000), 20)
  expect((await answer).status).toBe(504)
  clearInterval(timer)
})
