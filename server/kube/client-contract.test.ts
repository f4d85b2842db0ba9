/** What every KubeClient does, whichever way it reaches the server. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isUnreachable } from '@/lib/kube/errors'
import { allKinds } from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { clusterRole, type PolicyRule } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { type ConfigMap, configMap } from '@/lib/kube/kinds/config-map'
import { deployment } from '@/lib/kube/kinds/deployment'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { type ApiServer, createMemoryStore, startApiServer, type Store } from '@/server/apiserver'
import type { KubeClient, WatchEvent, WatchOptions } from './client'
import { createHttpTransport } from './http-transport'
import { clientOver, type RestClient } from './rest-client'
import type { Transport } from './transport'

const callers = { admin: ['system:masters'], nobody: [] }
type Caller = keyof typeof callers

const transports: Record<string, (server: ApiServer, caller: Caller) => Transport> = {
  'over HTTP': ({ url }, caller) => createHttpTransport({ url, token: caller }),
  'in the process': (server, caller) =>
    server.local({ caller: { user: caller, groups: callers[caller] }, freeze: true }),
}

describe.each(Object.entries(transports))('a client %s', (_name, transportTo) => {
  let store: Store
  let server: ApiServer
  let client: RestClient
  let clients: RestClient[]
  let faults: unknown[]
  const as = (caller: Caller): RestClient => {
    const opened = clientOver(transportTo(server, caller))
    clients.push(opened)
    return opened
  }

  beforeEach(async () => {
    let uids = 0
    faults = []
    clients = []
    store = createMemoryStore()
    server = await startApiServer({
      store,
      kinds: allKinds,
      host: '127.0.0.1',
      port: 0,
      clock: createFakeClock(),
      random: () => 0.5,
      uid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
      tokens: Object.entries(callers).map(([user, groups]) => ({ token: user, user, groups })),
      log: (level, fields) => void (level === 'error' && faults.push(fields)),
    })
    client = as('admin')
  })
  afterEach(async () => {
    await Promise.all(clients.map((opened) => opened.close()))
    await server.close()
    await store.close()
    expect(faults).toEqual([])
  })

  const ref = (name: string) => ({ namespace: 'default', name })
  const draft = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...ref(name), labels },
    data,
  })

  const workload = (value = '') => {
    const labels = { app: 'a' }
    const spec = { containers: [{ name: 'a', image: 'a', env: [{ name: 'VALUE', value }] }] }
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: ref('a'),
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    }
  }

  describe('writes', () => {
    test('answer the object as it is stored', async () => {
      const created = await client.create(configMap, draft('a', { k: 'v' }))
      expect(created).toMatchObject({
        kind: 'ConfigMap',
        metadata: { name: 'a', uid: expect.any(String) },
        data: { k: 'v' },
      })
      expect(await client.get(configMap, ref('a'))).toEqual(created)
      const updated = await client.update(configMap, { ...created, data: { k: 'w' } })
      expect(updated.data).toEqual({ k: 'w' })
      expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion))
    })

    test('patch by merge and by operations', async () => {
      await client.create(configMap, draft('a', { k: 'v', gone: 'soon' }))
      const merged = await client.patch(configMap, ref('a'), { type: 'merge', value: { data: { gone: null, l: 'w' } } })
      expect(merged.data).toEqual({ k: 'v', l: 'w' })
      const operations = [{ op: 'replace', path: '/data/k', value: 'x' }] as const
      expect((await client.patch(configMap, ref('a'), { type: 'json', operations })).data).toEqual({ k: 'x', l: 'w' })
    })

    test('reach the status and the scale of an object', async () => {
      await client.create(deployment, workload())
      const status = { replicas: 1 }
      await client.patch(deployment, ref('a'), { type: 'merge', value: { status } }, { subresource: 'status' })
      await client.patch(
        deployment,
        ref('a'),
        { type: 'merge', value: { spec: { replicas: 4 } } },
        { subresource: 'scale' },
      )
      expect(await client.get(deployment, ref('a'))).toMatchObject({ spec: { replicas: 4 }, status })
      const { status: code, body } = await client.raw('GET', '/apis/apps/v1/namespaces/default/deployments/a/scale')
      expect([code, body]).toMatchObject([200, { kind: 'Scale', spec: { replicas: 4 } }])
    })

    test('that are only tried leave nothing behind', async () => {
      expect((await client.create(configMap, draft('a'), { dryRun: true })).metadata.name).toBe('a')
      await expect(client.get(configMap, ref('a'))).rejects.toMatchObject({ reason: 'NotFound' })
    })

    test('take the object as it was when they began, and of it what JSON carries', async () => {
      const object = draft('a', { k: 'v' })
      const writing = client.create(configMap, { ...object, immutable: undefined })
      object.data.k = 'changed'
      const created = await writing
      expect(created.data).toEqual({ k: 'v' })
      expect(created).not.toHaveProperty('immutable')
    })

    test('delete, on condition', async () => {
      await client.create(configMap, draft('a'))
      const removal = client.delete(configMap, ref('a'), { preconditions: { uid: 'another' } })
      await expect(removal).rejects.toMatchObject({ reason: 'Conflict' })
      await client.delete(configMap, ref('a'))
      await expect(client.get(configMap, ref('a'))).rejects.toMatchObject({ reason: 'NotFound' })
    })
  })

  describe('reads', () => {
    test('list what selectors select, page by page', async () => {
      for (const name of ['a', 'b', 'c'])
        await client.create(configMap, draft(name, {}, { on: name === 'b' ? 'no' : 'yes' }))
      const selected = await client.list(configMap, { namespace: 'default', labelSelector: 'on=yes' })
      expect(selected.items.map(({ kind, apiVersion, metadata: { name } }) => [kind, apiVersion, name])).toEqual([
        ['ConfigMap', 'v1', 'a'],
        ['ConfigMap', 'v1', 'c'],
      ])
      const first = await client.list(configMap, { namespace: 'default', limit: 2 })
      const second = await client.list(configMap, {
        namespace: 'default',
        limit: 2,
        continue: first.metadata.continue ?? '',
      })
      expect([...first.items, ...second.items].map(({ metadata: { name } }) => name)).toEqual(['a', 'b', 'c'])
      expect(first.metadata.resourceVersion).toBe(second.metadata.resourceVersion)
    })

    test('of documents answer objects and texts', async () => {
      expect(await client.raw('GET', '/readyz')).toEqual({ status: 200, body: 'ok' })
      expect(await client.raw('GET', '/apis')).toMatchObject({ status: 200, body: { kind: 'APIGroupList' } })
      expect(await client.raw('GET', '/nothing')).toMatchObject({ status: 404, body: '404 page not found\n' })
      expect(await client.raw('GET', '/api/v1/nothing')).toMatchObject({
        status: 404,
        body: { reason: 'NotFound', code: 404 },
      })
    })

    test('never let their reader change what is stored', async () => {
      await client.create(configMap, draft('a', { k: 'v' }))
      const read = await client.get(configMap, ref('a'))
      try {
        Object.assign(read.data ?? {}, { k: 'changed' })
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
      }
      expect((await client.get(configMap, ref('a'))).data).toEqual({ k: 'v' })
    })
  })

  describe('refusals', () => {
    const big = 'x'.repeat(4 * 1024 * 1024)
    const cases: [string, (client: KubeClient) => Promise<unknown>, object][] = [
      ['a name that is taken', (by) => by.create(configMap, draft('taken')), { code: 409, reason: 'AlreadyExists' }],
      [
        'what is not there',
        (by) => by.get(configMap, ref('gone')),
        { code: 404, status: { details: { kind: 'configmaps', name: 'gone' } } },
      ],
      [
        'a version that is not the newest',
        (by) =>
          by.patch(configMap, ref('taken'), {
            type: 'merge',
            value: { metadata: { resourceVersion: '1' }, data: { k: 'v' } },
          }),
        { code: 409, reason: 'Conflict' },
      ],
      [
        'an invalid object',
        (by) => by.create(configMap, draft('Invalid')),
        { code: 422, status: { details: { causes: [{ field: 'metadata.name' }] } } },
      ],
      [
        'a request that is too large',
        (by) => by.create(configMap, draft('big', { big })),
        { code: 413, reason: 'RequestEntityTooLarge' },
      ],
      [
        'an object that is too large',
        (by) => by.create(deployment, workload(big.slice(0, 2 * 1024 * 1024))),
        { code: 500, reason: 'InternalError' },
      ],
      [
        'a member that is not there',
        (by) => by.member('nowhere').list(configMap),
        { code: 404, status: { details: { kind: 'clusters' } } },
      ],
    ]
    test.each(cases)('of %s', async (_what, act, expected) => {
      await client.create(configMap, draft('taken'))
      await expect(act(client)).rejects.toMatchObject(expected)
    })

    test('of who may not', async () => {
      await expect(as('nobody').list(configMap)).rejects.toMatchObject({ code: 403, reason: 'Forbidden' })
      const events = as('nobody').watch(configMap, {}, new AbortController().signal)
      await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 403 })
    })

    test('of a server that is gone are no answer', async () => {
      await server.close()
      await expect(client.get(configMap, ref('a'))).rejects.toSatisfy(isUnreachable)
      await expect(client.raw('GET', '/readyz')).rejects.toSatisfy(isUnreachable)
    })
  })

  describe('acting as another user', () => {
    const whoAmI = async (by: KubeClient): Promise<unknown> => {
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      const { body } = await by.raw('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review)
      return (body as { status: { userInfo: unknown } }).status.userInfo
    }
    const allow = async (user: string, rules: readonly PolicyRule[]): Promise<void> => {
      const metadata = { name: user.toLowerCase() }
      await client.create(clusterRole, { ...metaOf('ClusterRole'), metadata, rules: [...rules] })
      await client.create(clusterRoleBinding, {
        ...metaOf('ClusterRoleBinding'),
        metadata,
        subjects: [{ kind: 'User', name: user, apiGroup: RBAC_GROUP }],
        roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: metadata.name },
      })
    }
    const metaOf = (kind: string) => ({ apiVersion: `${RBAC_GROUP}/v1`, kind })

    test('is being that user, with uid, groups and extra, whatever is written in them', async () => {
      const jane = {
        user: 'https://idp.example#Jörg Ünal 100%25',
        uid: 'u-1',
        groups: ['shop', 'größe', 'a%2fb'],
        extra: { 'example.com/Scopes': ['öffentlich', 'b'], 'sp ace%': ['c'], none: [] },
      }
      expect(await whoAmI(client.as(jane))).toEqual({
        username: jane.user,
        uid: 'u-1',
        groups: ['shop', 'größe', 'a%2fb', 'system:authenticated'],
        extra: { 'example.com/scopes': ['öffentlich', 'b'], 'sp ace%': ['c'] },
      })
      expect(await whoAmI(client)).toMatchObject({ username: 'admin' })
    })

    test('does what that user may do, and no more: reads, writes, watches', async () => {
      await allow('jane', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create', 'watch'] }])
      const jane = client.as({ user: 'jane', groups: [] })
      await jane.create(configMap, draft('a'))
      expect((await jane.get(configMap, ref('a'))).metadata.name).toBe('a')
      await expect(jane.delete(configMap, ref('a'))).rejects.toMatchObject({
        code: 403,
        message: expect.stringContaining('"jane"'),
      })
      await expect(jane.list(configMap)).rejects.toMatchObject({ code: 403 })
      const seen = jane.watch(configMap, {}, new AbortController().signal)[Symbol.asyncIterator]()
      expect(await seen.next()).toMatchObject({ value: { type: 'ADDED', object: { metadata: { name: 'a' } } } })
      await seen.return?.()
      const unseen = client.as({ user: 'joe', groups: [] }).watch(configMap, {}, new AbortController().signal)
      await expect(unseen[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 403 })
    })

    test('is kept into members, and replaced by the next', async () => {
      await client.create(clusterKind, {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name: 'member1', annotations: { 'sim.evenkeel.io/nodes': '1' } },
        spec: { syncMode: 'Push' },
      })
      const jane = client.as({ user: 'jane', groups: [] })
      await expect(jane.member('member1').list(configMap)).rejects.toMatchObject({ code: 403 })
      await expect(client.member('member1').as({ user: 'jane', groups: [] }).list(configMap)).rejects.toMatchObject({
        code: 403,
      })
      expect((await client.member('member1').list(configMap)).items).toBeInstanceOf(Array)
      expect(await whoAmI(jane.as({ user: 'joe', groups: ['g'] }))).toEqual({
        username: 'joe',
        groups: ['g', 'system:authenticated'],
      })
    })

    test('needs the right to', async () => {
      await expect(as('nobody').as({ user: 'jane', groups: [] }).get(configMap, ref('a'))).rejects.toMatchObject({
        code: 403,
        message: expect.stringContaining('User "nobody" cannot impersonate'),
      })
      await allow('nobody', [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }])
      expect(await whoAmI(as('nobody').as({ user: 'jane', groups: ['system:authenticated'] }))).toMatchObject({
        username: 'jane',
      })
      await expect(
        as('nobody')
          .as({ user: 'jane', groups: ['system:masters'] })
          .get(configMap, ref('a')),
      ).rejects.toMatchObject({ code: 403, message: expect.stringContaining('User "nobody" cannot impersonate') })
    })

    const unfit: [string, Identity][] = [
      ['no name', { user: '', groups: [] }],
      ['a line break in the name', { user: 'jane\r\nImpersonate-Group: system:masters', groups: [] }],
      ['a space before a group, which would go on the way', { user: 'jane', groups: [' system:masters'] }],
      ['an empty group', { user: 'jane', groups: [''] }],
      ['an extra with a line break', { user: 'jane', groups: [], extra: { a: ['b\nc'] } }],
      ['an extra without a name', { user: 'jane', groups: [], extra: { '': ['b'] } }],
      ['half a character', { user: 'jane\ud800', groups: [] }],
    ]
    test.each(unfit)('is refused for %s', (_what, identity) => {
      expect(() => client.as(identity)).toThrow(expect.objectContaining({ code: 400, reason: 'BadRequest' }) as Error)
    })
  })

  describe('a watch', () => {
    /** Reads in the background; `next(n)` gives the following n events. */
    const open = (options: WatchOptions, from: KubeClient = client, signal = new AbortController().signal) => {
      const events = from.watch(configMap, { namespace: 'default', ...options }, signal)[Symbol.asyncIterator]()
      const next = async (count: number): Promise<WatchEvent<ConfigMap>[]> => {
        const read: WatchEvent<ConfigMap>[] = []
        while (read.length < count) {
          const { done, value } = await events.next()
          if (done) throw new Error(`the watch ended after ${read.length} of ${count} events`)
          read.push(value)
        }
        return read
      }
      return { events, next }
    }
    const told = (events: readonly WatchEvent<ConfigMap>[]): string[] =>
      events.map((event) =>
        event.type === 'BOOKMARK'
          ? `BOOKMARK${event.initialEventsEnd ? ' end' : ''}`
          : `${event.type} ${event.object.metadata.name}`,
      )

    test('streams the present state up to its mark, then what happens, in order', async () => {
      await client.create(configMap, draft('a'))
      let opened = 0
      const { next, events } = open({
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        onOpen: () => void (opened += 1),
      })
      expect(told(await next(2))).toEqual(['ADDED a', 'BOOKMARK end'])
      expect(opened).toBe(1)
      await Promise.all(['b', 'c', 'd'].map((name) => client.create(configMap, draft(name))))
      await client.delete(configMap, ref('a'))
      const rest = await next(4)
      expect(told(rest).toSorted()).toEqual(['ADDED b', 'ADDED c', 'ADDED d', 'DELETED a'])
      const versions = rest.map((event) =>
        Number(event.type === 'BOOKMARK' ? 0 : event.object.metadata.resourceVersion),
      )
      expect(versions).toEqual(versions.toSorted((one, other) => one - other))
      await events.return?.()
    })

    test('goes on from a version, and shows what enters and leaves a selection', async () => {
      const {
        metadata: { resourceVersion },
      } = await client.create(configMap, draft('a'))
      await client.patch(configMap, ref('a'), { type: 'merge', value: { metadata: { labels: { on: 'yes' } } } })
      const left = await client.patch(configMap, ref('a'), { type: 'merge', value: { metadata: { labels: null } } })
      const { next, events } = open({ resourceVersion, labelSelector: 'on' })
      const read = await next(2)
      expect(told(read)).toEqual(['ADDED a', 'DELETED a'])
      expect(read[1]).toMatchObject({
        object: { metadata: { labels: { on: 'yes' }, resourceVersion: left.metadata.resourceVersion } },
      })
      await events.return?.()
    })

    test('from a version that is forgotten is refused', async () => {
      const {
        metadata: { resourceVersion },
      } = await client.create(configMap, draft('a'))
      await client.create(configMap, draft('b'))
      store.compact(store.revision)
      await expect(open({ resourceVersion }).events.next()).rejects.toMatchObject({ code: 410, reason: 'Expired' })
    })

    test('ends quietly when it is aborted', async () => {
      const stop = new AbortController()
      const opened = Promise.withResolvers<void>()
      const reading = open({ onOpen: opened.resolve }, client, stop.signal).events.next()
      await opened.promise
      stop.abort()
      expect((await reading).done).toBe(true)
    })

    test('into a member ends when that goes down, and is refused until it is back', async () => {
      const metadata = { name: 'member1', annotations: { 'sim.evenkeel.io/nodes': '1' } }
      const created = await client.create(clusterKind, {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata,
        spec: { syncMode: 'Push' },
      })
      const member = client.member('member1')
      await member.create(configMap, draft('a'))
      const { next, events } = open({}, member)
      expect(told(await next(1))).toEqual(['ADDED a'])
      const set = (state: string) =>
        client.patch(
          clusterKind,
          { name: created.metadata.name },
          { type: 'merge', value: { metadata: { annotations: { 'sim.evenkeel.io/state': state } } } },
        )
      await set('down')
      expect((await events.next()).done).toBe(true)
      await expect(open({}, member).events.next()).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' })
      await set('up')
      expect(told(await open({}, member).next(1))).toEqual(['ADDED a'])
    })

    test('whose reader does not keep up is cut off, and goes on from where it was', async () => {
      const opened = Promise.withResolvers<void>()
      const { next, events } = open({ onOpen: opened.resolve })
      const first = next(1)
      await opened.promise
      // More than servers and networks keep for a reader that does not read.
      const data = { big: 'x'.repeat(1024 * 1024) }
      for (let count = 0; count < 40; count += 1)
        await client.create(configMap, draft(`c${String(count).padStart(2, '0')}`, data))
      const [seen] = await first
      await turn()
      const readAll = async (): Promise<string> => {
        let last = seen as WatchEvent<ConfigMap>
        try {
          for (;;) last = (await next(1))[0] as WatchEvent<ConfigMap>
        } catch (error) {
          expect(error).toSatisfy(isUnreachable)
          return last.type === 'BOOKMARK' ? last.resourceVersion : last.object.metadata.resourceVersion
        }
      }
      const resourceVersion = await readAll()
      const { items } = await client.list(configMap, { namespace: 'default' })
      const missed = items.filter(({ metadata }) => Number(metadata.resourceVersion) > Number(resourceVersion))
      expect(missed.length).toBeGreaterThan(0)
      const again = open({ resourceVersion })
      expect(told(await again.next(missed.length))).toEqual(missed.map(({ metadata: { name } }) => `ADDED ${name}`))
      await Promise.all([events.return?.(), again.events.return?.()])
    })
  })
})
