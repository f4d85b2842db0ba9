/** Clients that speak protobuf, as typed clients in Go do by default. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeObject } from './protobuf/decode'
import { encodeObject } from './protobuf/encode'
import { ADMIN_TOKEN, startTestServer, type TestServer } from './testing/start-server'

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
/** What client-go asks for. */
const ACCEPT = `${PROTOBUF},application/json`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

interface Answer {
  status: number
  type: string | null
  object: Record<string, unknown>
}

async function send(
  method: string,
  path: string,
  body?: object | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : encodeObject(body)
  const response = await fetch(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, Accept: ACCEPT, 'Content-Type': PROTOBUF, ...headers },
    ...(bytes && { body: new Uint8Array(bytes) }),
  })
  const answer = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    type,
    object: type === PROTOBUF ? decodeObject(answer) : JSON.parse(answer.toString()),
  }
}

const lease = (name: string): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace: 'default' },
  spec: { holderIdentity: 'scheduler', leaseDurationSeconds: 15, renewTime: '2026-11-22T10:00:00.012345Z' },
})
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'

describe('a client that speaks protobuf', () => {
  test('creates, reads, changes, lists and deletes', async () => {
    const created = await send('POST', LEASES, lease('karmada-scheduler'))
    expect(created).toMatchObject({ status: 201, type: PROTOBUF, object: lease('karmada-scheduler') })
    const seen = await server.send('GET', `${LEASES}/karmada-scheduler`)
    expect(seen.body.spec).toEqual({
      holderIdentity: 'scheduler',
      leaseDurationSeconds: 15,
      renewTime: '2026-11-22T10:00:00.012345Z',
    })
    const renewed = { ...created.object, spec: { holderIdentity: 'other', leaseTransitions: 0 } }
    expect((await send('PUT', `${LEASES}/karmada-scheduler`, renewed)).object.spec).toEqual({
      holderIdentity: 'other',
      leaseTransitions: 0,
    })
    const { object: list } = await send('GET', LEASES)
    expect(list).toMatchObject({
      kind: 'LeaseList',
      apiVersion: 'coordination.k8s.io/v1',
      items: [{ metadata: { name: 'karmada-scheduler' } }],
    })
    const options = { apiVersion: 'coordination.k8s.io/v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } }
    expect(await send('DELETE', `${LEASES}/karmada-scheduler`, options)).toMatchObject({
      status: 409,
      type: PROTOBUF,
      object: { kind: 'Status', reason: 'Conflict' },
    })
    const ours = { apiVersion: 'coordination.k8s.io/v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }
    expect(await send('DELETE', `${LEASES}/karmada-scheduler`, ours)).toMatchObject({
      status: 200,
      object: { kind: 'Status', status: 'Success' },
    })
  })

  test('watches in frames, with bookmarks and every change', async () => {
    const abort = new AbortController()
    const response = await fetch(
      `${server.url}${LEASES}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      { headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, Accept: ACCEPT }, signal: abort.signal },
    )
    expect(response.headers.get('content-type')).toBe(`${PROTOBUF};stream=watch`)
    const frames = framesOf(response)
    expect(await next(frames)).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Lease', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    })
    await send('POST', LEASES, lease('watched'))
    expect(await next(frames)).toMatchObject({ type: 'ADDED', object: lease('watched') })
    await send('DELETE', `${LEASES}/watched`)
    expect(await next(frames)).toMatchObject({
      type: 'DELETED',
      object: { kind: 'Lease', metadata: { name: 'watched' } },
    })
    abort.abort()
  })

  test('reads metadata alone, of custom kinds too', async () => {
    const { object, type } = await send('GET', '/api/v1/namespaces', undefined, {
      Accept: `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
    })
    expect(type).toBe(PROTOBUF)
    expect(object).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: expect.arrayContaining([{ metadata: expect.objectContaining({ name: 'default' }) }]),
    })
  })

  test('gets JSON of custom kinds, which have no messages', async () => {
    const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies'
    expect(await send('GET', policies)).toMatchObject({ status: 200, type: 'application/json' })
    expect((await send('GET', policies, undefined, { Accept: PROTOBUF })).status).toBe(406)
    expect(await send('POST', policies, Buffer.from('k8s\0'))).toMatchObject({
      status: 415,
      object: {
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
      },
    })
  })

  test.each([
    ['nothing', Buffer.alloc(0), /unrecognized \(must be of type Lease\): empty data \(<empty>\)$/],
    ['text', Buffer.from('{"kind":"Lease"}'), /expected prefix \[107 56 115 0\] \(\{"kind":"Lease"\}\)$/],
    ['an object that is cut off', encodeObject(lease('cut'))!.subarray(0, 60), /unexpected EOF/],
    [
      'another kind',
      encodeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } })!,
      /ConfigMap in version "v1" cannot be handled as a Lease/,
    ],
    ['a kind that there is not', wrapped('v1', 'Nothing'), /no kind "Nothing" is registered for version "v1"/],
  ])('is told why %s cannot be read', async (_what, body, message) => {
    const { status, object } = await send('POST', LEASES, body)
    expect(status).toBe(400)
    expect(object).toMatchObject({ kind: 'Status', reason: 'BadRequest', message: expect.stringMatching(message) })
  })

  test('is refused 4 MiB', async () => {
    const { status } = await send('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big' },
      data: { text: 'x'.repeat(4 * 1024 * 1024) },
    })
    expect(status).toBe(413)
  })
})

function wrapped(apiVersion: string, kind: string): Buffer {
  const text = (number: number, value: string): Buffer =>
    Buffer.concat([Buffer.from([number * 8 + 2, value.length]), Buffer.from(value)])
  const identity = Buffer.concat([text(1, apiVersion), text(2, kind)])
  return Buffer.concat([Buffer.from('k8s\0'), Buffer.from([10, identity.length]), identity])
}

/** The frames of a stream, without their lengths. */
async function* framesOf(response: Response): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0)
  for await (const chunk of response.body!) {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const end = 4 + pending.readUInt32BE(0)
      yield pending.subarray(4, end)
      pending = pending.subarray(end)
    }
  }
}

async function next(frames: AsyncGenerator<Buffer>): Promise<{ type: string; object: unknown }> {
  const { value } = await frames.next()
  const frame = value as Buffer
  const type = frame.toString('utf8', 2, 2 + frame[1]!)
  return { type, object: decodeObject(frame.subarray(frame.indexOf('k8s\0'))) }
}
