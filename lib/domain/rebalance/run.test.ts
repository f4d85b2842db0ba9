import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { workloadKey } from './sync-status'
import { decideApproval, decideNextStep, decideOrphan, describePhase, type PlanSubject, readRunRecord } from './run'

const now = Date.parse('2026-01-02T00:00:00Z')
const writing = { now, english: english.of }
const dynamic = byAvailableReplicas()
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `app-${index}`)
const approve = (bindings: ReturnType<typeof aBinding>[], clusters: ReturnType<typeof aCluster>[]) =>
  decideApproval({
    plan: { name: 'p', uid: 'u', generation: 1, spec: { selection: { namespaces: ['default'] } }, status: {} },
    bindings,
    clusters,
    ...writing,
  })
const reasonOf = ({ status }: ReturnType<typeof approve>) =>
  status.conditions?.find(({ type }) => type === 'Progressing')?.reason

describe('a plan keeps its record in one object', () => {
  test.each([
    ['as many workloads as there may be', 1000, 2, 'AwaitingApproval'],
    ['one more', 1001, 2, 'TooManyWorkloads'],
    ['fewer that run in very many clusters', 400, 40, 'TooManyWorkloads'],
  ])('%s', (_name, workloads, clusters, expected) => {
    const members = Array.from({ length: clusters }, (_, index) =>
      aCluster(`member-with-a-long-name-${index}`, 100_000),
    )
    const bindings = namesOf(workloads).map((name) => aBinding(name, { elsewhere: 40 }, { placement: dynamic }))
    expect(reasonOf(approve(bindings, members))).toBe(expected)
  })
})

describe('a running plan says where it is', () => {
  const wave = { number: 1, workloads: 1, replicasMoved: 2, startedAt: '2026-01-02T00:00:00Z' }
  test.each<[string, Parameters<typeof describePhase>[0], string]>([
    ['before its first wave', {}, 'The first wave has not started yet.'],
    ['in a wave', { wave: 1, waves: [wave] }, 'Wave 1 is in progress.'],
    [
      'in the pause after a wave',
      { wave: 1, waves: [{ ...wave, finishedAt: '2026-01-02T00:00:05Z' }] },
      'Wave 1 is finished, the next one has not started yet.',
    ],
  ])('%s', (_name, status, expected) => {
    expect(english.of(describePhase({ phase: 'Running', ...status }).text)).toBe(expected)
  })
})

describe('a wave that begins later predicts again', () => {
  const web = aBinding('web', { member2: 6 }, { placement: dynamic })
  const before = [aCluster('member1', 20), aCluster('member2', 20)]
  const spec = { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }] }
  const begunIn = (clusters: ReturnType<typeof aCluster>[]) => {
    const plan = { name: 'p', uid: 'u', generation: 1, spec: { ...spec, autoApprove: true }, status: {} }
    const { status } = decideApproval({ plan, bindings: [web], clusters: before, ...writing })
    const bindings = new Map([[workloadKey(spec.workloads[0]!), web]])
    const next = decideNextStep({ plan: { ...plan, status }, bindings, clusters, since: new Map(), ...writing })
    const [entry] = next.status.workloads ?? []
    return [entry?.stage, entry?.predicted?.map(({ name, replicas }) => `${name} ${replicas}`), entry?.renewed]
  }
  test('and marks what is not as in the approved preview', () => {
    expect(begunIn(before)).toEqual(['Triggered', ['member1 3', 'member2 3'], undefined])
    expect(begunIn([aCluster('member1', 20), aCluster('member2', 4)])).toEqual([
      'Triggered',
      ['member1 4', 'member2 2'],
      true,
    ])
  })
})

describe('an invalid plan is refused with a message', () => {
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
  const to = (...clusters: [name: string, replicas: number][]) => ({
    workload: web,
    clusters: clusters.map(([name, replicas]) => ({ name, replicas })),
  })
  test.each<[string, PlanSubject['spec'], string]>([
    ['that asks for nothing', {}, 'NothingSelected'],
    ['whose lists are empty', { workloads: [], selection: { namespaces: [] }, restore: [] }, 'NothingSelected'],
    ['that undoes and chooses', { undoOf: 'p', workloads: [web] }, 'Contradiction'],
    [
      'that restores and chooses',
      { restore: [to(['member1', 6])], selection: { kinds: ['Deployment'] } },
      'Contradiction',
    ],
    ['that undoes and restores', { undoOf: 'p', restore: [to(['member1', 6])] }, 'Contradiction'],
    ['that undoes an unknown plan', { undoOf: 'p' }, 'PlanNotFound'],
    [
      'with an operator that does not exist',
      { selection: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['x'] }] } } },
      'BadSelector',
    ],
    ['with a label that cannot be', { selection: { labelSelector: { matchLabels: { 'a b': 'x' } } } }, 'BadSelector'],
    ['with a budget below nothing', { workloads: [web], minReady: -1 }, 'BadAmount'],
    ['with waves of words', { workloads: [web], waves: { size: 'all' } }, 'BadAmount'],
    ['with a share below nothing', { workloads: [web], waves: { maxReplicasMoved: '-5%' } }, 'BadAmount'],
    [
      'that brings a workload back to two places',
      { restore: [to(['member1', 6]), to(['member2', 6])] },
      'BadRestoration',
    ],
    ['that names a cluster twice', { restore: [to(['member1', 3], ['member1', 3])] }, 'BadRestoration'],
    ['that takes more than there is', { restore: [to(['member1', -4], ['member2', 10])] }, 'BadRestoration'],
  ])('%s', (_name, spec, expected) => {
    const decision = decideApproval({
      plan: { name: 'p', uid: 'u', generation: 1, spec: { ...spec, autoApprove: true }, status: {} },
      bindings: [aBinding('web', { member1: 6 }, { placement: dynamic })],
      clusters: [aCluster('member1'), aCluster('member2')],
      ...writing,
      restorations: spec.restore?.length ? spec.restore : undefined,
    })
    expect(reasonOf(decision)).toBe(expected)
    expect(decision.status.phase).toBe('Invalid')
  })
})

test('a plan without moves reports how many workloads did not move, and why', () => {
  const clusters = [aCluster('member1'), aCluster('member2')]
  const bindings = [
    aBinding('best', { member1: 3, member2: 3 }, { placement: dynamic }),
    aBinding('paused', { member1: 6 }, { placement: dynamic, suspension: { scheduling: true } }),
  ]
  const workloads = ['best', 'paused', 'nobody'].map((name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'default',
    name,
  }))
  const plan = { name: 'p', uid: 'u', generation: 1, spec: { workloads, autoApprove: true }, status: {} }
  const { status } = decideApproval({ plan, bindings, clusters, ...writing })
  const after = decideNextStep({
    plan: { ...plan, status },
    bindings: new Map(),
    clusters,
    ...writing,
    since: new Map(),
  }).status
  expect([after.phase, after.conditions?.find(({ type }) => type === 'Complete')?.message]).toEqual([
    'Completed',
    '0 of 3 workloads moved; skipped: 1 already balanced, 1 without a ResourceBinding and 1 with scheduling suspended.',
  ])
})

test.each([
  ['is none', 'no JSON'],
  ['lacks what it needs', '{"plan":"p"}'],
  ['is a list', '[]'],
  ['is null', 'null'],
  [
    'names clusters without a name',
    JSON.stringify({
      plan: 'p',
      uid: 'u',
      at: 'now',
      generation: 1,
      before: [null],
      predicted: [],
      hold: [],
      keep: [],
    }),
  ],
  [
    'keeps what is no cluster',
    JSON.stringify({ plan: 'p', uid: 'u', at: 'now', generation: 1, before: [], predicted: [], hold: [], keep: [{}] }),
  ],
])('a note on a binding that %s is no note, and nothing is done about it', (_name, text) => {
  const binding = aBinding('web', { member1: 1 })
  const noted = { ...binding, metadata: { ...binding.metadata, annotations: { 'rebalance.evenkeel.io/run': text } } }
  expect(readRunRecord(noted)).toBeUndefined()
  expect(decideOrphan({ binding: noted, clusters: [], ...writing })).toBeUndefined()
})
