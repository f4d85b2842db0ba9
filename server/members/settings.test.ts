import { expect, test } from 'vitest'
import { aCluster } from '@/lib/testing/builders'
import type { Cluster } from '@/lib/kube/kinds'
import { readSettings } from './settings'

const read = (annotations: Record<string, string>) => readSettings(aCluster('m', { annotations }) as Cluster)

test('a member without further annotations has three nodes of 8 cores and 32Gi', () => {
  expect(read({ 'sim.evenkeel.io/nodes': 'many' })).toEqual({
    down: false,
    nodes: 3,
    cpu: '8',
    memory: '32Gi',
    readyAfterMs: 2000,
    reportsReady: false,
    unhealthy: new Set(),
  })
})

test('annotations shape a member', () => {
  expect(
    read({
      'sim.evenkeel.io/nodes': '5',
      'sim.evenkeel.io/node-cpu': '500m',
      'sim.evenkeel.io/node-memory': '1Gi',
      'sim.evenkeel.io/ready-after': '250ms',
      'sim.evenkeel.io/unhealthy': 'shop/web, shop/db',
      'sim.evenkeel.io/state': 'down',
      'sim.evenkeel.io/reports': 'ready',
    }),
  ).toEqual({
    down: true,
    nodes: 5,
    cpu: '500m',
    memory: '1Gi',
    readyAfterMs: 250,
    reportsReady: true,
    unhealthy: new Set(['shop/web', 'shop/db']),
  })
})

test.each([
  ['-1', 3],
  ['1e9', 3],
  ['999999', 3],
  ['0', 0],
])('%s nodes are taken as %i', (text, nodes) => {
  expect(read({ 'sim.evenkeel.io/nodes': text }).nodes).toBe(nodes)
})

test.each([
  ['', 2000],
  ['5', 2000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['-3s', 2000],
])('ready after "%s" is %i ms', (text, ms) => {
  expect(read({ 'sim.evenkeel.io/ready-after': text }).readyAfterMs).toBe(ms)
})
