import { expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds'
import { evictionRate } from './eviction-rate'

const TIME = '2026-01-01T00:00:00Z'
const cluster = (status: 'True' | 'False', deletionTimestamp?: string): Cluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  spec: { syncMode: 'Push' },
  metadata: {
    name: 'm',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: TIME,
    ...(deletionTimestamp && { deletionTimestamp }),
  },
  status: { conditions: [{ type: 'Ready', status, reason: 'R', message: '', lastTransitionTime: TIME }] },
})
const [UP, LOST, GOING] = [cluster('True'), cluster('False'), cluster('False', TIME)]

test.each([
  ['all is well', [UP, UP, UP], 10],
  ['half of them are lost', [UP, LOST], 10],
  ['most of them are lost', [UP, LOST, LOST], 2],
  ['the only one is lost', [LOST], 2],
  ['those that go do not count', [UP, LOST, GOING, GOING], 10],
  ['there is none', [], 10],
])('%s: %j evictions per second', (_what, clusters, expected) => {
  expect(evictionRate(clusters, { perSecond: 10, slowPerSecond: 2, unhealthyShare: 0.55 })).toBe(expected)
})
