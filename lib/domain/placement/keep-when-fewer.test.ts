import { describe, expect, test } from 'vitest'
import { byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { upstreamProfile } from './profile'
import { scheduleBinding } from './schedule-binding'
import { aBinding, aCluster } from './testing/scheduled'

const labelled = (name: string, tier: string) => {
  const cluster = aCluster(name)
  return { ...cluster, metadata: { ...cluster.metadata, labels: { tier } } }
}
const gold = { ...duplicated(), clusterAffinity: { labelSelector: { matchLabels: { tier: 'gold' } } } }
const clusters = [labelled('member1', 'gold'), labelled('member2', 'bronze')]
const twice = aBinding('web', { member1: 3, member2: 3 }, { replicas: 3, placement: gold })
const leaving = { gracefulEvictionTasks: [{ fromCluster: 'member2', producer: 'somebody', reason: 'Test' }] }

describe('a fresh run with fewer replicas', () => {
  test('keeps the current result and says what would be lost', () => {
    const verdict = scheduleBinding({ binding: twice, clusters, mode: 'Fresh' })
    const args = { replicas: 3, clusters: 1, replicasBefore: 6, clustersBefore: 2 }
    const message = { code: 'placement.failure.fewer', args }
    expect(verdict).toMatchObject({ kept: true, failure: { type: 'UnschedulableError', message } })
    expect(verdict.patch).toBeUndefined()
  })

  test('is applied in upstream mode', () => {
    const verdict = scheduleBinding({ binding: twice, clusters, mode: 'Fresh', profile: upstreamProfile })
    expect(verdict.patch?.clusters).toEqual([{ name: 'member1', replicas: 3 }])
  })

  test.each([
    ['a steady run follows', twice, clusters, 'Steady'],
    ['a cluster that is gone is not missed', twice, [clusters[0]!], 'Fresh'],
    ['fewer replicas asked for are granted', aBinding('web', { member1: 6 }, { replicas: 4 }), clusters, 'Fresh'],
    [
      'a changed placement is followed',
      { ...twice, spec: { ...twice.spec, placement: duplicated('member1') } },
      clusters,
      'Fresh',
    ],
    [
      'a cluster that is being left is not missed',
      { ...twice, spec: { ...twice.spec, ...leaving } },
      clusters,
      'Fresh',
    ],
    [
      'divided replicas keep their number anyway',
      aBinding('web', { member2: 6 }, { placement: byAvailableReplicas() }),
      clusters,
      'Fresh',
    ],
  ] as const)('%s', (_name, binding, present, mode) => {
    expect(scheduleBinding({ binding, clusters: present, mode }).patch).toBeDefined()
  })
})
