import { describe, expect, test } from 'vitest'
import { duplicated } from '@/lib/testing/builders'
import { type Binding, upstreamProfile } from '../placement'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { withUncertainty } from './uncertainty'
import { planRebalance } from './plan-rebalance'

const clusters = [aCluster('member1', 10), aCluster('member2', 10)]
const refOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })

function plan(bindings: readonly Binding[], { profile = upstreamProfile } = {}) {
  const byName = new Map(bindings.map((binding) => [binding.spec.resource.name, binding]))
  const workloads = [...byName.keys()].map(refOf)
  const { targets } = planRebalance({ workloads, bindings, clusters, profile })
  const bindingOf = ({ workload }: { workload: { name: string } }) => byName.get(workload.name)
  return withUncertainty({ targets, bindingOf, clusters, profile }).map(({ workload, after, notes }) => ({
    name: workload.name,
    after: Object.fromEntries(after.map(({ name, replicas }) => [name, replicas])),
    notes: notes.map(({ code }) => code),
  }))
}

describe('a preview of several workloads', () => {
  test('marks workloads with another result in the capacity that the others leave', () => {
    const [first, second] = plan([aBinding('a', { member1: 8 }), aBinding('b', { member1: 8 })])
    expect(first?.notes).toEqual([])
    expect(second?.notes).toEqual(['Uncertain'])
  })
  test('counts leaving replicas both as still running and as gone', () => {
    const everywhere = { placement: duplicated(), replicas: 2 }
    const shrinking = aBinding('a', { member1: 8, member2: 2 }, everywhere)
    const batch = plan([shrinking, aBinding('b', { member1: 4 })])
    expect(batch.map(({ notes }) => notes)).toEqual([[], ['Uncertain']])
  })
  test('is certain for one workload, and for strategies without capacity', () => {
    expect(plan([aBinding('a', { member1: 8 })])[0]?.notes).toEqual([])
    const everywhere = (name: string) => aBinding(name, { member1: 2 }, { placement: duplicated() })
    expect(plan([everywhere('a'), everywhere('b')]).flatMap(({ notes }) => notes)).toEqual([])
  })
  test('follows the order if the scheduler has overcommit protection', () => {
    const bindings = [aBinding('a', { member1: 8 }), aBinding('b', { member1: 8 })]
    const [first, second] = plan(bindings, { profile: { ...upstreamProfile, overcommitProtection: true } })
    const [, alone] = plan(bindings)
    expect(first?.notes).toEqual([])
    expect(second?.notes).toEqual([])
    expect(second?.after).not.toEqual(alone?.after)
  })
})
