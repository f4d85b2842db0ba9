/**
 * Users with various rights against every action. Without a list of rules: changes in the control plane are compared
 * with the user's permissions at the API server, and the console itself never writes.
 */
import { expect, test } from 'vitest'
import type { Kind } from '@/lib/kube/kind'
import { event } from '@/lib/kube/kinds/event'
import { reviewKinds, selfSubjectAccessReview } from '@/lib/kube/kinds/access-reviews'
import { seededRng } from '@/lib/std/rng'
import type { KubeClient } from '@/server/kube/client'
import { systemClock } from '@/server/runtime/system-clock'
import type { Env } from '@/server/testing/start-env'
import { call } from './testing/call'
import {
  trustingAuthenticator,
  clientOf,
  type Grant,
  grant,
  idOfWeb,
  listedBy,
  MARKERS,
  startPlaneOfTwo,
  TENANTS,
  type TenantNamespace,
} from './testing/plane-of-two'
import { actionsOn, type Bases, type Line } from './testing/requests'
import { eventually, startBff } from './testing/start-bff'
import { KINDS_READ } from './cache/control-plane-cache'

const NAMESPACES = Object.keys(TENANTS) as TenantNamespace[]
const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'update', 'patch', 'delete']

const SHAPES: Record<string, readonly Grant[]> = {
  nobody: [],
  viewer: [{ resources: ['*'], verbs: READ }],
  'blind-writer': [{ resources: ['resourcebindings', 'queues'], verbs: ['patch', 'update'], namespaces: ['ns-red'] }],
  'binding-writer': [{ resources: ['resourcebindings'], verbs: [...READ, 'patch'], namespaces: ['ns-red'] }],
  'queue-keeper': [{ resources: ['queues', 'resourcebindings'], verbs: [...READ, ...WRITE], namespaces: ['ns-blue'] }],
  'by-name': [
    { resources: ['queues'], verbs: [...READ, 'patch'], namespaces: ['ns-red'], resourceNames: ['crimson-queue'] },
  ],
  'status-writer': [
    { resources: ['*/status'], verbs: ['*'] },
    { resources: ['*'], verbs: READ },
  ],
  'receiver-tester': [{ resources: ['noticereceivers/test'], verbs: ['create'] }],
  planner: [{ resources: ['rebalanceplans', 'workloadrebalancers'], verbs: ['create'] }],
  drainer: [{ resources: ['clusters'], verbs: ['get', 'patch'] }],
  'red-tenant': [{ resources: ['*'], verbs: ['*'], namespaces: ['ns-red'] }],
}

/** Each writing verb on each resource nowhere, in one namespace, or everywhere. */
function inventedShapes(count: number): Record<string, readonly Grant[]> {
  const rng = seededRng(20261122)
  const resources = ['resourcebindings', 'queues', 'clusters', 'rebalanceplans', 'workloadrebalancers']
  const shape = (): Grant[] =>
    resources.flatMap((resource) =>
      WRITE.flatMap((verb): Grant[] => {
        const place = rng.below(4)
        if (place > 2) return []
        return [
          {
            resources: [resource],
            verbs: ['get', 'list', verb],
            ...(place < 2 && { namespaces: [NAMESPACES[place]!] }),
          },
        ]
      }),
    )
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`invented-${index}`, shape()]))
}

/** A console whose own writes are noted. */
async function startConsole() {
  const env = await startPlaneOfTwo()
  const own: string[] = []
  const tested: string[] = []
  const { url } = await startBff({
    client: noting(env.client, own),
    informers: env.informers,
    clock: systemClock,
    authenticator: trustingAuthenticator(env),
    rateLimits: { queriesPerMinute: 100_000, actionsPerMinute: 100_000 },
    notices: {
      list: async () => [],
      test: async (name) => {
        tested.push(name)
        return { at: '2026-11-22T03:00:00Z', result: 'sent', attempts: 1 }
      },
    },
  })
  await eventually(async () => expect((await call(`${url}/readyz`)).status).toBe(200))
  const ask = (user: string, method: string, { path, body }: Line) =>
    call(`${url}/api/v1/${path}`, { method, headers: { 'x-test-user': user }, ...(body !== undefined && { body }) })
  return { env, own, tested, ask }
}

function noting(client: KubeClient, own: string[]): KubeClient {
  const transient = new Set<unknown>([...reviewKinds, event])
  const note =
    <A extends unknown[], R>(verb: string, write: (kind: Kind, ...rest: A) => R) =>
    (kind: Kind, ...rest: A): R => {
      if (!transient.has(kind)) own.push(`${verb} ${kind.plural}`)
      return write(kind, ...rest)
    }
  const { create, update, patch } = client
  return {
    ...client,
    create: note('create', create as never),
    update: note('update', update as never),
    patch: note('patch', patch as never),
    delete: note('delete', client.delete as never),
  } as KubeClient
}

/** By kind and name, every object that a user could have changed. */
async function snapshot(
  env: Env,
): Promise<Map<string, { kind: Kind; namespace?: string; name: string; version: string }>> {
  const found = new Map<string, { kind: Kind; namespace?: string; name: string; version: string }>()
  for (const kind of KINDS_READ.filter((each) => each !== (event as unknown as Kind))) {
    for (const {
      metadata: { namespace, name, resourceVersion },
    } of (await env.client.list(kind)).items) {
      found.set(`${kind.plural} ${namespace ?? ''}/${name}`, {
        kind,
        name,
        version: resourceVersion,
        ...(namespace !== undefined && { namespace }),
      })
    }
  }
  return found
}

async function basesFor(
  ask: Awaited<ReturnType<typeof startConsole>>['ask'],
  user: string,
  namespace: TenantNamespace,
): Promise<Bases> {
  const baseOf = async (line: Line) => ((await ask(user, 'POST', line)).json as { base: string }).base
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `${TENANTS[namespace]}-web` }
  return {
    rebalance: await baseOf({ path: 'rebalance-previews', body: { targets: [target] } }),
    evict: await baseOf({
      path: 'failover-previews',
      body: { action: 'evict', workload: idOfWeb(namespace), cluster: 'member-amber', purgeMode: 'Never' },
    }),
    drain: await baseOf({ path: 'failover-previews', body: { action: 'drain', cluster: 'member-jade' } }),
  }
}

const linesOf = (namespace: TenantNamespace, bases: Bases) =>
  Object.entries(actionsOn(namespace, bases)).flatMap(([operation, lines]) =>
    lines.map((line) => ({ method: operation.split(' ')[0]!, line })),
  )

test('who may do everything can do each of these: that others cannot is no accident', async () => {
  const { env, own, ask } = await startConsole()
  await grant(env, 'admin', [{ resources: ['*'], verbs: ['*'] }])
  const bases = await basesFor(ask, 'admin', 'ns-red')
  for (const { method, line } of linesOf('ns-red', bases)) {
    // The caches of the console may be a moment behind what was done just before.
    await eventually(async () => {
      const { status, json, text } = await ask('admin', method, line)
      // No workload of this control plane moves, so that there is no rebalancer to create; the plans show that right.
      const done = status < 300 || (json as { reason?: string }).reason === 'NothingToDo'
      expect([method, line.path, done, text]).toEqual([method, line.path, true, expect.any(String)])
    })
  }
  expect(own).toEqual([])
}, 60_000)

test('no user changes what the API server does not let them change, with any order and any preview', async () => {
  const { env, own, tested, ask } = await startConsole()
  await grant(env, 'admin', [{ resources: ['*'], verbs: ['*'] }])
  const stolen = {
    'ns-red': await basesFor(ask, 'admin', 'ns-red'),
    'ns-blue': await basesFor(ask, 'admin', 'ns-blue'),
  }
  let changed = 0
  for (const [user, grants] of Object.entries({ ...SHAPES, ...inventedShapes(4) })) {
    await grant(env, user, grants)
    const allowed = JSON.stringify(await listedBy(env, user))
    const before = await snapshot(env)
    for (const namespace of NAMESPACES) {
      for (const { method, line } of linesOf(namespace, stolen[namespace])) {
        const { text, status } = await ask(user, method, line)
        const asked = JSON.stringify(line)
        const foreign = MARKERS.filter(
          (name) => text.includes(name) && !allowed.includes(name) && !asked.includes(name),
        )
        expect([user, method, line.path, foreign, text.slice(0, foreign.length * 300)]).toEqual([
          user,
          method,
          line.path,
          [],
          '',
        ])
        if (grants.length === 0)
          expect([method, line.path, [401, 403, 404].includes(status)]).toEqual([method, line.path, true])
      }
    }
    const after = await snapshot(env)
    const differ = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key)?.version !== after.get(key)?.version,
    )
    for (const key of differ) {
      expect([user, key, await mayHave(env, user, before.get(key), after.get(key))]).toEqual([user, key, true])
    }
    expect([user, tested.splice(0).length > 0]).toEqual([user, await mayTest(env, user)])
    changed += differ.length
  }
  expect([own, changed > 5]).toEqual([[], true])
}, 120_000)

type Seen = Awaited<ReturnType<typeof snapshot>> extends Map<string, infer S> ? S : never

/** Whether the API server lets that user send a test to a receiver of notices, which it has no objects for. */
async function mayTest(env: Env, user: string): Promise<boolean> {
  const review = await clientOf(env, user).create(selfSubjectAccessReview, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: {
      resourceAttributes: {
        verb: 'create',
        group: 'evenkeel.io',
        resource: 'noticereceivers',
        subresource: 'test',
        name: 'pager',
      },
    },
  })
  return review.status?.allowed === true
}

/** Whether the API server lets that user make this difference. */
async function mayHave(env: Env, user: string, before: Seen | undefined, after: Seen | undefined): Promise<boolean> {
  const { kind, namespace, name } = (after ?? before)!
  const may = async (verb: string): Promise<boolean> => {
    const review = await clientOf(env, user).create(selfSubjectAccessReview, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: {
        resourceAttributes: {
          verb,
          group: kind.group,
          resource: kind.plural,
          ...(verb !== 'create' && { name }),
          ...(namespace !== undefined && { namespace }),
        },
      },
    })
    return review.status?.allowed === true
  }
  if (!after) return may('delete')
  if (!before) return may('create')
  return (await may('patch')) || (await may('update')) || ((await may('delete')) && (await may('create')))
}
