/** What a deletion means: policies, grace, dry runs, and where there is none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, startTestServer, type TestServer } from '../testing/start-server'

const MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'

let server: TestServer
let count = 0

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function make(metadata: object = {}): Promise<string> {
  const name = `made-${++count}`
  expect((await server.send('POST', MAPS, { metadata: { name, ...metadata } })).status).toBe(201)
  return name
}

const HELD = { finalizers: ['test/hold'] }

describe('the propagation policy', () => {
  it.each([
    ['says nothing', {}, ['test/hold']],
    ['is Background', { propagationPolicy: 'Background' }, ['test/hold']],
    ['is Foreground', { propagationPolicy: 'Foreground' }, ['test/hold']],
    ['is Orphan', { propagationPolicy: 'Orphan' }, ['test/hold']],
    ['is the old flag', { orphanDependents: true }, ['test/hold']],
  ])('that %s is carried out while something else holds the object', async (_sentence, options, left) => {
    const name = await make(HELD)
    const { status } = await server.send('DELETE', `${MAPS}/${name}`, options)
    const { body } = await server.send('GET', `${MAPS}/${name}`)
    expect([status, body.metadata.finalizers]).toEqual([200, left])
    expect(body.metadata.deletionTimestamp).toBeDefined()
  })

  it.each([
    [{}, ['orphan']],
    [{ orphanDependents: false }, undefined],
    [{ propagationPolicy: 'Background' }, undefined],
    [{ propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
  ])('%j leaves of a finalizer that orphans: %j', async (options, finalizers) => {
    const name = await make({ finalizers: ['orphan'] })
    const { body } = await server.send('DELETE', `${MAPS}/${name}?dryRun=All`, options)
    expect(body.kind === 'Status' ? undefined : body.metadata.finalizers).toEqual(finalizers)
  })

  it.each([
    [{ propagationPolicy: 'Later' }, 'propagationPolicy'],
    [{ propagationPolicy: 'Orphan', orphanDependents: true }, 'propagationPolicy'],
    [{ dryRun: ['Some'] }, 'dryRun'],
  ])('%j is refused, and nothing is deleted', async (options, field) => {
    const name = await make()
    const { status, body } = await server.send('DELETE', `${MAPS}/${name}`, options)
    expect([status, body.reason]).toEqual([422, 'Invalid'])
    expect(body.details).toMatchObject({ group: 'meta.k8s.io', kind: 'DeleteOptions', causes: [{ field }] })
    expect((await server.send('GET', `${MAPS}/${name}`)).status).toBe(200)
  })
})

describe('the grace period of a pod on a node', () => {
  async function running(): Promise<string> {
    const name = `pod-${++count}`
    const spec = { nodeName: 'n', terminationGracePeriodSeconds: 20, containers: [{ name: 'c', image: 'i' }] }
    await server.send('POST', PODS, { metadata: { name }, spec })
    return `${PODS}/${name}`
  }

  it.each([
    ['is that of the pod when the request states none', {}, 20],
    ['is the one asked for', { gracePeriodSeconds: 7 }, 7],
    ['is a second when a negative one is asked for', { gracePeriodSeconds: -5 }, 1],
  ])('%s', async (_sentence, options, seconds) => {
    const { body } = await server.send('DELETE', await running(), options)
    expect(body.metadata.deletionGracePeriodSeconds).toBe(seconds)
  })

  it('can be made shorter, not longer', async () => {
    const pod = await running()
    const graceAfter = async (gracePeriodSeconds: number): Promise<unknown> =>
      (await server.send('DELETE', pod, { gracePeriodSeconds })).body.metadata.deletionGracePeriodSeconds
    expect([await graceAfter(10), await graceAfter(30), await graceAfter(5)]).toEqual([10, 10, 5])
    await server.send('DELETE', pod, { gracePeriodSeconds: 0 })
    expect((await server.send('GET', pod)).status).toBe(404)
  })
})

describe('an object that is going away already', () => {
  it('is answered as it is, and stays under its version', async () => {
    const name = await make(HELD)
    const first = await server.send('DELETE', `${MAPS}/${name}`)
    const second = await server.send('DELETE', `${MAPS}/${name}`)
    expect(second.body).toEqual(first.body)
  })

  it('takes a policy that is given later', async () => {
    const name = await make({ finalizers: ['test/hold', 'orphan'] })
    await server.send('DELETE', `${MAPS}/${name}?dryRun=All`)
    const { body } = await server.send('DELETE', `${MAPS}/${name}?dryRun=All`, { propagationPolicy: 'Foreground' })
    expect(body.metadata.finalizers).toEqual(['test/hold', 'foregroundDeletion'])
  })
})

describe('nothing is deleted', () => {
  it.each(['/api/v1/namespaces', '/api/v1/configmaps', '/apis/apps/v1/deployments'])(
    'at once under %s',
    async (path) => {
      const answer: Answered = await server.send('DELETE', path)
      expect([answer.status, answer.body.reason]).toEqual([405, 'MethodNotAllowed'])
    },
  )

  it('by a dry run', async () => {
    const name = await make()
    for (const [path, body] of [[`${MAPS}/${name}?dryRun=All`], [`${MAPS}/${name}`, { dryRun: ['All'] }]] as const) {
      expect((await server.send('DELETE', path, body)).status).toBe(200)
    }
    expect((await server.send('GET', `${MAPS}/${name}`)).status).toBe(200)
  })
})
