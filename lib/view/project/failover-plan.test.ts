import { describe, expect, test } from 'vitest'
import type { FailoverSettings } from '@/lib/domain/failover'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { planClusterAction, planWorkloadAction } from './failover-plan'
import { sampleBinding, sampleCluster } from './testing/samples'

const roomy = {
  apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
  resourceSummary: { allocatable: { cpu: '100', memory: '400Gi', pods: '1000' } },
}
const clusters = ['m1', 'm2'].map((name) =>
  sampleCluster(name, { status: { ...sampleCluster(name).status, ...roomy } }),
)
const bindings = ['web', 'api', 'foreign'].map((name) => sampleBinding({ name, clusters: { m1: 2 } }))

function drain(sees?: (workload: string) => boolean, settings?: FailoverSettings) {
  const [m1] = clusters
  if (m1 === undefined) throw new Error('there is no cluster to drain')
  const snapshot = { clusters, bindings, now: Date.parse('2026-11-21T09:30:00Z'), sees, settings }
  const plan = planClusterAction({ action: 'drain', cluster: 'm1' }, m1, snapshot)
  if ('refused' in plan) throw new Error(english.of(plan.refused))
  return { effects: plan.effects, warnings: plan.warnings }
}

const CLOSED = message('failover.plan.drain', { cluster: 'm1' })
const PARTIAL = message('failover.plan.partial')
const moves = (workloads: number) => message('failover.plan.drainMoves', { workloads })

test('a drain counts all that leaves for who sees all', () => {
  expect(drain()).toEqual({ effects: [CLOSED, moves(3)], warnings: [] })
})

test('a drain promises no move where eviction is disabled, and says where that is not known', () => {
  const off = message('failover.plan.drainNoEviction')
  expect(drain(undefined, { noExecuteEviction: false })).toEqual({ effects: [CLOSED], warnings: [off] })
  const maybe = message('failover.plan.drainMaybe')
  expect(drain(undefined, { upstreamEviction: true })).toEqual({ effects: [CLOSED, moves(3)], warnings: [maybe] })
  expect(drain(undefined, { noExecuteEviction: true })).toEqual({ effects: [CLOSED, moves(3)], warnings: [] })
})

test('a drain counts only visible workloads for a tenant, marks that, and reveals no others', () => {
  expect(drain((id) => !id.endsWith('/foreign'))).toEqual({ effects: [CLOSED, moves(2)], warnings: [PARTIAL] })
  expect(drain(() => false)).toEqual({
    effects: [CLOSED, message('failover.plan.drainEmptyInView')],
    warnings: [PARTIAL],
  })
})

describe('what a drain costs workloads as a whole', () => {
  const gone = { status: { ...sampleCluster('m1').status, ...roomy } }
  const one = (spec: Partial<BindingSpec>, settings = {}, m1 = 2, m2 = 0) => {
    const counts = { ...(m1 > 0 && { m1 }), ...(m2 > 0 && { m2 }) }
    const binding = sampleBinding({ clusters: counts, spec })
    const plan = planClusterAction({ action: 'drain', cluster: 'm1' }, sampleCluster('m1', gone), {
      clusters,
      bindings: [binding],
      now: Date.parse('2026-11-21T09:30:00Z'),
      settings,
    })
    if ('refused' in plan) throw new Error(english.of(plan.refused))
    return plan.losses.map(
      ({ ref, ready, stops, unplaced }) =>
        `${ref.name} ${ready} ${stops ? 'stops' : 'runs'} ${unplaced ? 'unplaced' : 'placed'}`,
    )
  }
  const directly = { failover: { cluster: { purgeMode: 'Directly' as const } } }
  const never = { failover: { cluster: { purgeMode: 'Never' as const } } }
  const only = { placement: { ...sampleBinding().spec.placement, clusterAffinity: { clusterNames: ['m1'] } } }

  test.each<[string, Partial<BindingSpec>, object, number, number, string[]]>([
    ['nothing where replacements come first', {}, {}, 2, 0, []],
    ['all replicas where the policy deletes them first', directly, {}, 2, 0, ['web 2 stops placed']],
    ['nothing where others are ready elsewhere', directly, {}, 2, 1, []],
    ['its place where no cluster takes it', only, {}, 2, 0, ['web 2 runs unplaced']],
    [
      'its place and its replicas by the rules of upstream',
      only,
      { upstreamEviction: true },
      2,
      0,
      ['web 2 stops unplaced'],
    ],
    ['its place and its replicas where they go at once', { ...only, ...directly }, {}, 2, 0, ['web 2 stops unplaced']],
    [
      'its place alone where replicas are never deleted',
      { ...only, ...never },
      { upstreamEviction: true },
      2,
      0,
      ['web 2 runs unplaced'],
    ],
    [
      'its place while scheduling is suspended',
      { suspension: { scheduling: true } },
      {},
      2,
      0,
      ['web 2 runs unplaced'],
    ],
  ])('%s', (...row) => {
    const [, spec, settings, m1, m2, expected] = row
    expect(one(spec, settings, m1, m2)).toEqual(expected)
  })

  test.each([
    ['Directly', ['web stops']],
    ['Gracefully', []],
    ['Never', []],
  ] as const)('an eviction with %s', (purgeMode, expected) => {
    const binding = sampleBinding({ clusters: { m1: 2 } })
    const plan = planWorkloadAction({ action: 'evict', cluster: 'm1', workload: '', purgeMode }, binding, {
      clusters,
      bindings: [],
      now: 0,
    })
    if ('refused' in plan) throw new Error(english.of(plan.refused))
    expect(plan.losses.map(({ ref, stops }) => `${ref.name} ${stops ? 'stops' : 'runs'}`)).toEqual(expected)
  })

  test('a drain notes who asked for it and of which taint, and a cluster without annotations gets them', () => {
    const plan = planClusterAction({ action: 'drain', cluster: 'm1' }, sampleCluster('m1', gone), {
      clusters,
      bindings: [],
      now: Date.parse('2026-11-21T09:30:00Z'),
      user: 'alice',
    })
    if ('refused' in plan) throw new Error(english.of(plan.refused))
    expect(plan.patch.at(-1)).toEqual({
      op: 'add',
      path: '/metadata/annotations',
      value: { 'evenkeel.io/drained-by': '{"user":"alice","timeAdded":"2026-11-21T09:30:00Z"}' },
    })
  })
})
