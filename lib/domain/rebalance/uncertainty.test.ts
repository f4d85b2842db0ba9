import { describe, expect, test } from 'vitest'
import { duplicated } from '@/lib/testing/builders'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { Assumptions, type Binding, type SchedulerProfile, upstreamProfile } from '../placement'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { withUncertainty } from './uncertainty'
import { planRebalance } from './plan-rebalance'
import { type RecentMove, RecentMoves } from './recent-moves'

const refOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })

const two = [aCluster('member1', 10), aCluster('member2', 10)]

interface Options {
  profile?: SchedulerProfile
  clusters?: readonly Cluster[]
  underWay?: readonly RecentMove[]
  assumptions?: Assumptions
  knowsRestarts?: boolean
}

function plan(bindings: readonly Binding[], options: Options = {}) {
  const { profile = upstreamProfile, clusters = two, underWay, assumptions, knowsRestarts } = options
  const byName = new Map(bindings.map((binding) => [binding.spec.resource.name, binding]))
  const workloads = [...byName.keys()].map(refOf)
  const { targets } = planRebalance({ workloads, bindings, clusters, profile, assumptions })
  const bindingOf = ({ workload }: { workload: { name: string } }) => byName.get(workload.name)
  const batch = { targets, bindingOf, clusters, profile, assumptions, knowsRestarts, ...(underWay && { underWay }) }
  return withUncertainty(batch).map(({ workload, after, notes }) => ({
    name: workload.name,
    after: Object.fromEntries(after.map(({ name, replicas }) => [name, replicas])),
    notes: notes.map(({ code }) => code),
  }))
}

describe('a preview of several workloads', () => {
  test('marks workloads with another result in the capacity that the others leave', () => {
    const [first, second] = plan([aBinding('a', { member1: 8 }), aBinding('b', { member1: 8 })])
    expect(first?.notes).toEqual([])
    expect(second?.notes).toEqual(['OthersMove'])
  })
  test('counts leaving replicas both as still running and as gone', () => {
    const everywhere = { placement: duplicated(), replicas: 2 }
    const shrinking = aBinding('a', { member1: 8, member2: 2 }, everywhere)
    const batch = plan([shrinking, aBinding('b', { member1: 4 })])
    expect(batch.map(({ notes }) => notes)).toEqual([[], ['OthersMove']])
  })
  test('is certain for one workload, and for strategies without capacity', () => {
    expect(plan([aBinding('a', { member1: 8 })])[0]?.notes).toEqual([])
    const everywhere = (name: string) => aBinding(name, { member1: 2 }, { placement: duplicated() })
    expect(plan([everywhere('a'), everywhere('b')]).flatMap(({ notes }) => notes)).toEqual([])
  })
  test('marks a workload whose cluster may report a lower grade of its nodes', () => {
    const ranges = (min: string, max: string) => [{ name: 'cpu' as const, min, max }]
    const resourceModels = [
      { grade: 0, ranges: ranges('0', '4') },
      { grade: 1, ranges: ranges('4', '8') },
      { grade: 2, ranges: ranges('8', '100') },
    ]
    // Two nodes of grade 2 each: far above its minimum if they are evenly used, but one of them may be just at it.
    const graded = (name: string) => {
      const cluster = aCluster(name, 30, { resourceModels })
      const resourceSummary = { ...cluster.status?.resourceSummary, allocatableModelings: [{ grade: 2, count: 2 }] }
      return { ...cluster, status: { ...cluster.status, resourceSummary } }
    }
    const bindings = [aBinding('a', { member1: 1, member2: 5 }), aBinding('b', { member1: 2, member2: 10 })]
    const batch = plan(bindings, { clusters: [graded('member1'), graded('member2')] })
    expect(batch.map(({ notes }) => notes)).toEqual([[], ['OthersMove']])
  })
  test('marks one workload whose clusters have not reported an earlier move yet', () => {
    const underWay = [{ binding: aBinding('b', { member1: 8 }), after: [{ name: 'member2', replicas: 8 }] }]
    const bindings = [aBinding('a', { member1: 8 })]
    expect(plan(bindings, { underWay })[0]?.notes).toEqual(['OthersMove'])
    const elsewhere = [{ binding: aBinding('b', { member3: 8 }), after: [{ name: 'member4', replicas: 8 }] }]
    expect(plan(bindings, { underWay: elsewhere })[0]?.notes).toEqual([])
  })
  test('marks what a scheduler decides with the answers of estimators', () => {
    const profile = { ...upstreamProfile, asksEstimators: true }
    expect(plan([aBinding('a', { member1: 8 })], { profile })[0]?.notes).toEqual(['AsksEstimators'])
    const everywhere = { placement: duplicated(), replicas: 2 }
    expect(plan([aBinding('a', { member1: 2 }, everywhere)], { profile })[0]?.notes).toEqual([])
  })
  test('marks clusters that are chosen by free capacity, whatever the strategy', () => {
    const spreadConstraints = [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }]
    const placement = { ...duplicated(), spreadConstraints }
    const binding = aBinding('a', { member3: 4 }, { placement, replicas: 4 })
    const clusters = [aCluster('member1', 10), aCluster('member2', 12)]
    const underWay = [{ binding: aBinding('b', { member1: 8 }), after: [{ name: 'member2', replicas: 8 }] }]
    const [target] = plan([binding], { clusters, underWay })
    expect(target?.after).toEqual({ member2: 4 })
    expect(target?.notes).toEqual(['OthersMove'])
  })
  test('follows the order if the scheduler has overcommit protection', () => {
    const bindings = [aBinding('a', { member1: 8 }), aBinding('b', { member2: 8 })]
    const [first, second] = plan(bindings, { profile: { ...upstreamProfile, overcommitProtection: true } })
    const [, alone] = plan(bindings)
    expect(first?.notes).toEqual([])
    expect(second?.notes).toEqual(['OthersMove'])
    expect(second?.after).not.toEqual(alone?.after)
  })
  test('is uncertain where a scheduler that restarted, and forgot what it placed, would place it elsewhere', () => {
    const profile = { ...upstreamProfile, overcommitProtection: true }
    const [web] = [aBinding('web', { member1: 8 })]
    const before = (replicas: number): Assumptions => {
      const assumptions = new Assumptions()
      assumptions.record(aBinding('other', {}), [{ name: 'member1', replicas }], 0)
      return assumptions
    }
    expect(plan([web], { profile, assumptions: before(6) })[0]?.notes).toEqual(['OthersMove'])
    expect(plan([web], { profile, assumptions: before(6), knowsRestarts: true })[0]?.notes).toEqual([])
    expect(plan([web], { profile })[0]?.notes).toEqual([])
  })
})

describe('moves that clusters may not have reported yet', () => {
  const binding = aBinding('a', { member1: 8 })
  test('count for a minute, the latest 500 of them', () => {
    const moves = new RecentMoves()
    moves.record(binding, [], 1000)
    moves.record(binding, [], 20_000)
    expect(moves.at(60_999)).toHaveLength(2)
    expect(moves.at(61_000)).toHaveLength(1)
    expect(moves.at(80_000)).toEqual([])
    for (let n = 1; n <= 501; n++) moves.record(binding, [{ name: 'member1', replicas: n }], 90_000)
    expect(moves.at(90_000)).toHaveLength(500)
    expect(moves.at(90_000)[0]?.after).toEqual([{ name: 'member1', replicas: 2 }])
  })
})
