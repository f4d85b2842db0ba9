import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type KubectlServer, startKubectlServer } from '../testing/kubectl'
import { ADMIN_TOKEN, type TestServer } from '../testing/start-server'

let running: KubectlServer
let server: TestServer
const decoder = new TextDecoder()
let runs = 0
let namespace = ''

const MEMBER = '/apis/cluster.karmada.io/v1alpha1/clusters/m/proxy'
const pods = (rest = ''): string => `${MEMBER}/api/v1/namespaces/${namespace}/pods${rest}`
const STARTED = '2026-01-01T00:00:00Z'

beforeAll(async () => {
  running = await startKubectlServer()
  ;({ server } = running)
  const annotations = { 'sim.evenkeel.io/nodes': '1' }
  await server.send('POST', '/apis/cluster.karmada.io/v1alpha1/clusters', {
    metadata: { name: 'm', annotations },
    spec: { syncMode: 'Push' },
  })
  await server.send('POST', `${MEMBER}/api/v1/nodes`, { metadata: { name: 'node' } })
})
afterAll(() => running.close())
beforeEach(async () => {
  namespace = `n${++runs}`
  await server.send('POST', `${MEMBER}/api/v1/namespaces`, { metadata: { name: namespace } })
})

const stateOf = (state: object, more: object = {}) => ({
  containerStatuses: [{ name: 'c', image: 'nginx:1', imageID: '', ready: true, restartCount: 1, state, ...more }],
})

async function startPod(status: object = stateOf({ running: { startedAt: STARTED } })): Promise<void> {
  const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'nginx:1', ports: [{ containerPort: 80 }] }] }
  await server.send('POST', pods(), { metadata: { name: 'p' }, spec })
  await server.send('PATCH', pods('/p/status'), { status: { phase: 'Running', podIP: '10.0.0.1', ...status } })
}

async function log(query = ''): Promise<string[]> {
  const { status, body } = await server.send('GET', pods(`/p/log${query}`))
  expect(status).toBe(200)
  return String(body.text).split('\n').slice(0, -1)
}

/** Reads a log that is followed. */
async function follow(query = ''): Promise<{ until(text: string): Promise<string>; rest(): Promise<string> }> {
  const response = await fetch(`${server.url}${pods(`/p/log?follow=true${query}`)}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  expect(response.headers.get('content-type')).toBe('text/plain')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let all = ''
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (value) all += decoder.decode(value, { stream: true })
    return !done
  }
  return {
    until: async (text) => {
      while (!all.includes(text) && (await read()));
      return all
    },
    rest: async () => {
      while (await read());
      return all
    },
  }
}

describe('the log of a simulated container', () => {
  it('is the same for each reader, and its tail is its end', async () => {
    await startPod()
    server.clock.advance(120_000)
    const whole = await log()
    expect(whole.length).toBeGreaterThan(40)
    expect(whole[1]).toContain('container c of image nginx:1 started on node, restarts: 1')
    expect(await log()).toEqual(whole)
    expect(await log('?tailLines=7')).toEqual(whole.slice(-7))
    expect(await log('?tailLines=100000')).toEqual(whole)
    expect((await log('?limitBytes=30')).length).toBe(0)
    const timed = await log('?timestamps=true')
    expect(timed.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(whole)
    expect(timed.every((line) => /^2026-01-01T00:\d\d:\d\d\.\d{9}Z /.test(line))).toBe(true)
    expect([...timed].sort()).toEqual(timed)
    const since = timed.findIndex((line) => line >= '2026-01-01T00:01:00')
    expect(await log('?sinceTime=2026-01-01T00:01:00Z')).toEqual(whole.slice(since))
  })

  it('is bounded after months, and its last file is all of it', async () => {
    await startPod(stateOf({ running: { startedAt: '2025-01-01T00:00:00Z' } }))
    const whole = await log()
    expect(whole.length).toBeLessThanOrEqual(50_000)
    expect(await log('?tailLines=5')).toEqual(whole.slice(-5))
  })

  it('is followed until the pod has terminated, with its last lines', async () => {
    await startPod(stateOf({ running: { startedAt: new Date(server.clock.now()).toISOString() } }))
    const reading = await follow()
    await reading.until('simulation: ')
    server.clock.advance(10_000)
    const before = await reading.until('http: ')
    expect(before).toContain('listening on 10.0.0.1:80')
    await server.send('DELETE', pods('/p'), { gracePeriodSeconds: 5 })
    await server.send('DELETE', pods('/p'), { gracePeriodSeconds: 0 })
    expect(await reading.rest()).toMatch(/SIGTERM received.*\n.*stopped\n$/)
  })

  it('goes on where the reading of before ended when it is followed', async () => {
    await startPod(stateOf({ running: { startedAt: new Date(server.clock.now()).toISOString() } }))
    const reading = await follow()
    for (let count = 0; count < 20; count += 1) server.clock.advance(700)
    const whole = (await log()).join('\n')
    expect(await reading.until(whole)).toBe(`${whole}\n`)
    await server.send('DELETE', pods('/p'), { gracePeriodSeconds: 0 })
  })

  it('tells that the container is not ready', async () => {
    await startPod()
    const since = new Date(server.clock.now()).toISOString()
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: since }]
    await server.send('PATCH', pods('/p/status'), { status: { conditions } })
    server.clock.advance(10_000)
    expect((await log('?tailLines=1'))[0]).toBe('WARN  probe: GET /ready 503, not ready')
  })

  it('of the container before is kept in its status', async () => {
    const terminated = { exitCode: 3, startedAt: STARTED, finishedAt: '2026-01-01T00:00:10Z' }
    await startPod(stateOf({ running: { startedAt: '2026-01-01T00:00:20Z' } }, { lastState: { terminated } }))
    const before = await log('?previous=true')
    expect(before[1]).toContain('restarts: 0')
    expect(before.at(-1)).toBe('ERROR main: failed, exit code 3')
  })
})

it.each([
  [
    '?tailLines=-1',
    422,
    'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['?limitBytes=0', 422, 'PodLogOptions "p" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
  ['?sinceSeconds=0', 422, 'PodLogOptions "p" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
  ['?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, 'at most one of `sinceTime` or `sinceSeconds`'],
  ['?sinceTime=soon', 400, 'parsing time "soon" as "2006-01-02T15:04:05Z07:00"'],
  ['?tailLines=many', 400, 'strconv.ParseInt: parsing "many": invalid syntax'],
  ['?container=x', 400, 'container x is not valid for pod p'],
  ['?previous=true', 400, 'previous terminated container "c" in pod "p" not found'],
])('%s is refused as by kube-apiserver', async (query, code, text) => {
  await startPod()
  const { status, body } = await server.send('GET', pods(`/p/log${query}`))
  expect({ status, message: body.message }).toEqual({ status: code, message: expect.stringContaining(text) })
})

it('kubectl reads and follows the log of a pod in a member', async () => {
  await startPod()
  server.clock.advance(5000)
  const inMember = ['--server', `${server.url.replace('http:', 'https:')}${MEMBER}`, '-n', namespace]
  const whole = (await log()).join('\n')
  expect(await running.kubectl([...inMember, 'logs', 'p'])).toBe(`${whole}\n`)
  expect(await running.kubectl([...inMember, 'logs', 'p', '-c', 'c', '--tail=2'])).toBe(
    `${whole.split('\n').slice(-2).join('\n')}\n`,
  )
  await expect(running.kubectl([...inMember, 'logs', 'p', '--previous'])).rejects.toThrow(
    'previous terminated container "c" in pod "p" not found',
  )
  const finishedAt = new Date(server.clock.now()).toISOString()
  const following = running.kubectl([...inMember, 'logs', '-f', 'p'])
  const ended = stateOf({ terminated: { exitCode: 0, startedAt: STARTED, finishedAt } })
  await server.send('PATCH', pods('/p/status'), { status: { phase: 'Succeeded', ...ended } })
  expect(await following).toMatch(/main: completed\n$/)
})

it('the right to read pods is not the right to read their logs', async () => {
  await startPod()
  const role = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }
  const rbac = `${MEMBER}/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  await server.send('POST', `${rbac}/roles`, { metadata: { name: 'r' }, ...role })
  await server.send('POST', `${rbac}/rolebindings`, {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', name: 'ann' }],
  })
  const plane = '/apis/rbac.authorization.k8s.io/v1'
  await server.send('POST', `${plane}/clusterrolebindings`, {
    metadata: { name: `proxy-${namespace}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-proxy-admin' },
    subjects: [{ kind: 'User', name: 'ann' }],
  })
  const asAnn = { 'Impersonate-User': 'ann' }
  expect((await server.send('GET', pods('/p'), undefined, asAnn)).status).toBe(200)
  const refused = await server.send('GET', pods('/p/log'), undefined, asAnn)
  expect(refused.status).toBe(403)
  expect(refused.body.message).toContain('cannot get resource "pods/log"')
})
