import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
afterEach(() => server.close())

const MAPS = '/api/v1/namespaces/default/configmaps'
const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'map-' } }
/** The same five letters that many times, then others. */
function repeating(times: number): () => number {
  let draws = 0
  return () => (draws++ < 5 * times ? 0 : 0.5)
}

test('a made-up name that is taken is made up anew', async () => {
  let draw = (): number => 0.9
  server = await startTestServer({ random: () => draw() })
  draw = repeating(2)
  const first = await server.send('POST', MAPS, nameless)
  const second = await server.send('POST', MAPS, nameless)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.metadata.name).not.toBe(first.body.metadata.name)
})

test('after eight tries the writer has to try', async () => {
  server = await startTestServer({ random: () => 0 })
  const answers = [await server.send('POST', MAPS, nameless), await server.send('POST', MAPS, nameless)]
  expect(answers.map(({ status }) => status)).toEqual([201, 409])
})
