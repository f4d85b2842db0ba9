import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { currentContext, withContext } from './context'
import { createLogger } from './logger'
import { createMetrics } from './metrics'
import { REDACTED } from './redaction'

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
  log.warn({ key: 'a/b', err: new Error('no answer') }, 'reconcile failed; retrying')
  expect(text()).toMatch(/^\d\d:\d\d:\d\d WARN {2}reconcile failed; retrying: no answer key=a\/b\n$/)
})

test('text of others cannot begin a line at the terminal, move its cursor, or reverse the text', () => {
  const { stream, text } = sink()
  const log = createLogger({ destination: Object.assign(stream, { isTTY: true }) })
  const evil = 'denied\n12:00:00 WARN  all is well\u001b[2J\u009b1m\u2028\u202etxet'
  log.warn({ reason: evil, deep: { evil }, err: new Error(evil) }, evil)
  expect(text().split('\n')).toHaveLength(2)
  expect(text()).toContain('denied\\u000a12:00:00 WARN  all is well\\u001b[2J\\u009b1m\\u2028\\u202etxet')
  expect(text().trimEnd()).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
})

test('no caller makes series by inventing methods', async () => {
  const metrics = createMetrics()
  for (const method of ['PROPFIND', 'M-SEARCH', 'SOURCE', '']) metrics.httpRequest(method, 'page', 405, 0.001)
  const { text } = await metrics.expose()
  expect(text).toContain('evenkeel_http_request_duration_seconds_count{method="_OTHER",route="page",code="405"} 4')
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

test('metrics forget queues that are gone', async () => {
  const metrics = createMetrics()
  metrics.unadmitted(
    new Map([
      ['shop/line', 2],
      ['lab/line', 0],
    ]),
  )
  expect((await metrics.expose()).text).toContain('evenkeel_queue_unadmitted_bindings{queue="shop/line"} 2')
  metrics.unadmitted(new Map([['lab/line', 0]]))
  const { text } = await metrics.expose()
  expect(text).toContain('evenkeel_queue_unadmitted_bindings{queue="lab/line"} 0')
  expect(text).not.toContain('shop/line')
})

describe('the ids of the work at hand', () => {
  test('are on every line beneath, also after waiting, and on none beside', async () => {
    const { stream, text } = sink()
    const log = createLogger({ destination: stream }).child({ part: 'x' })
    await Promise.all(
      ['a', 'b'].map((requestId) =>
        withContext({ requestId }, async () => {
          await Promise.resolve()
          withContext({ reconcileId: `of ${requestId}` }, () => log.info({}, 'inside'))
        }),
      ),
    )
    log.info({}, 'outside')
    const lines = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines).toEqual([
      expect.objectContaining({ requestId: 'a', reconcileId: 'of a', part: 'x' }),
      expect.objectContaining({ requestId: 'b', reconcileId: 'of b', part: 'x' }),
      expect.not.objectContaining({ requestId: expect.anything() }),
    ])
    expect(currentContext()).toEqual({})
  })
})

describe('secrets', () => {
  const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl'
  const OPAQUE = 'q8Zr31kLmNopQrStUv'
  const SEAL = 'Fe26.2*1*aabbccdd*eeff*c2VhbGVk*1700000000000*salt*mac~2'
  const SECRETS = [TOKEN, OPAQUE, SEAL, 'hunter2secret']

  test.each<[string, object, string]>([
    ['a field of that name', { authorization: `Bearer ${OPAQUE}` }, 'x'],
    [
      'headers',
      {
        headers: { authorization: `Bearer ${OPAQUE}`, cookie: `evenkeel=${SEAL}`, 'set-cookie': [`evenkeel=${SEAL}`] },
      },
      'x',
    ],
    ['headers of a request', { request: { headers: { cookie: `a=${OPAQUE}` } } }, 'x'],
    ['tokens of a provider', { tokens: { access_token: OPAQUE, refresh_token: OPAQUE, id_token: TOKEN } }, 'x'],
    ['a token under another name', { note: TOKEN }, 'x'],
    ['JSON in a text', {}, JSON.stringify({ spec: { token: OPAQUE } })],
    ['JSON in the text of an error', { err: new Error(`refused: {"access_token": "${OPAQUE}"}`) }, 'x'],
    ['JSON in JSON', { body: JSON.stringify({ inner: JSON.stringify({ clientSecret: OPAQUE }) }) }, 'x'],
    ['the message of a line', {}, `sent Authorization: Bearer ${OPAQUE}`],
    ['the message and stack of an error', { err: new Error(`401 for "Authorization: Bearer ${OPAQUE}"`) }, 'x'],
    ['the cause of an error', { err: new Error('outer', { cause: new Error(`cookie evenkeel=${SEAL}`) }) }, 'x'],
    ['an address with parameters', { url: `/api/auth/callback?code=${OPAQUE}&state=s` }, 'x'],
    ['an address with a password', { redis: 'redis://user:hunter2secret@redis:6379' }, 'x'],
    ['a form in a text', {}, `body "client_secret=${OPAQUE}"`],
    ['basic credentials', { header: `Basic ${OPAQUE}` }, 'x'],
    ['a private key', { pem: `-----BEGIN PRIVATE KEY-----\n${OPAQUE}\n-----END PRIVATE KEY-----` }, 'x'],
  ])('are cut out of %s', (_, fields, message) => {
    for (const isTTY of [false, true]) {
      const { stream, text } = sink()
      createLogger({ destination: Object.assign(stream, { isTTY }) })
        .child({ part: 'test' })
        .error(fields, message)
      for (const secret of SECRETS) expect(text()).not.toContain(secret)
      expect(text()).toContain(REDACTED)
      if (!isTTY) expect(JSON.parse(text())).toMatchObject({ level: 'error' })
    }
  })

  test('are cut out of the fields of a child', () => {
    const { stream, text } = sink()
    createLogger({ destination: stream }).child({ token: OPAQUE }).info({}, 'x')
    expect(text()).not.toContain(OPAQUE)
  })

  test.each([
    'the token is not valid',
    'failed to read key default/token-abc',
    'http://127.0.0.1:3000/fleet?cluster=member1',
    'Basic auth is off',
  ])('are not seen in "%s"', (message) => {
    const { stream, text } = sink()
    createLogger({ destination: stream }).info({}, message)
    expect(JSON.parse(text())).toMatchObject({ msg: message })
  })
})

test('the README lists every metric with its kind and labels, and no other', async () => {
  const { registry } = createMetrics()
  const own = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('evenkeel_'))
  const labelsOf = (name: string): string => {
    const metric = registry.getSingleMetric(name) as unknown as { labelNames: readonly string[] }
    return metric.labelNames.map((label) => `\`${label}\``).join(' ')
  }
  const rows = own.map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${labelsOf(name)} | ${help} |`)
  const listed = readFileSync(new URL('./README.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `evenkeel_'))
  expect(listed.toSorted()).toEqual(rows.toSorted())
})

test('every figure of the stream, of HTTP, access, login and store becomes a sample', async () => {
  const metrics = createMetrics({ version: '1.2.3', mode: 'connected' })
  metrics.clients(2)
  metrics.subscriptions(7)
  metrics.sent('delta', 120)
  metrics.sent('delta', 30)
  metrics.stalled()
  metrics.heldBack()
  metrics.refused('origin')
  metrics.action('/api/v1/rebalancers', 'refused', 0.2)
  metrics.limited('/api/v1/plans')
  metrics.auditFailed('event')
  metrics.reviewed('rules', 'allowed', 0.01)
  metrics.reviewedUsers(3)
  metrics.login('oidc', 'failed')
  metrics.sessionRefused('revoked')
  metrics.seen('clusters.cluster.karmada.io')
  metrics.restarted('clusters.cluster.karmada.io', 'expired')
  metrics.following('clusters.cluster.karmada.io', true)
  metrics.apiServerAnswered('GET', 0, 0.3)
  metrics.messageProblem({ kind: 'missing', code: 'no.such', locale: 'zh-CN' })
  expect((await metrics.expose()).text).not.toContain('evenkeel_store_up{')
  metrics.storeReachable(false)
  metrics.predictions(9, 1)
  metrics.incidentPredictions(19, 2)
  const { text } = await metrics.expose()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      `evenkeel_build_info{version="1.2.3",mode="connected",node="${process.version}"} 1`,
      'evenkeel_live_clients 2',
      'evenkeel_live_subscriptions 7',
      'evenkeel_live_messages_total{message="delta"} 2',
      'evenkeel_live_bytes_total{message="delta"} 150',
      'evenkeel_live_stalled_total 1',
      'evenkeel_live_held_back_total 1',
      'evenkeel_live_refused_total{reason="origin"} 1',
      'evenkeel_action_duration_seconds_count{endpoint="/api/v1/rebalancers",result="refused"} 1',
      'evenkeel_rate_limited_total{route="/api/v1/plans"} 1',
      'evenkeel_audit_failures_total{sink="event"} 1',
      'evenkeel_access_review_duration_seconds_count{review="rules",result="allowed"} 1',
      'evenkeel_access_reviewed_users 3',
      'evenkeel_login_total{via="oidc",result="failed"} 1',
      'evenkeel_session_refused_total{reason="revoked"} 1',
      'evenkeel_watch_restarts_total{resource="clusters.cluster.karmada.io",why="expired"} 1',
      'evenkeel_store_up{store="shared"} 0',
      'evenkeel_plan_predicted_workloads{result="exact"} 9',
      'evenkeel_plan_predicted_workloads{result="missed"} 1',
      'evenkeel_incident_predicted_workloads{result="exact"} 19',
      'evenkeel_incident_predicted_workloads{result="missed"} 2',
      'evenkeel_message_problems_total{kind="missing",locale="zh-CN"} 1',
      'evenkeel_watch_events_total{resource="clusters.cluster.karmada.io"} 1',
      'evenkeel_watch_live{resource="clusters.cluster.karmada.io"} 1',
      'evenkeel_apiserver_request_duration_seconds_count{method="GET",code="0"} 1',
    ]),
  )
  expect(text).toMatch(/^evenkeel_watch_last_event_age_seconds\{resource="clusters\.cluster\.karmada\.io"\} 0\.\d+/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})
