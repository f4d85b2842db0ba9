import { describe, expect, test } from 'vitest'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import type { Binding } from '../../placement'
import { aBinding, aCluster } from '../../placement/testing/scheduled'
import { type Fix, findFixes, gainOf, type LossFleet, LossSimulation } from './index'

const now = Date.parse('2026-01-02T00:00:00Z')
const only = (...clusterNames: string[]) => ({ ...byAvailableReplicas(), clusterAffinity: { clusterNames } })

function placedBy(policy: string, name: string, placed: Record<string, number>, spec: Partial<BindingSpec>): Binding {
  const binding = aBinding(name, placed, spec)
  const annotations = { [POLICY_NAMESPACE_ANNOTATION]: 'shop', [POLICY_NAME_ANNOTATION]: policy }
  const metadata = { ...binding.metadata, annotations: { ...binding.metadata.annotations, ...annotations } }
  return { ...binding, metadata }
}

function toEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function fixesOf(bindings: Binding[], rooms: Record<string, number>): Fix[] {
  const clusters = Object.entries(rooms).map(([name, room]) => aCluster(name, room))
  const fleet: LossFleet = { bindings, clusters, now }
  const simulation = new LossSimulation(fleet)
  const sets = Object.keys(rooms).map((name) => [name])
  for (const names of sets) simulation.learn(toEnd(simulation.lose(names)))
  return toEnd(findFixes({ fleet, simulation, sets }))
}

describe('fixes', () => {
  test('allow another cluster, for every workload of the policy at once', () => {
    const bindings = ['web', 'api'].map((name) => placedBy('shop', name, { a: 2 }, { placement: only('a') }))
    const [best] = fixesOf(bindings, { a: 10, b: 10 })
    expect(best).toMatchObject({
      change: { kind: 'allowCluster', cluster: 'b' },
      policy: 'shop/shop',
      edit: { path: ['clusterAffinity', 'clusterNames'], value: ['a', 'b'] },
    })
    expect(gainOf(best!.effects)).toEqual({ survived: 2, replicas: 4 })
  })

  test('limit an unlimited toleration, and resume suspended workloads', () => {
    const forever = [{ key: 'cluster.karmada.io/not-ready', operator: 'Exists' as const }]
    const placement = { ...byAvailableReplicas(), clusterTolerations: forever }
    const fixes = fixesOf(
      [
        placedBy('patient', 'web', { a: 2 }, { placement }),
        placedBy('other', 'api', { a: 2 }, { suspension: { scheduling: true } }),
      ],
      { a: 10, b: 10 },
    )
    expect(fixes.map(({ change, policy }) => [change.kind, policy])).toEqual([
      ['evictAfter', 'shop/patient'],
      ['resume', undefined],
    ])
  })

  test('loosen a spread constraint for which too few clusters are left', () => {
    const spreadConstraints = [{ spreadByField: 'cluster' as const, minGroups: 2, maxGroups: 2 }]
    const placement = { ...byAvailableReplicas(), spreadConstraints }
    const [best] = fixesOf([placedBy('wide', 'web', { a: 1, b: 1 }, { placement })], { a: 10, b: 10 })
    expect(best).toMatchObject({ change: { kind: 'minGroups', from: 2, to: 1 }, policy: 'shop/wide' })
    expect(gainOf(best!.effects)).toEqual({ survived: 2, replicas: 2 })
  })

  test('add the missing capacity, in whole cores', () => {
    const [best] = fixesOf([placedBy('large', 'web', { a: 5 }, {})], { a: 8, b: 2 })
    expect(best?.change).toMatchObject({
      kind: 'addCapacity',
      cluster: 'b',
      amounts: expect.arrayContaining([{ resource: 'cpu', amount: 5000 }]) as unknown,
    })
  })

  test('offer nothing that does not help', () => {
    expect(fixesOf([placedBy('safe', 'web', { a: 2 }, {})], { a: 10, b: 10 })).toEqual([])
    expect(fixesOf([placedBy('alone', 'web', { a: 2 }, {})], { a: 10 })).toEqual([])
  })
})
