import { expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { english } from '@/lib/messages/english'
import { aBinding, aCluster, duplicated } from '@/lib/testing/builders'
import type { Binding } from '../placement'
import { proofMessage, proveTwin } from './prove'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const clusters = [
  aCluster('m1'),
  aCluster('m2', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] }),
] as unknown as Cluster[]

const binding = (name: string, on: string, options: Parameters<typeof aBinding>[1] = {}): Binding =>
  aBinding(name, {
    placement: { ...duplicated(), clusterAffinity: { clusterNames: ['m1'] } },
    clusters: [{ name: on, replicas: 1 }],
    ...options,
  }) as unknown as Binding

test('a workload that the scheduler would place elsewhere is listed with the reason', () => {
  const bindings = [
    binding('stays', 'm1'),
    binding('moves', 'm2'),
    binding('nowhere', 'm1', { placement: { ...duplicated(), clusterAffinity: { clusterNames: ['absent'] } } }),
    binding('pending', 'm1', { clusters: [] }),
    binding('suspended', 'm1', { spec: { suspension: { scheduling: true } } }),
  ]
  const proof = proveTwin({ bindings, clusters, now: NOW })
  expect(proof).toMatchObject({ workloads: 3, kept: 1, notCompared: 2 })
  expect(proof.moved.map(({ name }) => name)).toEqual(['moves', 'nowhere'])
  const [moves, nowhere] = proof.moved
  expect(typeof moves?.reason === 'object' && english.of(moves.reason)).toBe(
    'Placed 1 in m2 in the source, 1 in m1 in the twin',
  )
  expect(nowhere?.reason).toMatch(/0\/2 clusters are available/)
  expect(english.of(proofMessage(proof))).toBe('1 of 3 workloads keep their placement in the twin (33.3%)')
})
