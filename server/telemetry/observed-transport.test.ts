import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { configMap } from '@/lib/kube/kinds/config-map'
import { createHttpTransport } from '@/server/kube/http-transport'
import { createInformers } from '@/server/kube/informers'
import { clientOver } from '@/server/kube/rest-client'
import { watch } from '@/server/runtime/controller'
import { systemClock } from '@/server/runtime/system-clock'
import { type Env, startEnv } from '@/server/testing/start-env'
import { currentContext } from './context'
import { createMetrics, type Metrics } from './metrics'
import { observedTransport, tracedConnection } from './observed-transport'
import { noSpans, type OpenSpan, type SpanDetails, type Spans } from './spans'

let env: Env
let metrics: Metrics
beforeEach(async () => {
  env = await startEnv()
  metrics = createMetrics()
})
afterEach(() => env.close())

/** Spans that are only recorded: name, path and attributes. */
function noted() {
  const seen: { name: string; path: unknown; failed?: string }[] = []
  const spans: Spans = {
    ...noSpans,
    traceparent: () => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    within: <T>({ name, attributes }: SpanDetails, act: (span: OpenSpan) => Promise<T>): Promise<T> => {
      const entry: (typeof seen)[number] = { name, path: attributes?.['url.path'] }
      seen.push(entry)
      return act({
        rename: () => undefined,
        set: () => undefined,
        fail: (message) => {
          entry.failed = message
        },
      })
    },
  }
  return { seen, spans }
}

test('requests are counted by method and code and traced without their query', async () => {
  const { seen, spans } = noted()
  const client = clientOver(
    observedTransport(createHttpTransport({ url: env.url, token: env.token }), { ...metrics, spans }),
  )
  onTestFinished(() => client.close())
  await client.list(configMap, { namespace: 'default', labelSelector: 'who=secret-selector' })
  await expect(client.get(configMap, { namespace: 'default', name: 'missing' })).rejects.toThrow()
  const { text } = await metrics.expose()
  expect(text).toContain('evenkeel_apiserver_request_duration_seconds_count{method="GET",code="200"} 1')
  expect(text).toContain('evenkeel_apiserver_request_duration_seconds_count{method="GET",code="404"} 1')
  expect(seen).toEqual([
    { name: 'GET API server', path: '/api/v1/namespaces/default/configmaps' },
    { name: 'GET API server', path: '/api/v1/namespaces/default/configmaps/missing', failed: 'HTTP 404' },
  ])
})

test('a request without an answer counts as code 0', async () => {
  const client = clientOver(
    observedTransport(createHttpTransport({ url: 'http://127.0.0.1:9' }), { ...metrics, spans: noSpans }),
  )
  onTestFinished(() => client.close())
  await expect(client.list(configMap)).rejects.toThrow()
  expect((await metrics.expose()).text).toContain(
    'evenkeel_apiserver_request_duration_seconds_count{method="GET",code="0"} 1',
  )
})

test('callers of answers that arrive together continue in turn', async () => {
  const waiting: (() => void)[] = []
  const turns = { next: () => new Promise<void>((resolve) => waiting.push(resolve)) }
  const client = clientOver(
    observedTransport(createHttpTransport({ url: env.url, token: env.token }), { ...metrics, spans: noSpans, turns }),
  )
  onTestFinished(() => client.close())
  const done: string[] = []
  const ask = async (name: string): Promise<void> => {
    await client.list(configMap, { namespace: name })
    done.push(name)
  }
  const asked = [ask('a'), ask('b')]
  await expect.poll(() => waiting.length).toBe(2)
  expect(done).toEqual([])
  for (const goOn of waiting) goOn()
  await Promise.all(asked)
  expect(done).toHaveLength(2)
})

test('requests tell the API server which trace they belong to, beside credentials of their own', async () => {
  const headers: NodeJS.Dict<string | string[]>[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers)
    response.setHeader('content-type', 'application/json').end('{"metadata":{},"items":[]}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const connection = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refresh: () => Promise.resolve({ headers: { authorization: 'Bearer fresh' } }),
  }
  for (const spans of [noted().spans, noSpans]) {
    const client = clientOver(createHttpTransport(tracedConnection(connection, spans)))
    await client.list(configMap)
    await client.close()
  }
  expect(headers).toEqual([
    expect.objectContaining({ traceparent: noted().spans.traceparent(), authorization: 'Bearer fresh' }),
    expect.not.objectContaining({ traceparent: expect.anything() }),
  ])
})

test('caches tell how old their newest event is and whether they follow', async () => {
  const informers = createInformers({
    client: env.client,
    clock: systemClock,
    random: Math.random,
    onError: (error) => {
      throw error
    },
    metrics,
  })
  onTestFinished(() => informers.stop())
  await informers.of(configMap).whenSynced()
  const { text } = await metrics.expose()
  expect(text).toContain('evenkeel_watch_live{resource="configmaps"} 1')
  expect(text).toMatch(/^evenkeel_watch_last_event_age_seconds\{resource="configmaps"\} 0\.\d+/m)
  expect(text).toMatch(/^evenkeel_watch_events_total\{resource="configmaps"\} [1-9]/m)
})

test('each pass of a loop has an id of its own, everywhere beneath it', async () => {
  const ids: (string | undefined)[] = []
  await env.run({
    name: 'noting',
    watches: [
      watch({
        kind: configMap,
        relevant: (change) => change.type === 'added' && change.object.metadata.namespace === 'default',
      }),
    ],
    reconcile: async () => {
      await env.client.list(configMap)
      ids.push(currentContext().reconcileId)
    },
  })
  for (const name of ['a', 'b']) {
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
    })
  }
  await env.eventually(() => expect(ids).toHaveLength(2))
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)])
  expect(new Set(ids).size).toBe(2)
  expect(currentContext()).toEqual({})
})
