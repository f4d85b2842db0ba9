import { expect, test } from 'vitest'
import type { PlanTargetView } from '../rebalance-model'
import { narrowTarget, OTHER_CLUSTERS } from './narrow-preview'

const target: PlanTargetView = {
  id: 'x',
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  verdict: 'moves',
  before: [{ cluster: 'member1', replicas: 4 }],
  after: [
    { cluster: 'member1', replicas: 1 },
    { cluster: 'secret2', replicas: 2 },
    { cluster: 'secret3', replicas: 1 },
  ],
  moved: 3,
  reason: 'secret2 has room for 7 more replicas.',
  ready: { now: 4, lowest: 3, floor: 3 },
}

test('a reader who may not list clusters sees the number of replicas that leave own clusters, and no others', () => {
  const narrow = narrowTarget(target, new Set(['member1']))
  expect(narrow.after).toEqual([
    { cluster: 'member1', replicas: 1 },
    { cluster: OTHER_CLUSTERS, replicas: 3 },
  ])
  expect(narrow).toMatchObject({ before: target.before, moved: 3, verdict: 'moves' })
  expect(JSON.stringify(narrow)).not.toMatch(/secret|room/)
})
