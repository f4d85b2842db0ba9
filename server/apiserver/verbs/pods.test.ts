import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
let namespace = ''
let runs = 0
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  namespace = `n${++runs}`
  await server.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
})
afterAll(() => server.close())

const pods = (rest = ''): string => `/api/v1/namespaces/${namespace}/pods${rest}`
const budgets = (rest = ''): string => `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets${rest}`

async function pod(status?: object, spec: object = {}): Promise<void> {
  const containers = [{ name: 'c', image: 'nginx' }]
  await server.send('POST', pods(), { metadata: { name: 'p', labels: { app: 'x' } }, spec: { containers, ...spec } })
  if (status) await server.send('PATCH', pods('/p/status'), { status })
}

async function budget(name: string, status?: object, spec: object = {}): Promise<void> {
  await server.send('POST', budgets(), {
    metadata: { name },
    spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
  })
  if (status) await server.send('PATCH', budgets(`/${name}/status`), { status: { observedGeneration: 1, ...status } })
}

const evict = () =>
  server.send('POST', pods('/p/eviction'), { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } })
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const NOT_READY = { phase: 'Running' }
const HELD = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }

describe('an eviction', () => {
  it.each<[string, object, object | undefined, object, number, string | undefined]>([
    ['of a ready pod that its budget can spare', READY, { ...HELD, disruptionsAllowed: 1 }, {}, 201, undefined],
    [
      'of a ready pod that is needed',
      READY,
      HELD,
      {},
      429,
      'The disruption budget b needs 1 healthy pods and has 1 currently',
    ],
    [
      'before the disruption controller has processed the budget',
      READY,
      undefined,
      {},
      429,
      'The disruption budget b is still being processed by the server.',
    ],
    ['of a pod that does not run yet', { phase: 'Pending' }, HELD, {}, 201, undefined],
    ['of a pod that is done', { phase: 'Succeeded' }, HELD, {}, 201, undefined],
    ['of a pod that is not ready, while enough others are', NOT_READY, HELD, {}, 201, undefined],
    [
      'of a pod that is not ready, while too few are',
      NOT_READY,
      { ...HELD, currentHealthy: 0 },
      {},
      429,
      'needs 1 healthy pods and has 0',
    ],
    [
      'of any pod that is not ready, where the budget says so',
      NOT_READY,
      { ...HELD, currentHealthy: 0 },
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      201,
      undefined,
    ],
  ])('%s', async (...[, status, counts, spec, code, cause]) => {
    await pod(status)
    await budget('b', counts, spec)
    const { status: answered, body } = await evict()
    expect(answered).toBe(code)
    const causes = (body.details as { causes?: { message: string }[] } | undefined)?.causes
    if (cause) expect(causes?.[0]?.message).toContain(cause)
  })

  it('takes one disruption and notes for whom', async () => {
    await pod(READY)
    await budget('b', { ...HELD, disruptionsAllowed: 2 })
    await evict()
    expect((await server.send('GET', budgets('/b'))).body.status).toMatchObject({
      disruptionsAllowed: 1,
      disruptedPods: { p: expect.any(String) as unknown },
    })
  })

  it('that is only tried takes none', async () => {
    await pod(READY)
    await budget('b', { ...HELD, disruptionsAllowed: 1 })
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
      deleteOptions: { dryRun: ['All'] },
    }
    expect((await server.send('POST', pods('/p/eviction'), body)).status).toBe(201)
    expect((await server.send('GET', budgets('/b'))).body.status).toMatchObject({ disruptionsAllowed: 1 })
  })

  it('of a pod with two budgets is refused', async () => {
    await pod(READY)
    await budget('b', HELD)
    await budget('c', HELD)
    expect((await evict()).status).toBe(500)
  })

  it('of a pod without a budget is a deletion', async () => {
    await pod(READY)
    await evict()
    expect((await server.send('GET', pods('/p'))).status).toBe(404)
  })
})

describe('the log of a pod', () => {
  const running = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'c',
        image: 'nginx',
        imageID: '',
        ready: true,
        restartCount: 2,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  }
  it.each<[string, object | undefined, object, string, number, string]>([
    ['without a node is empty', undefined, {}, '', 204, ''],
    [
      'of a container that it lacks is refused',
      undefined,
      {},
      '?container=x',
      400,
      'container x is not valid for pod p',
    ],
    ['on an unknown node is not found', running, { nodeName: 'gone' }, '', 404, 'pods "gone" not found'],
    [
      'that has not started says what it waits for',
      NOT_READY,
      { nodeName: 'node' },
      '',
      400,
      'is waiting to start: ContainerCreating',
    ],
    ['says that nothing runs in it', running, { nodeName: 'node' }, '', 200, 'no process runs in this container'],
    ['ends where it is asked to', running, { nodeName: 'node' }, '?tailLines=0', 200, ''],
    [
      'of several containers needs one to be named',
      undefined,
      {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'x' },
        ],
      },
      '',
      400,
      'choose one of: [a b]',
    ],
  ])('%s', async (...[, status, spec, query, code, text]) => {
    await server.send('POST', '/api/v1/nodes', { metadata: { name: 'node' } })
    await pod(status, spec)
    const answer = await server.send('GET', pods(`/p/log${query}`))
    expect(answer.status).toBe(code)
    const said = String(answer.body.text ?? answer.body.message)
    if (text === '') expect(said).toBe('')
    else expect(said).toContain(text)
  })
})

it('a binding beside the pods puts its pod on a node', async () => {
  await pod()
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'node' } }
  expect((await server.send('POST', `/api/v1/namespaces/${namespace}/bindings`, binding)).status).toBe(201)
  expect((await server.send('GET', pods('/p'))).body.spec).toMatchObject({ nodeName: 'node' })
})

describe('events', () => {
  const events = (group: string): string => `${group}/namespaces/${namespace}/events`
  const CORE = '/api/v1'
  const NEWER = '/apis/events.k8s.io/v1'

  async function write(): Promise<void> {
    await server.send('POST', events(NEWER), {
      metadata: { name: 'e' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'x',
      reportingInstance: 'i',
      action: 'Act',
      reason: 'R',
      type: 'Normal',
      note: 'hello',
      regarding: { kind: 'Pod', name: 'p', namespace },
    })
  }

  it('that are repeated are one event with a series, in both groups', async () => {
    await write()
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }
    const type = { 'Content-Type': 'application/strategic-merge-patch+json' }
    await server.send('PATCH', `${events(NEWER)}/e`, { series }, type)
    expect((await server.send('GET', `${events(CORE)}/e`)).body).toMatchObject({
      series,
      message: 'hello',
      involvedObject: { name: 'p' },
    })
    expect((await server.send('GET', `${events(NEWER)}/e`)).body).toMatchObject({
      series,
      note: 'hello',
      regarding: { name: 'p' },
    })
  })

  it.each([
    [CORE, 'involvedObject.name=p,type=Normal', 200],
    [NEWER, 'regarding.name=p,reportingController=x', 200],
    [CORE, 'regarding.name=p', 400],
    [NEWER, 'involvedObject.name=p', 400],
  ])('of %s are selected by their own fields: %s', async (group, selector, code) => {
    await write()
    const { status, body } = await server.send('GET', `${events(group)}?fieldSelector=${encodeURIComponent(selector)}`)
    expect(status).toBe(code)
    if (code === 200) expect(body.items).toHaveLength(1)
  })

  it.each([CORE, NEWER])('look the same in the table of %s', async (group) => {
    await write()
    const { body } = await server.send('GET', events(group), undefined, {
      Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    })
    const [row] = body.rows as { cells: unknown[] }[]
    expect(row?.cells).toEqual(expect.arrayContaining(['Normal', 'R', 'pod/p', 'hello', 'x, i']))
  })
})

describe('reads with options that make no sense', () => {
  const maps = (query: string): string => `/api/v1/namespaces/${namespace}/configmaps${query}`
  it.each([
    ['?resourceVersion=abc', 400, 'invalid resource version: resourceVersion: Invalid value: "abc"'],
    ['?watch=1&resourceVersion=abc', 500, 'resourceVersion: Invalid value: "abc"'],
    ['/x?resourceVersion=abc', 500, 'resourceVersion: Invalid value: "abc"'],
    ['?limit=-1', 200, undefined],
    ['?watch=1&sendInitialEvents=true', 422, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
    ['?watch=1&resourceVersionMatch=Exact', 422, 'Unsupported value: "Exact": supported values: "NotOlderThan"'],
    ['?watch=1&sendInitialEvents=true&resourceVersion=abc&fieldSelector=a=b', 422, 'sendInitialEvents requires'],
    ['?watch=1&sendInitialEvents=true&labelSelector=a=(', 400, 'unable to parse requirement'],
    ['?sendInitialEvents=true', 422, 'sendInitialEvents is forbidden for list'],
  ])('%s', async (query, code, text) => {
    const { status, body } = await server.send('GET', maps(query))
    expect(status).toBe(code)
    if (text) expect(body.message).toContain(text)
  })
})

describe('media types', () => {
  const TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
  it.each([
    ['GET', '/x', 406, `Available representations: ${TYPES}`],
    ['GET', '', 406, `Available representations: ${TYPES}, ${STREAMS}`],
    ['POST', '', 406, `Available representations: ${TYPES}`],
    ['PATCH', '/x', 415, '415: Unsupported Media Type'],
  ])('%s of configmaps%s in none that there is', async (method, name, code, text) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps${name}`
    const given = { Accept: 'nope', ...(method === 'PATCH' && { 'Content-Type': 'application/yaml' }) }
    const { status, body } = await server.send(method, path, method === 'GET' ? undefined : {}, given)
    expect([status, String(body.message).endsWith(text)]).toEqual([code, true])
  })
})
