/** Operation of the process: probes, metrics, traces, and shutdown. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from './support/fixtures'
import { newDataDir, removeDataDir, startProduct } from './support/product'

test.use({ flags: ['--log-level=debug'] })

test('a new process becomes ready, counts its work and its readers, and logs ids with every request', async ({
  page,
  product,
}) => {
  await expect.poll(async () => (await fetch(`${product.url}/readyz`)).status).toBe(200)
  const verbose = await (await fetch(`${product.url}/readyz?verbose`)).text()
  expect(verbose).toContain('[+]clusters.cluster.karmada.io ok')
  expect(verbose).toMatch(/readyz check passed\n$/)
  const { headers } = await fetch(`${product.url}/api/v1/about`, { headers: { 'x-request-id': 'from-a-gateway' } })
  expect(headers.get('x-request-id')).toBe('from-a-gateway')
  const metrics = async (): Promise<string> => (await fetch(`${product.url}/metrics`)).text()
  // Ready means able to respond; the controllers start after that.
  for (const line of [
    /^evenkeel_build_info\{version="\d.*",mode="embedded",node="v\d.*"\} 1$/m,
    /^evenkeel_reconcile_total\{controller="scheduler",outcome="success"\} [1-9]/m,
    /^evenkeel_watch_last_event_age_seconds\{resource="clusters\.cluster\.karmada\.io"\} \d/m,
    /^evenkeel_watch_live\{resource="resourcebindings\.work\.karmada\.io"\} 1$/m,
    /^evenkeel_apiserver_request_duration_seconds_count\{method="PATCH",code="200"\} [1-9]/m,
    /^evenkeel_http_request_duration_seconds_count\{method="GET",route="\/readyz",code="200"\} [1-9]/m,
    /^nodejs_eventloop_lag_p99_seconds \d/m,
  ])
    await expect.poll(metrics).toMatch(line)
  // Output arrives in pieces: the last line may be incomplete.
  const lines = () =>
    product
      .output()
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await expect
    .poll(lines)
    .toContainEqual(expect.objectContaining({ requestId: 'from-a-gateway', path: '/api/v1/about', code: 200 }))

  // The stream counts its readers, their topics and the sent bytes.
  await page.goto(`${product.url}/fleet`)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  await expect.poll(metrics).toMatch(/^evenkeel_live_clients 1$/m)
  const text = await metrics()
  expect(text).toMatch(/^evenkeel_live_subscriptions [1-9]/m)
  expect(text).toMatch(/^evenkeel_live_messages_total\{message="snapshot"\} [1-9]/m)
  expect(text).toMatch(/^evenkeel_live_bytes_total\{message="snapshot"\} [1-9]\d\d/m)
  await page.close()
  await expect.poll(metrics).toMatch(/^evenkeel_live_clients 0$/m)
})

test('on SIGTERM it accepts nothing new, finishes running requests, and exits with 0', async ({ page, product }) => {
  await page.goto(`${product.url}/fleet`)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  const { hostname, port } = new URL(product.url)
  // A request during the signal: its body ends later.
  const slow = connect(Number(port), hostname)
  const body = JSON.stringify({ cluster: 'member1', cause: 'fails' })
  slow.write(
    `POST /api/v1/what-ifs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await expect.poll(async () => (await fetch(`${product.url}/healthz`)).status).toBe(200)
  process.kill(product.pid, 'SIGTERM')
  await expect.poll(() => product.output()).toContain('shutting down')
  await expect
    .poll(() =>
      fetch(`${product.url}/healthz`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    .toBe('refused')
  const answered = new Promise<string>((resolve) => {
    let text = ''
    slow
      .on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      .on('close', () => resolve(text))
  })
  slow.write(body.slice(5))
  expect(await answered).toMatch(/^HTTP\/1\.1 200 /)
  expect(await product.ended).toBe(0)
  await expect(page.locator('[data-freshness=Live]')).toBeHidden()
})

test('a second signal ends it at once', async ({ product }) => {
  const { hostname, port } = new URL(product.url)
  const held = connect(Number(port), hostname)
  held.on('error', () => undefined)
  held.write(
    `POST /api/v1/what-ifs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  )
  await expect.poll(async () => (await fetch(`${product.url}/healthz`)).status).toBe(200)
  process.kill(product.pid, 'SIGTERM')
  await expect.poll(() => product.output()).toContain('shutting down')
  let code: number | 'running' | undefined = 'running'
  void product.ended.then((ended) => (code = ended))
  // One that follows within half a second is taken for the same.
  await expect
    .poll(() => {
      if (code === 'running') process.kill(product.pid, 'SIGTERM')
      return code
    })
    .toBe(1)
  held.destroy()
})

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

test('traces go to a collector: a request, its requests to the API server, and the controllers', async () => {
  const spans: Span[] = []
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
          resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
        }
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
  })
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve)
  })
  const dataDir = newDataDir()
  const product = await startProduct({
    dataDir,
    flags: [`--otlp-endpoint=http://127.0.0.1:${(collector.address() as AddressInfo).port}`],
  })
  try {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await fetch(`${product.url}/api/v1/about`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
    const asked = () => spans.find((span) => span.traceId === traceId && span.name === 'GET /api/v1/about')
    await expect.poll(() => asked()?.parentSpanId).toBe('b7ad6b7169203331')
    await expect
      .poll(() => spans.filter((span) => span.parentSpanId === asked()?.spanId).map(({ name }) => name))
      .toContain('GET API server')
    await expect.poll(() => spans.some(({ name }) => name === 'reconcile scheduler')).toBe(true)
  } finally {
    await product.stop()
    collector.closeAllConnections()
    collector.close()
    removeDataDir(dataDir)
  }
})

/** Reports on standard error every package that is imported. */
const TELLING = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => { if (/^@?[a-z]/.test(name)) process.stderr.write('asked for ' + name + '\\n'); return next(name, context) } })`

test.describe('libraries for traces', () => {
  for (const [flags, loaded] of [
    [[], false],
    [['--otlp-endpoint=http://127.0.0.1:9'], true],
  ] as const) {
    test(`${loaded ? 'are loaded when an endpoint is given' : 'are not loaded without an endpoint'}`, async () => {
      const dataDir = newDataDir()
      const product = await startProduct({
        dataDir,
        flags: ['--no-demo', ...flags],
        env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELLING)}` },
      })
      await product.stop()
      expect(product.output()).toContain('asked for next')
      expect(product.output().includes('asked for @opentelemetry/sdk-trace')).toBe(loaded)
      removeDataDir(dataDir)
    })
  }
})
