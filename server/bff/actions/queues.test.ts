import { describe, expect, onTestFinished, test } from 'vitest'
import { queue as queueKind, type QueueSpec } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, type BindingOptions } from '@/lib/testing/builders'
import { QUEUE_ANNOTATION } from '@/lib/domain/queue'
import { startEnv } from '@/server/testing/start-env'
import { call, type CallOptions } from '../testing/call'
import { eventually, startBff } from '../testing/start-bff'
import { queueEndpoints } from './queue-endpoints'
import type { ApiDeps } from './api-deps'

const LINE = { namespace: 'red', name: 'line' }
const WEB = 'apps~v1/Deployment/red/web'
const NOW = '2026-01-01T00:00:00Z'
const inLine = { [QUEUE_ANNOTATION]: 'red/line' }

/** A tenant with a queue, and whatever a test adds. */
async function startTenant(spec: QueueSpec = {}) {
  const env = await startEnv()
  onTestFinished(() => env.close())
  for (const name of ['red', 'red-extra']) await env.createNamespace(name)
  await env.create(queueKind, { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', metadata: LINE, spec })
  const { client, informers, clock } = env
  const about = { mode: 'embedded' as const, server: env.url, user: 'test-admin', reconcilers: () => [] }
  const bff = await startBff({ client, informers, clock, about })
  await eventually(async () => expect((await call(`${bff.url}/readyz`)).status).toBe(200))
  const ask = (path: string, options: CallOptions = {}) => call(`${bff.url}/api/v1/${path}`, options)
  const order = (act: string, body: unknown = {}, headers?: Record<string, string>) =>
    ask(`queues/red/line/${act}`, { body, ...(headers && { headers }) })
  const bind = async (name: string, options: BindingOptions = {}) => {
    await env.create(resourceBinding, aBinding(name, { namespace: 'red', ...options }))
    const seen = `workloads/apps~v1/Deployment/${options.namespace ?? 'red'}/${name}`
    await eventually(async () => expect((await ask(seen)).status).toBe(200))
  }
  const wait = (name: string, options: BindingOptions = {}) =>
    bind(name, { spec: { suspension: { scheduling: true } }, metadata: { annotations: inLine }, ...options })
  const queue = () => env.client.get(queueKind, LINE)
  const binding = (name: string) => env.client.get(resourceBinding, { namespace: 'red', name: `${name}-deployment` })
  return { env, ask, order, bind, wait, queue, binding }
}

const problem = (field?: string) => ({
  reason: expect.any(String) as string,
  detail: expect.any(String) as string,
  ...(field && { field }),
})

describe('reading queues', () => {
  test('lists them, and shows one with its line under the version of its settings', async () => {
    const { env, ask, wait } = await startTenant({ quota: { hard: { cpu: '50m' } } })
    await wait('web')
    expect((await ask('queues')).json).toMatchObject({ items: [{ id: 'red/line', pending: 1 }], remaining: 0 })
    expect((await ask('queues?namespace=blue')).json).toMatchObject({ items: [] })
    const one = await ask('queues/red/line')
    expect(one.json).toMatchObject({
      pendingWorkloads: [{ id: WEB, position: 1, reason: 'BeyondQuota' }],
      settings: { version: 'g1' },
    })
    expect(one.headers['etag']).toBe('"g1"')
    await env.client.patch(
      queueKind,
      LINE,
      { type: 'merge', value: { status: { pending: 7 } } },
      { subresource: 'status' },
    )
    expect((await ask('queues/red/line')).headers['etag']).toBe('"g1"')
  })

  test('a missing queue is reported as missing', async () => {
    const { ask } = await startTenant()
    expect(await ask('queues/red/none')).toMatchObject({ status: 404, json: problem() })
  })
})

describe('pausing', () => {
  test('shows first whom it would hold back', async () => {
    const { ask, wait, bind } = await startTenant()
    await wait('web')
    await bind('runs', { clusters: [{ name: 'm1', replicas: 1 }] })
    expect((await ask('queues/red/line/hold-preview')).json).toMatchObject({
      waiting: [{ id: WEB }],
      inFlight: [],
      placed: [{ id: 'apps~v1/Deployment/red/runs' }],
      message:
        '1 pending workload stays suspended, 0 in flight are suspended again. Including placed workloads stops scaling and failover of 1 more.',
    })
  })

  test('writes the previewed change and returns the result', async () => {
    const { order, queue } = await startTenant()
    const { status, json } = await order('hold', { reason: 'audit', until: '2026-01-01T02:00:00+01:00' })
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { ...LINE, message: expect.stringContaining('Hold requested') as string },
    })
    expect((await queue()).spec?.hold).toMatchObject({
      reason: 'audit',
      until: '2026-01-01T01:00:00Z',
      includePlaced: false,
    })
  })

  test.each([
    ['an end in the past', { reason: 'audit', until: '2025-12-31T23:59:59Z' }, 'until'],
    ['an end that is now', { reason: 'audit', until: NOW }, 'until'],
    ['no reason', {}, 'reason'],
    ['an empty reason', { reason: ' ' }, 'reason'],
  ])('%s is refused', async (_, body, field) => {
    const { order, queue } = await startTenant()
    expect(await order('hold', body)).toMatchObject({ status: 400, json: problem(field) })
    expect((await queue()).spec?.hold).toBeUndefined()
  })

  test('is refused when another client changed the spec since it was read, but not for a new status', async () => {
    const { env, order, queue } = await startTenant()
    await env.client.patch(
      queueKind,
      LINE,
      { type: 'merge', value: { status: { pending: 7 } } },
      { subresource: 'status' },
    )
    expect((await order('hold', { reason: 'audit' }, { 'if-match': '"g1"' })).status).toBe(200)
    expect(await order('hold', { reason: 'again' }, { 'if-match': '"g1"' })).toMatchObject({
      status: 412,
      headers: { etag: '"g2"' },
    })
    expect((await queue()).spec?.hold?.reason).toBe('audit')
  })

  test('by two at once: one holds it, and the other is told who was quicker', async () => {
    const { order, queue } = await startTenant()
    const reasons = ['audit', 'stock-taking']
    const answers = await Promise.all(reasons.map((reason) => order('hold', { reason }, { 'if-match': '"g1"' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const [won, lost] = [200, 412].map((status) => answers.findIndex((answer) => answer.status === status))
    expect((await queue()).spec?.hold?.reason).toBe(reasons[won!])
    expect(answers[lost!]?.json).toMatchObject({
      reason: 'PreconditionFailed',
      detail: expect.stringMatching(/^The object changed since you read it, last by .*Nothing was changed/) as string,
    })
  })

  test('of a held queue names the hold that it replaces', async () => {
    const { order } = await startTenant({ hold: { reason: 'audit', by: 'ann' } })
    expect((await order('hold', { reason: 'stock-taking' })).json).toMatchObject({
      message: expect.stringContaining('replacing the hold “audit”') as string,
    })
  })

  test('of a queue that is not there is refused', async () => {
    const { ask } = await startTenant()
    expect((await ask('queues/red/none/hold', { body: { reason: 'audit' } })).status).toBe(404)
  })
})

describe('resuming', () => {
  test('shows first in which stages what waits would go', async () => {
    const { ask, order, wait } = await startTenant()
    for (const name of ['a', 'b', 'web']) {
      await wait(
        name,
        name === 'web' ? { spec: { suspension: { scheduling: true }, schedulePriority: { priority: 9 } } } : {},
      )
    }
    await order('hold', { reason: 'audit' })
    const shown = await eventually(async () => {
      const { json } = await ask('queues/red/line/resume-preview?step=2')
      expect(json).toMatchObject({ stages: 2, more: 0 })
      return json as { order: { id: string; stage: number }[] }
    })
    expect(shown.order.map(({ id, stage }) => `${stage} ${id.split('/').at(-1)}`)).toEqual(['1 web', '1 a', '2 b'])
  })

  test('lifts the pause, and notes who did', async () => {
    const { order, queue } = await startTenant({ hold: { reason: 'audit' } })
    expect((await order('resume')).status).toBe(200)
    const { spec, metadata } = await queue()
    expect(spec?.hold).toBeUndefined()
    expect(metadata.annotations).toMatchObject({ 'queue.evenkeel.io/hold-ended-by': `test-admin ${NOW}` })
  })

  test('may go in stages', async () => {
    const { order, queue } = await startTenant({ hold: { reason: 'audit' } })
    expect((await order('resume', { step: 2 })).status).toBe(200)
    expect((await queue()).spec?.hold).toMatchObject({ reason: 'audit', resume: { step: 2 } })
  })

  test('is refused when the pause is not the one any more that was read', async () => {
    const { order, queue } = await startTenant({ hold: { reason: 'audit' } })
    await order('hold', { reason: 'incident: keep everything back' })
    expect(await order('resume', {}, { 'if-match': '"g1"' })).toMatchObject({ status: 412, json: problem() })
    expect((await queue()).spec?.hold?.reason).toBe('incident: keep everything back')
  })

  test('by two users is done once, and the other one is told that nothing is to do', async () => {
    const { order, queue } = await startTenant({ hold: { reason: 'audit' } })
    const answers = await Promise.all([order('resume'), order('resume')])
    expect(answers.map(({ status }) => status).sort()).toSatisfy(
      ([first, second]: number[]) => first === 200 && (second === 409 || second === 412),
    )
    expect((await queue()).spec?.hold).toBeUndefined()
  })

  test('while another client changes the settings: one of the two is refused, and the other takes effect', async () => {
    const { ask, order, queue } = await startTenant({ weight: 5, hold: { reason: 'audit' } })
    const headers = { 'if-match': '"g1"' }
    const [resumed, edited] = await Promise.all([
      order('resume', {}, headers),
      ask('queues/red/line', { method: 'PUT', body: { spec: { weight: 9 } }, headers }),
    ])
    expect([resumed!.status, edited!.status].sort()).toEqual([200, 412])
    const { spec } = await queue()
    const state = { held: spec?.hold !== undefined, weight: spec?.weight }
    expect(state).toEqual(resumed!.status === 200 ? { held: false, weight: 5 } : { held: true, weight: 9 })
  })

  test('is refused without a hold, and for an empty stage', async () => {
    const { order } = await startTenant()
    expect(await order('resume')).toMatchObject({
      status: 409,
      json: { reason: 'NothingToDo', detail: expect.stringContaining('Queue red/line is not on hold.') as string },
    })
    expect(await order('resume', { step: 0 })).toMatchObject({ status: 400, json: problem('step') })
  })
})

describe('settings', () => {
  test('a queue is created, and says which namespaces it keeps', async () => {
    const { ask, env } = await startTenant()
    await env.createNamespace('blue')
    const { status, json } = await ask('queues', {
      body: { namespace: 'blue', name: 'line', spec: { weight: 3, quota: { hard: { cpu: '4' } } } },
    })
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { message: expect.stringContaining('New workloads in blue are now queued') as string },
    })
    expect((await env.client.get(queueKind, { namespace: 'blue', name: 'line' })).spec).toMatchObject({
      weight: 3,
      quota: { hard: { cpu: '4' } },
    })
    expect((await ask('queues', { body: { namespace: 'blue', name: 'line', spec: {} } })).status).toBe(409)
  })

  test('are replaced as a whole, and the pause stays', async () => {
    const { ask, queue } = await startTenant({ weight: 5, maxInFlight: 2, hold: { reason: 'audit' } })
    const put = (spec: object, version: string) =>
      ask('queues/red/line', { method: 'PUT', body: { spec }, headers: { 'if-match': `"${version}"` } })
    const changed = await put({ strategy: 'StrictFIFO' }, 'g1')
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"g2"' } })
    expect((await queue()).spec).toMatchObject({ strategy: 'StrictFIFO', weight: 1, hold: { reason: 'audit' } })
    expect((await queue()).spec?.maxInFlight).toBeUndefined()
    expect((await put({ weight: 9 }, 'g1')).status).toBe(412)
    expect((await queue()).spec?.weight).toBe(1)
  })

  test.each([
    ['a negative quota', { quota: { hard: { cpu: '-1' } } }, 'spec.quota.hard.cpu'],
    ['no weight', { weight: 0 }, 'spec.weight'],
  ])('%s is refused', async (_, spec, field) => {
    const { ask } = await startTenant()
    expect(await ask('queues/red/line', { method: 'PUT', body: { spec } })).toMatchObject({
      status: 400,
      json: problem(field),
    })
  })

  test('a deleted queue names the result for pending workloads', async () => {
    const { ask } = await startTenant({ onDelete: 'Hold' })
    expect((await ask('queues/red/line', { method: 'DELETE' })).json).toMatchObject({
      message: expect.stringContaining('stay suspended') as string,
    })
    expect((await ask('queues/red/line', { method: 'DELETE' })).status).toBe(404)
  })
})

describe('one workload of a line', () => {
  test('is asked to be released next, with who and when', async () => {
    const { order, wait, binding } = await startTenant({ quota: { hard: { cpu: '1m' } } })
    await wait('web')
    expect((await order('release', { workload: WEB })).status).toBe(200)
    expect((await binding('web')).metadata.annotations).toMatchObject({
      ...inLine,
      'queue.evenkeel.io/release-requested': `test-admin ${NOW}`,
    })
  })

  test('that two request is requested once, by the first, and the other one gets a notice', async () => {
    const { order, wait, binding } = await startTenant({ quota: { hard: { cpu: '1m' } } })
    await wait('web')
    const answers = await Promise.all([order('release', { workload: WEB }), order('release', { workload: WEB })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      reason: 'NothingToDo',
      detail: `test-admin already requested this at ${NOW}. The workload is admitted as soon as the quota allows.`,
    })
    expect((await binding('web')).metadata.annotations).toMatchObject({
      'queue.evenkeel.io/release-requested': `test-admin ${NOW}`,
    })
  })

  test('is put into another class of the queue', async () => {
    const { order, wait, binding } = await startTenant({ priorityClasses: [{ name: 'gold', value: 9 }] })
    await wait('web')
    expect((await order('priority', { workload: WEB, priorityClass: 'gold' })).status).toBe(200)
    expect((await binding('web')).metadata.annotations).toMatchObject({ 'queue.evenkeel.io/priority-class': 'gold' })
    expect((await order('priority', { workload: WEB, priorityClass: 'gold' })).json).toMatchObject({
      reason: 'NothingToDo',
    })
    expect(await order('priority', { workload: WEB, priorityClass: 'tin' })).toMatchObject({
      status: 400,
      json: { field: 'priorityClass', detail: 'priorityClass: the queue has no class tin. Choose one of gold.' },
    })
  })

  test('that is not in this queue, or waits no more, is refused', async () => {
    const { order, bind, wait } = await startTenant()
    await bind('runs', { clusters: [{ name: 'm1', replicas: 1 }] })
    await wait('mine', { metadata: { annotations: {} } })
    expect(await order('release', { workload: WEB })).toMatchObject({ status: 404, json: problem('workload') })
    expect((await order('release', { workload: 'apps~v1/Deployment/red/runs' })).json).toMatchObject({
      reason: 'NothingToDo',
      detail: expect.stringContaining('already been admitted') as string,
    })
    expect((await order('release', { workload: 'apps~v1/Deployment/red/mine' })).json).toMatchObject({
      reason: 'NothingToDo',
      detail: expect.stringContaining('A user suspended this workload') as string,
    })
  })
})

describe('one binding', () => {
  const act = (name: string, verb: string) => `bindings/red/${name}-deployment/${verb}`

  test('is suspended with who and why, and takes its place in line when it is resumed', async () => {
    const { ask, bind, binding } = await startTenant()
    await bind('web')
    expect((await ask(act('web', 'suspend'), { body: { reason: 'not ready' } })).status).toBe(200)
    expect(await binding('web')).toMatchObject({
      spec: { suspension: { scheduling: true } },
      metadata: {
        annotations: {
          'queue.evenkeel.io/suspended-by': `test-admin ${NOW}`,
          'queue.evenkeel.io/suspended-reason': 'not ready',
        },
      },
    })
    expect((await ask(act('web', 'suspend'), { body: { reason: 'again' } })).json).toMatchObject({
      reason: 'NothingToDo',
    })
    expect((await ask(act('web', 'resume'), { body: {} })).json).toMatchObject({
      message: 'Pending in queue red/line, which admits it in order.',
    })
    const {
      spec,
      metadata: { annotations },
    } = await binding('web')
    expect([spec.suspension?.scheduling, annotations]).toEqual([true, expect.objectContaining(inLine)])
    expect(annotations).not.toHaveProperty(['queue.evenkeel.io/suspended-by'])
  })

  test('that waits in a line is not resumed past it', async () => {
    const { ask, wait } = await startTenant()
    await wait('web')
    expect((await ask(act('web', 'resume'), { body: {} })).json).toMatchObject({
      reason: 'NothingToDo',
      detail: expect.stringContaining('The workload is pending in queue red/line') as string,
    })
  })

  test('that has been scheduled is not suspended, and one that is not suspended is not resumed', async () => {
    const { ask, bind } = await startTenant()
    await bind('runs', { clusters: [{ name: 'm1', replicas: 1 }] })
    expect((await ask(act('runs', 'suspend'), { body: { reason: 'stop' } })).json).toMatchObject({
      reason: 'NothingToDo',
      detail: expect.stringContaining('The workload is already scheduled') as string,
    })
    expect((await ask(act('runs', 'resume'), { body: {} })).json).toMatchObject({ reason: 'NothingToDo' })
  })
})

test('every order names the rights that it takes; who claims a namespace for a queue must be allowed to keep queues there', () => {
  const endpoints = queueEndpoints({ views: {}, cache: {} } as ApiDeps)
  const rights = (summary: string, given: object) => {
    const found = endpoints.find((each) => each.summary === summary) as {
      needs?: (call: never) => { verb: string; resource: string; namespace?: string; name?: string }[]
    }
    return found
      .needs?.(given as never)
      .map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name].filter(Boolean).join(' '))
  }
  const params = LINE
  expect(rights('queues.api.hold', { params })).toEqual(['get queues red line', 'patch queues red line'])
  expect(rights('queues.api.create', { body: { namespace: 'red', spec: { namespaces: ['blue'] } } })).toEqual([
    'create queues red',
    'create queues blue',
  ])
  expect(rights('queues.api.update', { params, body: { spec: { namespaces: ['blue'] } } })).toEqual([
    'get queues red line',
    'update queues red line',
    'create queues blue',
  ])
  expect(rights('queues.api.release', { params, body: { workload: WEB } })).toEqual([
    'get queues red line',
    'update queues red line',
    'get resourcebindings red',
    'patch resourcebindings red',
  ])
  expect(rights('queues.api.suspend', { params })).toEqual([
    'get resourcebindings red line',
    'patch resourcebindings red line',
  ])
  expect(
    endpoints.filter(({ kind }) => kind === 'action').every((each) => 'needs' in each && each.needs !== undefined),
  ).toBe(true)
})
