import { describe, expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import type { PlanTargetView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { sortRows } from '../hooks/sorting'
import { PLAN_SORTS, planChanges, planLines } from './plan-diff'

const at = (places: Record<string, number>) =>
  Object.entries(places).map(([cluster, replicas]) => ({ cluster, replicas }))

const target = (name: string, more: Partial<PlanTargetView> = {}): PlanTargetView => ({
  id: name,
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'pay', name },
  verdict: 'moves',
  before: at({ a: 4 }),
  after: at({ a: 2, b: 2 }),
  moved: 2,
  reason: 'b has room',
  ready: { now: 4, lowest: 4, floor: 4 },
  ...more,
})

const plan = (...targets: PlanTargetView[]): RebalancePlanView => ({
  base: 'x',
  computedAt: '2026-01-01T00:00:00Z',
  targets,
  totals: { targets: targets.length, moving: 0, replicasMoved: 0, clustersTouched: [] },
  headroom: [],
  manifest: {},
  kubectl: '',
})

describe('the columns of a plan sort', () => {
  const targets = [
    target('b', { verdict: 'stays', moved: 0 }),
    target('c', { verdict: 'refused', moved: 0, before: at({ a: 9 }), after: at({ a: 9 }) }),
    target('a', { ready: { now: 4, lowest: 1, floor: 0 } }),
    target('d', { verdict: 'stays', moved: 0, before: at({ a: 0 }), after: at({ a: 0 }) }),
  ]
  it.each([
    ['verdict', 'acbd'],
    ['name', 'abcd'],
    ['-name', 'dcba'],
    ['now', 'bacd'],
    ['-after', 'cbad'],
    ['-moved', 'abcd'],
    ['ready', 'abcd'],
  ])('by “%s”: %s', (text, order) => {
    expect(
      sortRows(targets, PLAN_SORTS, text)
        .map(({ id }) => id)
        .join(''),
    ).toBe(order)
  })
})

describe('what changed in a plan', () => {
  const cases: [name: string, seen: PlanTargetView[], now: PlanTargetView[], sentences: string[]][] = [
    ['is nothing when all outcomes are the same', [target('web')], [target('web', { reason: 'in other words' })], []],
    [
      'is where a workload would come to',
      [target('web')],
      [target('web', { after: at({ a: 1, b: 3 }) })],
      ['pay/web will have 1 in a and 3 in b, not 2 in a and 2 in b.'],
    ],
    [
      'is where it runs',
      [target('web')],
      [target('web', { before: at({ b: 4 }) })],
      ['pay/web now has 4 in b, not 4 in a.'],
    ],
    [
      'is the verdict when the places are the same',
      [target('web')],
      [target('web', { verdict: 'refused', reason: 'it is suspended' })],
      ['pay/web can no longer be rebalanced: it is suspended'],
    ],
    ['is a workload that went', [target('web'), target('api')], [target('web')], ['pay/api is no longer in the plan.']],
    ['is a workload that came', [target('web')], [target('web'), target('api')], ['pay/api is new in the plan.']],
  ]
  it.each(cases)('%s', (_name, seen, now, sentences) => {
    expect(planChanges(plan(...seen), plan(...now)).map(english.of)).toEqual(sentences)
  })
})

describe('the lines of a target', () => {
  it('put what changes first', () => {
    expect(planLines({ before: at({ a: 2, b: 4 }), after: at({ a: 2, b: 1, c: 3 }) })).toEqual([
      { cluster: 'b', before: 4, after: 1, delta: -3 },
      { cluster: 'c', before: 0, after: 3, delta: 3 },
      { cluster: 'a', before: 2, after: 2, delta: 0 },
    ])
  })
})
