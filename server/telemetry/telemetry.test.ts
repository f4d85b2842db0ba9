import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger } from './logger'
import { createMetrics } from './metrics'

function sink(): { stream: Writable & { isTTY?: boolean }; text: () => string } {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      chunks.push(chunk.toString())
      callback()
    },
  })
  return { stream, text: () => chunks.join('') }
}

test('machines get one JSON object a line, with the fields of the parts above', () => {
  const { stream, text } = sink()
  createLogger({ destination: stream }).child({ controller: 'scheduler' }).info({ key: 'a/b' }, 'started')
  expect(JSON.parse(text())).toMatchObject({ level: 'info', controller: 'scheduler', key: 'a/b', msg: 'started' })
})

test('a person at a terminal gets sentences, and only those that matter', () => {
  const { stream, text } = sink()
  const log = createLogger({ destination: Object.assign(stream, { isTTY: true }) })
  log.info({}, 'not shown')
  log.warn({ key: 'a/b', err: new Error('no answer') }, 'failed, tried again')
  expect(text()).toMatch(/^\d\d:\d\d:\d\d WARN {2}failed, tried again: no answer key=a\/b\n$/)
})

test('metrics count reconciles by how they ended', async () => {
  const metrics = createMetrics()
  metrics.reconciled('scheduler', 'success', 0.01)
  metrics.reconciled('scheduler', 'conflict', 0.01)
  metrics.queueDepth('scheduler', 3)
  metrics.httpRequest('GET', '/healthz', 200, 0.001)
  const { text, contentType } = await metrics.expose()
  expect(contentType).toContain('text/plain')
  expect(text).toContain('evenkeel_reconcile_total{controller="scheduler",outcome="success"} 1')
  expect(text).toContain('evenkeel_workqueue_depth{controller="scheduler"} 3')
  expect(text).toContain('evenkeel_http_request_duration_seconds_count{method="GET",route="/healthz",code="200"} 1')
})
