import { expect, test } from 'vitest'
import { aggregated } from '@/lib/testing/builders'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { snapshotOf } from './facts'
import { defaultProfile } from './profile'
import { decideReschedule } from './reschedule'
import { scheduleBinding } from './schedule-binding'
import { aBinding, aCluster } from './testing/scheduled'

const profile = { ...defaultProfile, componentSets: true }
const component = (name: string, replicas: number) => ({
  name,
  replicas,
  replicaRequirements: { resourceRequest: { cpu: '1' } },
})
const job = (spec: Partial<BindingSpec> = {}) =>
  aBinding(
    'job',
    {},
    {
      components: [component('leader', 1), component('worker', 3)],
      placement: { ...aggregated(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
      ...spec,
    },
  )
const outcome = (binding: ReturnType<typeof job>, rooms: number[], chosen = profile) => {
  const clusters = rooms.map((room, index) => aCluster(`member${index + 1}`, room))
  const verdict = scheduleBinding({ binding, clusters, profile: chosen })
  return verdict.clusters ?? verdict.failure?.message
}

test('goes where all of its components fit', () => {
  expect(outcome(job(), [3, 4])).toEqual([
    {
      name: 'member2',
      components: [
        { name: 'leader', replicas: 1 },
        { name: 'worker', replicas: 3 },
      ],
    },
  ])
})

test('is not placed where a part of it fits', () => {
  // upstream: karmada-scheduler
  expect(outcome(job(), [3, 3])).toBe('failed to select clusters: no enough resource when selecting 1 clusters')
})

test('a written result is settled', () => {
  const { clusters = [], patch } = scheduleBinding({ binding: job(), clusters: [aCluster('member1')], profile })
  expect(patch?.clusters).toEqual(clusters)
  const placed = job({ clusters })
  expect(scheduleBinding({ binding: placed, clusters: [aCluster('member1')], profile }).patch).toBeUndefined()
})

test('is placed again when it lost its clusters, as after a failover', () => {
  const [lost, clusters] = [job(), snapshotOf([aCluster('member1')])]
  expect(decideReschedule(lost, clusters, profile)).toMatchObject({ path: 'replicasChanged' })
  expect(decideReschedule(lost, clusters, defaultProfile)).toMatchObject({ act: 'leave' })
})

test('without the gate, or for several clusters, capacity does not count', () => {
  expect(outcome(job(), [0, 0], defaultProfile)).toEqual([{ name: 'member1' }])
  const spreadConstraints = [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 2 }]
  const spread = job({ placement: { ...aggregated(), spreadConstraints } })
  expect(outcome(spread, [0, 0])).toEqual([{ name: 'member1' }, { name: 'member2' }])
})
