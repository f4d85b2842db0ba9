import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import type { PlanRunTargetView, PlanTargetView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { ActionFailure } from '../hooks/api-client'
import { canRetry } from '../ui/retry-button'
import { lossButton, lossesOfApproval, lossesOfRebalance, lossSummary, needsConfirmation, spared } from './loss-words'
import { partsOf } from './split'

const target = (name: string, more: Partial<PlanTargetView>): PlanTargetView => ({
  id: name,
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'pay', name },
  verdict: 'moves',
  before: [],
  after: [],
  moved: 3,
  reason: 'No cluster fits now.',
  ready: { now: 3, lowest: 3, floor: 3 },
  ...more,
})
const losses = (...targets: PlanTargetView[]) => lossesOfRebalance({ targets } as unknown as RebalancePlanView)
const stops = target('web', { ready: { now: 3, lowest: 0, floor: 0 } })
const removed = target('api', { verdict: 'refused', removed: true, ready: { now: 2, lowest: 0, floor: 0 } })

describe('the words of a rebalance that stops workloads', () => {
  test.each<[string, PlanTargetView[], string, string, boolean]>([
    ['none', [target('web', {})], 'Apply', '', false],
    ['fewer, but some', [target('web', { ready: { now: 3, lowest: 1, floor: 0 } })], 'Apply', '', false],
    ['that had none ready', [target('web', { ready: { now: 0, lowest: 0, floor: 0 } })], 'Apply', '', false],
    ['3 to 0', [stops], 'Rebalance and stop 1 workload', '1 workload will have no ready replicas: pay/web.', false],
    [
      'one that no cluster takes',
      [stops, removed],
      'Rebalance and stop 2 workloads',
      '2 workloads will have no ready replicas: pay/web and pay/api. No cluster can run 1 workload: pay/api.',
      true,
    ],
    [
      'one that runs nowhere anyhow',
      [target('api', { verdict: 'refused', removed: true, ready: { now: 0, lowest: 0, floor: 0 } })],
      'Rebalance and leave 1 workload without a cluster',
      'No cluster can run 1 workload: pay/api.',
      true,
    ],
  ])('%s', (...row) => {
    const [, targets, button, summary, confirmation] = row
    const found = losses(...targets)
    expect([
      lossButton(english, 'rebalance', 'Apply', found),
      lossSummary(english, found),
      needsConfirmation(found),
    ]).toEqual([button, summary, confirmation])
  })
})

describe('the losses of an approval', () => {
  const run = (more: Partial<PlanRunTargetView>): PlanRunTargetView => ({
    id: 'web',
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'pay', name: 'web' },
    stage: 'Pending',
    state: { state: 'active', reason: 'No cluster fits now.' },
    before: [],
    predicted: [{ cluster: 'm1', replicas: 3 }],
    moved: 3,
    ready: { floor: 0, expected: 0 },
    ...more,
  })
  test.each<[string, PlanRunTargetView, number, { stops: boolean; unplaced: boolean } | undefined]>([
    ['all ready replicas', run({}), 3, { stops: true, unplaced: false }],
    ['none: some stay ready', run({ ready: { floor: 0, expected: 1 } }), 3, undefined],
    ['none: none was ready', run({}), 0, undefined],
    ['none: it was not recorded', run({ ready: {} }), 3, undefined],
    ['none: it does not move', run({ stage: 'Skipped' }), 3, undefined],
    ['its clusters', run({ predicted: [] }), 3, { stops: true, unplaced: true }],
    ['its clusters, with nothing ready', run({ predicted: [] }), 0, { stops: false, unplaced: true }],
  ])('%s', (_name, target, ready, loss) => {
    expect(lossesOfApproval({ targets: [target], actions: ['approve'] }, () => ready)).toMatchObject(
      loss ? [{ ...loss, ready }] : [],
    )
    expect(lossesOfApproval({ targets: [target], actions: ['pause'] }, () => ready)).toEqual([])
  })
})

test.each([
  [1000, [1000]],
  [1001, [501, 500]],
  [0, [0]],
  [2500, [834, 834, 832]],
])('%i workloads are planned in parts of %o', (count, sizes) => {
  const targets = Array.from({ length: count }, (_, index) => index)
  expect(partsOf(targets, true).map(({ length }) => length)).toEqual(sizes)
  expect(partsOf(targets, true).flat()).toEqual(targets)
})

test.each([
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [413, false],
  [422, false],
  [409, true],
  [429, true],
  [500, true],
  [503, true],
])('after a refusal with %i, asking again can help: %s', (status, can) => {
  expect(
    canRetry(
      new ActionFailure({ status, reason: 'Invalid', detail: '' } as ConstructorParameters<typeof ActionFailure>[0]),
    ),
  ).toBe(can)
  expect(canRetry(new Error('no answer'))).toBe(true)
})

test('names the workloads that are left out because they would be removed everywhere', () => {
  const reason = message('rebalance.refused.RemovedEverywhere', { cause: 'a taint' })
  const plan = (...targets: PlanTargetView[]) => ({ targets }) as unknown as RebalancePlanView
  expect(spared(english, plan(target('web', {}), target('api', { verdict: 'refused', reason })))).toBe(
    '1 workload is left out, because no cluster fits and a rebalance would remove it from all clusters: pay/api.',
  )
  expect(spared(english, plan(target('web', {}), target('api', { verdict: 'stays' })))).toBeUndefined()
})
