/** Rehearsals of the console as a whole: the API, the copy with the rights of its user, and the thread. */
import { expect, test } from 'vitest'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Problem } from '@/lib/view/problems'
import { replayOf } from '@/lib/view/incident/replay'
import type {
  RehearsalDetailView,
  RehearsalRecordingView,
  RehearsalsView,
  RehearsalView,
} from '@/lib/view/rehearsal-model'
import { call } from '@/server/bff/testing/call'
import {
  clientOf,
  grant,
  MARKERS,
  startPlaneOfTwo,
  TENANTS,
  trustingAuthenticator,
} from '@/server/bff/testing/plane-of-two'
import { eventually, startBff } from '@/server/bff/testing/start-bff'
import { parseConfig } from '@/server/config/config'
import { systemClock } from '@/server/runtime/system-clock'
import { heapFor, rehearsals } from './rehearsals'

const READ = ['get', 'list', 'watch']
const SETTINGS = parseConfig([], {})
const AMBER = 'member-amber'

const scenarioOn = (name: string, duration = '2m'): string => `apiVersion: evenkeel.io/v1alpha1
kind: Scenario
metadata: { name: test }
spec:
  duration: ${duration}
  steps:
    - { at: 10s, lose: { clusters: [${name}] } }
  assertions:
    - recoverWithin: { time: 60s }
    - nothingDeletedEverywhere: {}
`

async function startConsole(limits?: { workloads: number; replicas: number }) {
  const env = await startPlaneOfTwo()
  await grant(env, 'admin', [{ resources: ['*'], verbs: ['*'] }])
  await grant(env, 'red', [
    { resources: ['*'], verbs: READ, namespaces: ['ns-red'] },
    { resources: ['clusters'], verbs: READ },
  ])
  await grant(env, 'no-clusters', [{ resources: ['*'], verbs: READ, namespaces: ['ns-red'] }])
  await grant(env, 'no-bindings', [{ resources: ['clusters'], verbs: READ }])
  const own = rehearsals({ source: 'the source', settings: SETTINGS, now: () => env.clock.now(), heapMb: 512 })
  const { url } = await startBff({
    client: env.client,
    informers: env.informers,
    clock: systemClock,
    authenticator: trustingAuthenticator(env),
    rehearsals: { ...own, ...(limits && { limits }) },
  })
  await eventually(async () => expect((await call(`${url}/readyz`)).status).toBe(200))
  const ask = async <T>(user: string, path: string, options: { method?: string; body?: unknown } = {}) => {
    const { status, json, text } = await call(`${url}/api/v1/${path}`, { ...options, headers: { 'x-test-user': user } })
    return { status, json: json as T, text }
  }
  const begin = (user: string, scenario: string) =>
    ask<RehearsalView & Problem>(user, 'rehearsals', { method: 'POST', body: { scenario } })
  const ended = (user: string, id: string) =>
    eventually(async () => {
      const answer = await ask<RehearsalDetailView>(user, `rehearsals/${id}`)
      expect(answer.json.run.state).not.toMatch(/waiting|running/)
      return answer
    }, 60_000)
  return { env, ask, begin, ended }
}

const namesIn = (text: string): string[] => MARKERS.filter((marker) => text.includes(marker))

test('the settings of the controllers can be passed to a thread', () => {
  const { gates, compatibility, timing, failoverDefaults } = SETTINGS
  const settings = { gates, compatibility, timing, failoverDefaults }
  expect(structuredClone(settings)).toEqual(settings)
})

test.each([
  [0, 16 * 2 ** 30, 2048],
  [2 ** 30, 16 * 2 ** 30, 384],
  [2 ** 62, 2 ** 30, 384],
  [2 ** 28, 16 * 2 ** 30, 128],
])('a thread gets what the memory permits: %d of %d bytes', (constrained, total, heap) => {
  expect(heapFor(constrained, total)).toBe(heap)
})

test('a scenario runs on a copy, its result is shown, and nothing is written to the source', async () => {
  const { env, ask, begin, ended } = await startConsole()
  const before = await Promise.all([env.client.list(cluster), env.client.list(resourceBinding)])
  const { status, json: run } = await begin('admin', scenarioOn(AMBER))
  expect(status).toBe(201)
  const { json, text } = await ended('admin', run.id)
  expect(json.run, text).toMatchObject({ state: 'done', steps: 1, assertions: 2, problems: [] })
  expect(json.result).toMatchObject({ source: 'the source', clusters: 3, steps: [{ step: 0, atMs: 10_000 }] })
  expect(json.result!.assertions.map(({ kind }) => kind)).toEqual(['recoverWithin', 'nothingDeletedEverywhere'])
  const lane = json.result!.course.find((one) => one.cluster === AMBER)
  expect(lane?.points.at(-1)).toMatchObject({ up: false })
  expect(await Promise.all([env.client.list(cluster), env.client.list(resourceBinding)])).toEqual(before)
  const { json: list } = await ask<RehearsalsView>('admin', 'rehearsals')
  expect(list.rehearsals.map(({ id }) => id)).toEqual([run.id])
  for (const path of ['', '/recording']) expect((await ask('red', `rehearsals/${run.id}${path}`)).status).toBe(404)
  expect((await ask<RehearsalsView>('red', 'rehearsals')).json.rehearsals).toEqual([])
}, 90_000)

test('its incidents and plans are recorded as those of the fleet are', async () => {
  const { ask, begin, ended } = await startConsole()
  const text = scenarioOn(AMBER, '5m').replace(
    '  assertions:',
    `    - { at: 2m, recover: { clusters: [${AMBER}] } }
    - { at: 4m, rebalance: { namespaces: [ns-red, ns-blue] } }
  assertions:`,
  )
  const { json: run } = await begin('admin', text)
  const { json, text: told } = await ended('admin', run.id)
  expect(json.result, told).toMatchObject({ incidents: [{ cluster: AMBER }], plans: [{ phase: 'Completed' }] })
  const [{ atMs } = { atMs: 0 }] = json.result!.incidents
  expect(atMs).toBeGreaterThanOrEqual(10_000)
  expect(atMs).toBeLessThan(120_000)
  const { status, json: recording } = await ask<RehearsalRecordingView>('admin', `rehearsals/${run.id}/recording`)
  expect(status).toBe(200)
  const replay = replayOf(recording.incidents[0]!)
  expect(replay.milestones.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['notReady', 'tainted', 'evicting', 'readyAgain']),
  )
  expect(replay.counts.last()?.affected).toBeGreaterThan(0)
  expect(recording.plans[0]).toMatchObject({ plan: { name: json.result!.plans[0]!.name, counts: { failed: 0 } } })
}, 90_000)

test('a tenant rehearses the objects that the tenant may read, and missing ones are reported', async () => {
  const { begin, ended } = await startConsole()
  const { json: run } = await begin('red', scenarioOn(AMBER))
  const { json, text } = await ended('red', run.id)
  expect(json.run.state, text).toBe('done')
  expect(namesIn(text).filter((name) => name.startsWith(TENANTS['ns-blue']) || name === 'ns-blue')).toEqual([])
  expect(text).toContain('ns-red')
  expect(json.result!.omissions.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['twin.omission.OtherNamespaces', 'twin.omission.Forbidden']),
  )
}, 90_000)

test.each([
  ['no-clusters', /clusters/],
  ['no-bindings', /bindings/],
])('%s is refused with the right that is missing', async (user, words) => {
  const { ask, begin } = await startConsole()
  for (const answer of [await begin(user, scenarioOn(AMBER)), await ask<Problem>(user, 'rehearsals')]) {
    expect(answer).toMatchObject({
      status: 403,
      json: { reason: 'Forbidden', detail: expect.stringMatching(words) as string },
    })
  }
})

test.each([
  [
    'an unknown verb',
    scenarioOn(AMBER).replace('lose:', 'explode:'),
    /^line 7: spec\.steps\[0\]\.explode: Unknown verb/,
  ],
  [
    'times that run backwards',
    scenarioOn(AMBER).replace('  assertions:', '    - { at: 5s, recover: { clusters: [a] } }\n  assertions:'),
    /line 8: spec\.steps\[1\]\.at: .*backwards/,
  ],
  ['no YAML', '{', /YAML/],
])('%s is a problem with its place', async (_, text, words) => {
  const { begin } = await startConsole()
  expect(readScenario(text)).toHaveProperty('problems')
  expect(await begin('admin', text)).toMatchObject({
    status: 400,
    json: { reason: 'Invalid', field: 'scenario', detail: expect.stringMatching(words) as string },
  })
})

test('a cluster that the copy does not have ends it with the reason', async () => {
  const { begin, ended } = await startConsole()
  const { json: run } = await begin('admin', scenarioOn('nowhere'))
  expect((await ended('admin', run.id)).json.run).toMatchObject({
    state: 'ended',
    problems: [{ code: 'rehearsal.input.inStep' }],
  })
}, 90_000)

test('one that runs is cancelled, and its thread with it', async () => {
  const { ask, begin, ended } = await startConsole()
  const { json: run } = await begin('admin', scenarioOn(AMBER, '24h'))
  await eventually(async () => {
    const { json } = await ask<RehearsalDetailView>('admin', `rehearsals/${run.id}`)
    expect(json.run.progress?.phase).toBe('running')
  }, 60_000)
  expect((await ask('red', `rehearsals/${run.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await ask('admin', `rehearsals/${run.id}`, { method: 'DELETE' })).status).toBe(200)
  expect((await ended('admin', run.id)).json.run.state).toBe('cancelled')
}, 90_000)

test('a federation that does not fit is refused before it is read', async () => {
  const { begin } = await startConsole({ workloads: 1, replicas: 1000 })
  expect(await begin('admin', scenarioOn(AMBER))).toMatchObject({ status: 422, json: { reason: 'Refused' } })
})

test('one that needs more memory than it may ends alone', async () => {
  const env = await startPlaneOfTwo()
  await grant(env, 'admin', [{ resources: ['*'], verbs: ['*'] }])
  const { run } = rehearsals({ source: 'the source', settings: SETTINGS, now: () => env.clock.now(), heapMb: 24 })
  const read = readScenario(scenarioOn(AMBER))
  if ('problems' in read) throw new Error('not a scenario')
  const outcome = await run({
    scenario: read.scenario,
    client: clientOf(env, 'admin'),
    namespaces: [],
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  expect(outcome).toMatchObject({ problems: [{ code: 'rehearsals.problem.memory' }] })
}, 90_000)
