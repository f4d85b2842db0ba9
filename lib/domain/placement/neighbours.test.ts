import { describe, expect, test } from 'vitest'
import { duplicated } from '@/lib/testing/builders'
import { defaultProfile } from './profile'
import { scheduleBinding } from './schedule-binding'
import { aBinding, aCluster } from './testing/scheduled'

const clusters = ['member1', 'member2', 'member3'].map((name) => aCluster(name))
const heeding = { ...defaultProfile, workloadAffinity: true }
type Groups = { affinityGroup?: string; antiAffinityGroup?: string }

const member = (name: string, groups: Groups, ...places: string[]) =>
  aBinding(name, Object.fromEntries(places.map((place) => [place, 1])), {
    replicas: 1,
    placement: duplicated(),
    workloadAffinityGroups: groups,
  })
const together = { affinityGroup: 'shop' }
const apart = { antiAffinityGroup: 'shop' }

describe('workloads of one group', () => {
  test.each<[string, Groups, ReturnType<typeof member>[], string[]]>([
    ['alone go anywhere', together, [], ['member1', 'member2', 'member3']],
    ['go where the other is', together, [member('api', together, 'member2')], ['member2']],
    [
      'go where all others are',
      together,
      [member('api', together, 'member1', 'member2'), member('db', together, 'member2')],
      ['member2'],
    ],
    [
      'do not wait for one that is placed nowhere',
      together,
      [member('api', together)],
      ['member1', 'member2', 'member3'],
    ],
    [
      'do not heed another group',
      together,
      [member('api', { affinityGroup: 'blog' }, 'member2')],
      ['member1', 'member2', 'member3'],
    ],
    [
      'do not heed the group of the other sort',
      together,
      [member('api', apart, 'member2')],
      ['member1', 'member2', 'member3'],
    ],
    ['keep apart', apart, [member('api', apart, 'member2')], ['member1', 'member3']],
    ['keep apart from all', apart, [member('api', apart, 'member2'), member('db', apart, 'member3')], ['member1']],
    ['do not heed themselves', apart, [member('web', apart, 'member1')], ['member1', 'member2', 'member3']],
  ])('%s', (_name, groups, groupMembers, places) => {
    const { clusters: chosen } = scheduleBinding({
      binding: member('web', groups),
      clusters,
      groupMembers,
      profile: heeding,
    })
    expect(chosen?.map(({ name }) => name)).toEqual(places)
  })

  test('stay in their clusters', () => {
    const binding = member('web', apart, 'member2')
    const { clusters: chosen } = scheduleBinding({
      binding,
      clusters,
      groupMembers: [member('api', apart, 'member2', 'member1')],
      profile: heeding,
    })
    expect(chosen?.map(({ name }) => name)).toEqual(['member2', 'member3'])
  })

  test('in another namespace do not count', () => {
    const api = member('api', apart, 'member2')
    const foreign = { ...api, metadata: { ...api.metadata, namespace: 'other' } }
    expect(
      scheduleBinding({ binding: member('web', apart), clusters, groupMembers: [foreign], profile: heeding }).clusters,
    ).toHaveLength(3)
  })

  test('without a feasible cluster get the reason', () => {
    const others = [member('api', apart, 'member1', 'member2'), member('db', apart, 'member3')]
    const { failure } = scheduleBinding({
      binding: member('web', apart),
      clusters,
      groupMembers: others,
      profile: heeding,
    })
    expect(failure?.message).toBe(
      '0/3 clusters are available: 3 cluster already has workload with the same anti-affinity group.',
    )
  })

  test('are scheduled independently without the feature gate, the default', () => {
    const groupMembers = [member('api', apart, 'member2')]
    expect(scheduleBinding({ binding: member('web', apart), clusters, groupMembers }).clusters).toHaveLength(3)
  })
})
