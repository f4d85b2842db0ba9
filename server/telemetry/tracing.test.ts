import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { currentContext } from './context'
import { noSpans } from './spans'
import { openTracing, parseTraceparent } from './tracing'

interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code: number; message?: string }
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] }
    scopeSpans: { spans: ReceivedSpan[] }[]
  }[]
}

/** A collector that keeps what it is sent. */
async function collector(code = 200) {
  const exports: { path: string; body: Export }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        exports.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) as Export })
        response.writeHead(code, { 'content-type': 'application/json' }).end('{}')
      })
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
  const spans = (): ReceivedSpan[] =>
    exports.flatMap(({ body }) =>
      body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)),
    )
  const named = (name: string): ReceivedSpan => {
    const found = spans().find((span) => span.name === name)
    if (!found)
      throw new Error(
        `no span "${name}" among ${spans()
          .map((span) => span.name)
          .join(', ')}`,
      )
    return found
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exports, spans, named }
}

const ASKED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a collector gets spans that lie within each other, with who sent them', async () => {
  const { endpoint, exports, named } = await collector()
  const tracing = await openTracing({ endpoint, version: '1.2.3', instance: 'one' })
  let seen: string | undefined
  let header: string | undefined
  await tracing.within({ name: 'asked', kind: 'server' }, async (span) => {
    span.rename('GET /api/x')
    span.set({ 'http.response.status_code': 200 })
    await tracing.within({ name: 'ask', kind: 'client', attributes: { 'url.path': '/apis' } }, () => {
      seen = currentContext().traceId
      header = tracing.traceparent()
      return Promise.resolve()
    })
  })
  await tracing.close()
  const [outer, inner] = [named('GET /api/x'), named('ask')]
  expect(exports[0]?.path).toBe('/v1/traces')
  expect(exports[0]?.body.resourceSpans[0]?.resource.attributes).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'evenkeel' } },
      { key: 'service.instance.id', value: { stringValue: 'one' } },
    ]),
  )
  expect(inner).toMatchObject({
    traceId: outer.traceId,
    parentSpanId: outer.spanId,
    attributes: [{ key: 'url.path', value: { stringValue: '/apis' } }],
  })
  expect(outer.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  expect([outer.kind, inner.kind]).toEqual([2, 3])
  expect(seen).toBe(outer.traceId)
  expect(header).toBe(`00-${outer.traceId}-${inner.spanId}-01`)
})

test('a trace continues that of the caller, and is not recorded if the caller does not record', async () => {
  const { endpoint, named, spans } = await collector()
  const tracing = await openTracing({ endpoint, version: '1', instance: 'one' })
  await tracing.within({ name: 'mine', kind: 'server', traceparent: ASKED }, () => Promise.resolve())
  await tracing.within({ name: 'unwanted', kind: 'server', traceparent: `${ASKED.slice(0, -1)}0` }, () =>
    Promise.resolve(),
  )
  await tracing.close()
  expect(named('mine')).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' })
  expect(spans()).toHaveLength(1)
})

test('what throws is marked as failed and thrown on', async () => {
  const { endpoint, named } = await collector()
  const tracing = await openTracing({ endpoint, version: '1', instance: 'one' })
  await expect(
    tracing.within({ name: 'bad', kind: 'internal' }, () => Promise.reject(new Error('no room'))),
  ).rejects.toThrow('no room')
  await tracing.close()
  expect(named('bad').status).toEqual({ code: 2, message: 'no room' })
})

test('a collector that is away or refuses costs nothing but spans', async () => {
  const refusing = await collector(400)
  for (const endpoint of ['http://127.0.0.1:9', refusing.endpoint]) {
    const tracing = await openTracing({ endpoint, version: '1', instance: 'one' })
    expect(await tracing.within({ name: 'x', kind: 'internal' }, () => Promise.resolve('done'))).toBe('done')
    await tracing.close()
  }
})

test('parallel work does not mix', async () => {
  const { endpoint, named } = await collector()
  const tracing = await openTracing({ endpoint, version: '1', instance: 'one' })
  const work = (name: string): Promise<void> =>
    tracing.within({ name, kind: 'internal' }, async () => {
      await Promise.resolve()
      await tracing.within({ name: `${name} inner`, kind: 'internal' }, () => Promise.resolve())
    })
  await Promise.all([work('a'), work('b')])
  await tracing.close()
  for (const name of ['a', 'b']) expect(named(`${name} inner`).parentSpanId).toBe(named(name).spanId)
  expect(named('a').traceId).not.toBe(named('b').traceId)
})

test('without a collector work is done and no header is sent', async () => {
  expect(await noSpans.within({ name: 'x', kind: 'internal' }, () => Promise.resolve(1))).toBe(1)
  expect(noSpans.traceparent()).toBeUndefined()
})

test.each([
  ['the usual one', ASKED, true],
  ['a later version with more fields', `cc${ASKED.slice(2)}-what-comes`, true],
  ['spaces around it', ` ${ASKED} `, true],
  ['the forbidden version', `ff${ASKED.slice(2)}`, false],
  ['no trace', ASKED.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)), false],
  ['no parent', ASKED.replace('b7ad6b7169203331', '0'.repeat(16)), false],
  ['capitals', ASKED.toUpperCase(), false],
  ['a short one', ASKED.slice(0, -1), false],
  ['something else', 'x\r\nset-cookie: a=b', false],
  ['nothing', undefined, false],
])('of traceparent: %s', (_, header, read) => {
  expect(parseTraceparent(header) !== undefined).toBe(read)
})
