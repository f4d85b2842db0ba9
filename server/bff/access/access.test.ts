import { afterEach, describe, expect, test } from 'vitest'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import { kubeError } from '@/lib/kube/errors'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding } from '@/lib/testing/builders'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { KubeClient } from '@/server/kube/client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { type Env, startEnv } from '@/server/testing/start-env'
import { noBffMetrics } from '../metrics-hooks'
import { World } from '../world/world'
import { AccessBook } from './book'
import { BINDINGS, CLUSTERS, EVENTS, REBALANCERS, SPREADS, WORKS } from './resources'
import { Gate, Reviewer } from './reviewer'
import { EVERYTHING, scopeOf } from './scope'
import { UserAccess } from './user-access'

const log = createLogger({ level: 'silent' })
const rbac = 'rbac.authorization.k8s.io'
const ends: (() => Promise<void>)[] = []
afterEach(async () => { for (const end of ends.splice(0)) await end() })

/** Two tenants, and a role that lists what a tenant has. */
async function startPlane(console = (env: Env): KubeClient => env.client) {
  const env = await startEnv()
  for (const name of ['red', 'blue']) await env.createNamespace(name)
  await env.create(clusterRole, {
    apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'viewer' },
    rules: [{ apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['get', 'list'] }],
  })
  const book = new AccessBook({
    client: console(env), informers: env.informers, world: new World(env.informers, () => true), clock: systemClock,
    random: () => 0.5, log, metrics: noBffMetrics,
  })
  ends.push(async () => {
    book.close()
    await env.close()
  })
  const access = (user: string) => book.of({
    identity: { user, groups: [] }, key: user, via: 'token', client: env.client.as({ user, groups: ['system:authenticated'] }),
  })
  return { env, book, access }
}

const bind = (env: Env, user: string, namespace: string) => env.create(roleBinding, {
  apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: `${user}-views`, namespace },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'viewer' }, subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
})

const bindEverywhere = (env: Env, user: string, role: string) => env.create(clusterRoleBinding, {
  apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: `${user}-${role}` },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role }, subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
})

const red = { ...BINDINGS, namespace: 'red' }
const blue = { ...BINDINGS, namespace: 'blue' }

describe('the scope of a user', () => {
  test('is what the API server lets them list: nothing, a namespace, everything of a kind, everything', async () => {
    const { env, access } = await startPlane()
    await bind(env, 'rita', 'red')
    await bindEverywhere(env, 'vera', 'viewer')
    await bindEverywhere(env, 'anna', 'cluster-admin')
    const [nobody, rita, vera, anna] = await Promise.all(['nobody', 'rita', 'vera', 'anna'].map((user) => access(user).whenReviewed()))
    const seen = (scope = EVERYTHING) => [scope.sees(red), scope.sees(blue), scope.seesAll(BINDINGS), scope.seesAny(BINDINGS), scope.sees(CLUSTERS)]
    expect(seen(nobody)).toEqual([false, false, false, false, false])
    expect(seen(rita)).toEqual([true, false, false, true, false])
    expect(seen(vera)).toEqual([true, true, true, true, false])
    expect(seen(anna)).toEqual([true, true, true, true, true])
    expect([REBALANCERS, WORKS, EVENTS, SPREADS].map((resource) => [vera?.seesAll(resource), anna?.seesAll(resource)])).toEqual(Array.from({ length: 4 }, () => [false, true]))
  })

  test('has the same key for the same rights, whoever has them', async () => {
    const { env, access } = await startPlane()
    for (const user of ['rita', 'rosa']) await bind(env, user, 'red')
    await bind(env, 'bert', 'blue')
    const [rita, rosa, bert] = await Promise.all(['rita', 'rosa', 'bert'].map((user) => access(user).whenReviewed()))
    expect(rita?.key).toBe(rosa?.key)
    expect(rita?.key).not.toBe(bert?.key)
  })

  test('follows role bindings that come and go, and namespaces that appear', async () => {
    const { env, access } = await startPlane()
    const rita = access('rita')
    const keys: (string | undefined)[] = [(await rita.whenReviewed()).key]
    rita.onScope(({ key }) => keys.push(key))
    await bind(env, 'rita', 'red')
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await env.client.delete(roleBinding, { namespace: 'red', name: 'rita-views' })
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(false))
    expect(keys[0]).toBe(keys.at(-1))
    await env.createNamespace('new')
    await bind(env, 'rita', 'new')
    await env.eventually(() => expect(rita.scope?.sees({ ...BINDINGS, namespace: 'new' })).toBe(true))
  })

  test('is found in the namespaces of the workloads where the console may list neither namespaces nor RBAC', async () => {
    const { env, access } = await startPlane(({ client }) => client.as({ user: 'console', groups: ['system:authenticated'] }))
    for (const user of ['rita', 'bert']) await bind(env, user, user === 'rita' ? 'red' : 'blue')
    const [rita, bert] = [access('rita'), access('bert')]
    expect([(await rita.whenReviewed()).seesAny(BINDINGS), (await bert.whenReviewed()).seesAny(BINDINGS)]).toEqual([false, false])
    await env.create(resourceBinding, aBinding('web', { namespace: 'red' }))
    await env.eventually(() => expect([rita.scope?.sees(red), bert.scope?.seesAny(BINDINGS)]).toEqual([true, false]))
  })

  test('of who asks as the console itself is everything, without a question', async () => {
    const { book, env } = await startPlane()
    const access = book.of({ identity: { user: 'x', groups: [] }, key: 'local', via: 'local', client: env.client })
    expect([access.scope, await access.whenReviewed()]).toEqual([EVERYTHING, EVERYTHING])
  })
})

test('a question is asked once in ten seconds, and answers why not', async () => {
  const { env, access } = await startPlane()
  const rita = access('rita')
  const question = { ...BINDINGS, verb: 'patch', namespace: 'red', name: 'web' }
  expect(await rita.can(question)).toMatchObject({ allowed: false, reason: expect.stringMatching(/.+/) })
  expect(rita.can(question)).toBe(rita.can({ ...question }))
  await bind(env, 'rita', 'red')
  expect(await rita.can({ ...red, verb: 'list' })).toEqual({ allowed: true, reason: '' })
})

/** A user whose API server answers as the test says. */
function startUser() {
  const clock = createFakeClock()
  let answer: () => Promise<object> = () => Promise.resolve({ status: { allowed: true } })
  const calls: string[] = []
  const client = { create: (kind: { kind: string }) => { calls.push(kind.kind); return answer() } } as unknown as KubeClient
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`)
  const reviewer = new Reviewer({ client, gate: new Gate(4), metrics: noBffMetrics })
  const user = new UserAccess({ reviewer, clock, random: () => 0.5, namespaces: () => Promise.resolve(names) })
  const settle = () => new Promise((resolve) => { setImmediate(resolve) })
  return { clock, calls, user, settle, answerWith: (next: () => Promise<object>) => { answer = next } }
}

const silence = () => Promise.reject(kubeError(0, 'Unreachable', 'connection refused'))

describe('when the API server does not answer', () => {
  test('the last complete review counts for five minutes, then nothing is seen and the scope says why', async () => {
    const { clock, user, settle, answerWith } = startUser()
    expect((await user.whenReviewed()).seesAll(BINDINGS)).toBe(true)
    answerWith(silence)
    for (let at = 0; at < 4 * 60; at += 10) {
      clock.advance(10_000)
      await settle()
    }
    expect(user.scope?.seesAll(BINDINGS)).toBe(true)
    for (let at = 0; at < 120; at += 10) {
      clock.advance(10_000)
      await settle()
    }
    expect(user.scope?.sees(red)).toBe(false)
    expect(user.scope?.problem).toContain('connection refused')
    answerWith(() => Promise.resolve({ status: { allowed: true } }))
    clock.advance(10_000)
    await settle()
    expect([user.scope?.seesAll(BINDINGS), user.scope?.problem]).toEqual([true, undefined])
  })

  test('nor is anything seen on an old answer while a review hangs for ever', async () => {
    const { clock, user, settle, answerWith } = startUser()
    await user.whenReviewed()
    answerWith(() => new Promise(() => undefined))
    clock.advance(40_000)
    await settle()
    expect(user.scope?.seesAll(BINDINGS)).toBe(true)
    clock.advance(5 * 60_000)
    expect([user.scope?.sees(red), user.scope?.problem]).toEqual([false, expect.stringContaining('it does not answer')])
  })

  test('the first review says so, and the next one may succeed', async () => {
    const { user, answerWith } = startUser()
    answerWith(silence)
    await expect(user.whenReviewed()).rejects.toMatchObject({ reason: 'Unreachable' })
    answerWith(() => Promise.resolve({ status: { allowed: true } }))
    expect((await user.whenReviewed()).seesAll(BINDINGS)).toBe(true)
  })

  test('what could not be asked is not remembered as an answer', async () => {
    const { user, answerWith } = startUser()
    const question = { ...BINDINGS, verb: 'list' }
    answerWith(silence)
    await expect(user.can(question)).rejects.toMatchObject({ reason: 'Unreachable' })
    answerWith(() => Promise.resolve({ status: { allowed: true } }))
    expect(await user.can(question)).toEqual({ allowed: true, reason: '' })
  })
})

test('many namespaces are asked about a few at a time', async () => {
  const { user, answerWith, calls } = startUser()
  let [now, most] = [0, 0]
  answerWith(async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => { setImmediate(resolve) })
    now -= 1
    return { status: { allowed: false, resourceRules: [], nonResourceRules: [], incomplete: false } }
  })
  await user.whenReviewed()
  expect(calls.filter((kind) => kind === 'SelfSubjectRulesReview')).toHaveLength(300)
  expect(most).toBe(4)
})

test('rules that cannot all be shown are completed by single questions', async () => {
  const { user, answerWith, calls } = startUser()
  answerWith(() => Promise.resolve(calls.at(-1) === 'SelfSubjectRulesReview'
    ? { status: { resourceRules: [], nonResourceRules: [], incomplete: true } }
    : { status: { allowed: calls.includes('SelfSubjectRulesReview') } }))
  const scope = await user.whenReviewed()
  expect([scope.sees({ ...BINDINGS, namespace: 'n7' }), scope.seesAll(BINDINGS)]).toEqual([true, false])
})

test('a right that is limited to names is no right to list', () => {
  const scope = scopeOf(new Map([['resourcebindings.work.karmada.io', new Set<string>()]]))
  expect([scope.seesAny(BINDINGS), scope.key]).toEqual([false, scopeOf(new Map()).key])
})
