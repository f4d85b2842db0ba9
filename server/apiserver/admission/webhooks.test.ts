/** Webhooks as a client of the server meets them; every webhook is a real server of its own. */
import { describe, expect, it } from 'vitest'
import type { UnknownObject } from '@/lib/kube/object'
import type { Answered } from '../testing/start-server'
import {
  CONFIGURATIONS,
  configMap,
  configure,
  DEPLOYMENTS,
  everyMap,
  hook,
  MAPS,
  message,
  open,
  server,
  startAnewForEachTest,
  webhook,
} from './testing/webhook-setting'
import { patching, type WebhookServer } from './testing/webhook-server'

startAnewForEachTest()

describe('a mutating webhook', () => {
  it('is sent the object, completed, with who writes it and how, and changes it', async () => {
    const rule = { ...everyMap, apiGroups: ['apps'], resources: ['deployments'] }
    await configure('Mutating', [webhook({ rules: [rule] })])
    hook.decide(() => patching({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }))
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } }
    const draft = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    }
    const { status, body } = await server.send('POST', `${DEPLOYMENTS}?fieldManager=me`, draft)
    expect(status).toBe(201)
    expect(body.metadata.labels).toEqual({ seen: 'yes' })
    const [request] = hook.seen
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' }
    const resource = { group: 'apps', version: 'v1', resource: 'deployments' }
    expect(request).toMatchObject({
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      operation: 'CREATE',
      name: 'web',
      namespace: 'default',
      dryRun: false,
      oldObject: null,
      userInfo: { username: 'admin' },
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    })
    expect(request?.object).toMatchObject({ kind: 'Deployment', spec: { replicas: 1, revisionHistoryLimit: 10 } })
    expect(request?.object.metadata).toEqual({ name: 'web', namespace: 'default' })
  })

  it('sees the old and the new state of a change, of its status and of its scale', async () => {
    const resources = ['deployments', 'deployments/*']
    const rule = { ...everyMap, apiGroups: ['apps'], resources, operations: ['UPDATE'] }
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } }
    await server.send('POST', DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
    })
    await configure('Mutating', [webhook({ rules: [rule] })])
    hook.decide(({ subResource }) =>
      subResource === 'scale' ? patching({ op: 'replace', path: '/spec/replicas', value: 7 }) : { allowed: true },
    )
    await server.send('PATCH', `${DEPLOYMENTS}/web`, { spec: { paused: true } })
    await server.send('PATCH', `${DEPLOYMENTS}/web/status`, { status: { observedGeneration: 2 } })
    const scaled = await server.send('PATCH', `${DEPLOYMENTS}/web/scale`, { spec: { replicas: 3 } })
    expect(hook.seen.map(({ subResource, kind }) => [subResource, kind.kind])).toEqual([
      [undefined, 'Deployment'],
      ['status', 'Deployment'],
      ['scale', 'Scale'],
    ])
    expect(hook.seen[0]).toMatchObject({ object: { spec: { paused: true } } })
    expect(hook.seen[0]?.oldObject.spec).not.toHaveProperty('paused')
    expect(hook.seen[2]).toMatchObject({ object: { spec: { replicas: 3 } }, oldObject: { spec: { replicas: 1 } } })
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 7 } })
  })

  it('follows the names of the configurations, and each webhook sees the changes of earlier ones', async () => {
    const append = (letter: string) =>
      open(({ object }) => {
        const trace = (object.data as Record<string, string>).trace ?? ''
        return patching({ op: 'add', path: '/data/trace', value: trace + letter })
      })
    const [a, b, c] = (await Promise.all(['a', 'b', 'c'].map(append))) as [WebhookServer, WebhookServer, WebhookServer]
    await configure('Mutating', [webhook({ name: 'c.hooks.test', url: c.url })], 'z')
    await configure(
      'Mutating',
      [webhook({ name: 'z.hooks.test', url: a.url }), webhook({ name: 'b.hooks.test', url: b.url })],
      'm',
    )
    const { body } = await server.send('POST', MAPS, configMap('order'))
    expect(body.data).toEqual({ k: 'v', trace: 'abc' })
  })

  it.each([
    ['IfNeeded', true, 'once more when a later one changed the object', 2],
    ['IfNeeded', false, 'once when no later one changed it', 1],
    ['Never', true, 'once when it does not wish more', 1],
  ])('with policy %s and a change after it (%s) is called %s', async (policy, change, _sentence, calls) => {
    const later = await open(() =>
      change ? patching({ op: 'add', path: '/data/later', value: 'x' }) : { allowed: true },
    )
    await configure('Mutating', [
      webhook({ name: 'first.hooks.test', reinvocationPolicy: policy }),
      webhook({ name: 'later.hooks.test', url: later.url, reinvocationPolicy: 'IfNeeded' }),
    ])
    expect((await server.send('POST', MAPS, configMap('again'))).status).toBe(201)
    expect([hook.seen.length, later.seen.length]).toEqual([calls, 1])
  })

  it.each([
    ['a path that is not there', [{ op: 'replace', path: '/nowhere/x', value: 1 }]],
    ['a value of the wrong type', [{ op: 'add', path: '/data', value: 5 }]],
  ])('that patches %s is a fault of the webhook, not of the client', async (_what, operations) => {
    await configure('Mutating', [webhook()])
    hook.decide(() => patching(...operations))
    const { status, body } = await server.send('POST', MAPS, configMap('bad'))
    expect([status, body.reason]).toEqual([500, 'InternalError'])
    expect(body.message).toMatch(/^Internal error occurred: /)
  })

  it('may not change what is deleted', async () => {
    await server.send('POST', MAPS, configMap('gone'))
    await configure('Mutating', [webhook()])
    hook.decide(() => patching({ op: 'add', path: '/data', value: {} }))
    expect(message(await server.send('DELETE', `${MAPS}/gone`))).toBe(
      'Internal error occurred: admission webhook "a.hooks.test" attempted to modify the object, which is not '
        + 'supported for this operation',
    )
    hook.decide(() => ({ allowed: true }))
    expect((await server.send('DELETE', `${MAPS}/gone`, { propagationPolicy: 'Background' })).status).toBe(200)
    expect(hook.seen[1]).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { metadata: { name: 'gone' } },
      options: { kind: 'DeleteOptions', propagationPolicy: 'Background' },
    })
  })
})

describe('a validating webhook', () => {
  it.each([
    [{ allowed: false }, 400, undefined, 'without explanation'],
    [{ allowed: false, status: { message: 'no' } }, 400, undefined, ': no'],
    [{ allowed: false, status: { reason: 'Forbidden' } }, 400, 'Forbidden', ': Forbidden'],
    [{ allowed: false, status: { code: 403, reason: 'Forbidden', message: 'x' } }, 403, 'Forbidden', ': x'],
    [{ allowed: false, status: { code: 200, message: 'odd' } }, 400, undefined, ': odd'],
    [{ allowed: false, status: { code: 429, reason: 'TooManyRequests', message: 's' } }, 429, 'TooManyRequests', ': s'],
  ])('that answers %j refuses with %d', async (answer, code, reason, text) => {
    await configure('Validating', [webhook()])
    hook.decide(() => answer)
    const { status, body } = await server.send('POST', MAPS, configMap('refused'))
    const prefix = 'admission webhook "a.hooks.test" denied the request'
    expect({ status, reason: body.reason, message: body.message, kind: body.kind }).toEqual({
      status: code,
      reason,
      message: text.startsWith(':') ? prefix + text : `${prefix} ${text}`,
      kind: 'Status',
    })
    expect((await server.send('GET', `${MAPS}/refused`)).status).toBe(404)
  })

  it('sees what will be stored, with its name, and warns the client', async () => {
    await configure('Validating', [webhook()])
    hook.decide(() => ({ allowed: true, warnings: ['think again', 'really'] }))
    const { status, headers, body } = await server.send('POST', MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'made-' },
    })
    expect(status).toBe(201)
    expect(headers.get('warning')).toBe('299 - "think again", 299 - "really"')
    expect(hook.seen[0]).toMatchObject({ name: body.metadata.name, object: { metadata: { uid: body.metadata.uid } } })
  })

  it('is asked together with the others, and the first refusal in their order counts', async () => {
    const waiting: (() => void)[] = []
    const meet = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 2) for (const go of waiting) go()
      })
    const refuse = (text: string) => async () => {
      await meet()
      return { allowed: false, status: { message: text } }
    }
    const [one, two] = await Promise.all([open(refuse('one')), open(refuse('two'))])
    await configure('Validating', [
      webhook({ name: 'one.hooks.test', url: one.url }),
      webhook({ name: 'two.hooks.test', url: two.url }),
    ])
    expect(message(await server.send('POST', MAPS, configMap('x')))).toBe(
      'admission webhook "one.hooks.test" denied the request: one',
    )
  })

  it('is asked about every object of a collection that is deleted', async () => {
    for (const name of ['a', 'b']) await server.send('POST', MAPS, configMap(name, {}, { labels: { l: 'x' } }))
    await configure('Validating', [webhook({ rules: [{ ...everyMap, operations: ['DELETE'] }] })])
    await server.send('DELETE', `${MAPS}?labelSelector=l%3Dx`)
    expect(hook.seen.map(({ oldObject }) => oldObject.metadata.name)).toEqual(['a', 'b'])
  })

  it('is asked about evictions and bindings, not about the deletion that an eviction is', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    await server.send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec })
    await configure('Validating', [webhook({ rules: [{ ...everyMap, resources: ['pods', 'pods/*'] }] })])
    const path = '/api/v1/namespaces/default/pods/p'
    await server.send('POST', `${path}/binding`, { target: { kind: 'Node', name: 'n' }, metadata: { name: 'p' } })
    await server.send('POST', `${path}/eviction`, { metadata: { name: 'p' } })
    expect(hook.seen.map(({ operation, subResource, kind }) => [operation, subResource, kind.kind])).toEqual([
      ['CREATE', 'binding', 'Binding'],
      ['CREATE', 'eviction', 'Eviction'],
    ])
  })

  it('is not asked about webhook configurations, so that a broken one can be taken away', async () => {
    const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }
    await configure('Validating', [webhook({ rules: [everything] })])
    hook.decide(() => ({ allowed: false }))
    const path = `${CONFIGURATIONS}/validatingwebhookconfigurations/config`
    expect((await server.send('POST', MAPS, configMap('x'))).status).toBe(400)
    expect((await server.send('DELETE', path)).status).toBe(200)
    expect((await server.send('POST', MAPS, configMap('x'))).status).toBe(201)
    expect(hook.seen).toHaveLength(1)
  })

  it('that calls the server back does not wait for itself', async () => {
    await configure('Validating', [webhook()])
    hook.decide(async ({ name }) => {
      if (name === 'outer') await server.send('POST', MAPS, configMap('inner'))
      return { allowed: true }
    })
    expect((await server.send('POST', MAPS, configMap('outer'))).status).toBe(201)
    expect((await server.send('GET', `${MAPS}/inner`)).status).toBe(200)
  })
})

describe('dry runs', () => {
  it('are refused by a webhook that has side effects, which only old configurations may say', async () => {
    const { body } = await configure('Validating', [webhook()])
    const [one] = body.webhooks as object[]
    const location = {
      keyspace: '',
      resource: 'validatingwebhookconfigurations.admissionregistration.k8s.io',
      key: 'config',
    }
    const old = { ...body, webhooks: [{ ...one, sideEffects: 'Some' }] } as unknown as UnknownObject
    await server.store.put(location, old, Number(body.metadata.resourceVersion))
    const { status, body: refusal } = await server.send('POST', `${MAPS}?dryRun=All`, configMap('dry'))
    expect([status, refusal.reason, refusal.message, hook.seen.length]).toEqual([
      400,
      'BadRequest',
      'admission webhook "a.hooks.test" does not support dry run',
      0,
    ])
  })

  it('reach webhooks that say that they have no side effects', async () => {
    await configure('Validating', [webhook({ sideEffects: 'NoneOnDryRun' })])
    const { status } = await server.send('POST', `${MAPS}?dryRun=All`, configMap('dry'))
    expect(status).toBe(201)
    expect(hook.seen[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } })
    expect((await server.send('GET', `${MAPS}/dry`)).status).toBe(404)
  })
})

describe('who is called', () => {
  it.each([
    ['labels of the namespace match', { namespaceSelector: { matchLabels: { team: 'a' } } }, 1],
    ['labels of the namespace differ', { namespaceSelector: { matchLabels: { team: 'b' } } }, 0],
    ['labels of the object match', { objectSelector: { matchLabels: { app: 'web' } } }, 1],
    ['labels of the object differ', { objectSelector: { matchLabels: { app: 'db' } } }, 0],
    ['a condition is true', { matchConditions: [{ name: 'c', expression: 'object.data.k == "v"' }] }, 1],
    ['a condition is false', { matchConditions: [{ name: 'c', expression: 'request.operation == "DELETE"' }] }, 0],
    [
      'one condition is false and one fails',
      {
        matchConditions: [
          { name: 'a', expression: 'object.nope' },
          { name: 'b', expression: 'false' },
        ],
      },
      0,
    ],
    [
      'a condition fails and failures are ignored',
      { failurePolicy: 'Ignore', matchConditions: [{ name: 'a', expression: 'object.nope == 1' }] },
      0,
    ],
  ])('when %s', async (_sentence, fields, calls) => {
    await server.send('PATCH', '/api/v1/namespaces/default', { metadata: { labels: { team: 'a' } } })
    await configure('Mutating', [webhook(fields)])
    const { status } = await server.send('POST', MAPS, configMap('x', { k: 'v' }, { labels: { app: 'web' } }))
    expect([status, hook.seen.length]).toEqual([201, calls])
  })

  it('no webhook, and the write is refused, when a match condition cannot be evaluated', async () => {
    await configure('Mutating', [webhook({ matchConditions: [{ name: 'a', expression: 'object.nope == 1' }] })])
    const { status, body } = await server.send('POST', MAPS, configMap('x'))
    expect([status, body.reason, hook.seen.length]).toEqual([403, 'Forbidden', 0])
    expect(body.message).toMatch(
      /^configmaps "x" is forbidden: expression 'object.nope == 1' resulted in error: no such key: nope/,
    )
  })

  it.each([
    ['Equivalent', 1],
    ['Exact', 0],
  ])('for a write in another version when the match is %s', async (matchPolicy, calls) => {
    const rules = [{ apiGroups: ['events.k8s.io'], apiVersions: ['v1'], operations: ['*'], resources: ['events'] }]
    await configure('Mutating', [webhook({ matchPolicy, rules })])
    hook.decide(() => patching({ op: 'replace', path: '/note', value: 'changed' }))
    const { body } = await server.send('POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
      reason: 'R',
      message: 'sent',
      type: 'Normal',
    })
    expect([body.apiVersion, body.message]).toEqual(['v1', calls === 1 ? 'changed' : 'sent'])
    expect(hook.seen.map(({ kind, requestKind, object }) => [kind.group, requestKind.group, object.note])).toEqual(
      calls === 1 ? [['events.k8s.io', '', 'sent']] : [],
    )
  })

  it('by the labels that a namespace is given, not those it has', async () => {
    const rules = [{ ...everyMap, resources: ['namespaces'] }]
    await configure('Validating', [webhook({ rules, namespaceSelector: { matchLabels: { guarded: 'yes' } } })])
    const create = (name: string, labels: object): Promise<Answered> =>
      server.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
    await create('free', {})
    await create('guarded', { guarded: 'yes' })
    expect(hook.seen.map(({ name, namespace }) => [name, namespace])).toEqual([['guarded', 'guarded']])
  })
})

describe('the webhooks of a member', () => {
  it('are asked about writes in that member alone, with the name of who writes', async () => {
    const { group, version } = { group: 'cluster.karmada.io', version: 'v1alpha1' }
    const clusters = `/apis/${group}/${version}/clusters`
    await server.send('POST', clusters, {
      metadata: { name: 'm', annotations: { 'sim.evenkeel.io/nodes': '1' } },
      spec: { syncMode: 'Push' },
    })
    const member = `${clusters}/m/proxy`
    const kind = 'ValidatingWebhookConfiguration'
    const { status } = await server.send('POST', `${member}${CONFIGURATIONS}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'inside' },
      webhooks: [webhook()],
    })
    expect(status).toBe(201)
    await server.send('POST', MAPS, configMap('outside'))
    await server.send('POST', `${member}${MAPS}`, configMap('inside'))
    expect(hook.seen.map(({ name, userInfo }) => [name, userInfo.username])).toEqual([['inside', 'admin']])
  })
})
