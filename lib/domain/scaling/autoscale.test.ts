import { expect, test } from 'vitest'
import type { FederatedHpa } from '../../kube/kinds/federated-hpa'
import { type AutoscaleSnapshot, planReplicas, type PodUsage } from './autoscale'

const cpu = (used: number | undefined, { ready = true, requested = 100 } = {}): PodUsage => ({
  ready,
  requests: { cpu: requested },
  usage: used === undefined ? undefined : { cpu: used },
})
const pods = (count: number, used: number): PodUsage[] => Array.from({ length: count }, () => cpu(used))
const spec = (more: Partial<FederatedHpa['spec']> = {}): FederatedHpa['spec'] => ({
  scaleTargetRef: { kind: 'Deployment', name: 'web' },
  minReplicas: 1,
  maxReplicas: 10,
  metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  ...more,
})
const plan = (fields: Partial<AutoscaleSnapshot>) =>
  planReplicas({ spec: spec(), current: 2, inMembers: 2, pods: pods(2, 50), recommendations: [], now: 0, ...fields })

test.each([
  ['on target', { pods: pods(2, 50) }, 2],
  ['within the tolerance', { pods: pods(2, 54) }, 2],
  ['above', { pods: pods(2, 100) }, 4],
  ['above the bound', { pods: pods(2, 100), spec: spec({ maxReplicas: 3 }) }, 3],
  ['below', { pods: pods(2, 20) }, 1],
  ['no replicas', { current: 0, inMembers: 0, pods: [] }, 0],
  ['more than the bound', { current: 12 }, 10],
  ['less than the bound', { spec: spec({ minReplicas: 3 }) }, 3],
  ['three clusters with the replicas of the template each', { inMembers: 6, pods: pods(6, 100) }, 4],
  ['a pod without metrics does not turn the direction', { pods: [cpu(60), cpu(undefined)] }, 2],
  ['a pod that is not ready does not count', { pods: [cpu(50), cpu(500, { ready: false })] }, 2],
])('%s', (_, fields, expected) => {
  expect(plan(fields).desired).toBe(expected)
})

test('without any metric it stays, and says so', () => {
  expect(plan({ pods: [cpu(undefined)] })).toMatchObject({ desired: 2, failed: true })
  expect(plan({ pods: [cpu(50, { requested: 0 })] })).toMatchObject({ desired: 2, failed: true })
})

test('it shrinks only after no higher count was desired for the whole window', () => {
  const before = plan({ current: 4, inMembers: 4, pods: pods(4, 50), now: 0 })
  const soon = plan({
    current: 4,
    inMembers: 4,
    pods: pods(4, 10),
    now: 60_000,
    recommendations: before.recommendations,
  })
  expect(soon.desired).toBe(4)
  const later = plan({
    current: 4,
    inMembers: 4,
    pods: pods(4, 10),
    now: 301_000,
    recommendations: soon.recommendations,
  })
  expect(later.desired).toBe(1)
})

test('it grows no faster than its rules allow', () => {
  const busy = { current: 4, inMembers: 4, pods: pods(4, 400), spec: spec({ maxReplicas: 100 }) }
  expect(plan(busy).desired).toBe(8)
  const rules = { policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] }
  expect(plan({ ...busy, spec: spec({ maxReplicas: 100, behavior: { scaleUp: rules } }) }).desired).toBe(5)
  const off = { behavior: { scaleUp: { selectPolicy: 'Disabled' as const } } }
  expect(plan({ ...busy, spec: spec({ maxReplicas: 100, ...off }) }).desired).toBe(4)
})

test('an average value is compared with the average of the pods', () => {
  const target = { type: 'AverageValue' as const, averageValue: '25m' }
  const metrics = [{ type: 'Resource' as const, resource: { name: 'cpu', target } }]
  expect(plan({ spec: spec({ metrics }) }).desired).toBe(4)
})
