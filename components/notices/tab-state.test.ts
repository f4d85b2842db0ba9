import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { ICONS, tabState, tabTitle } from './tab-state'

const counts = (fail: number) => ({ ok: 5, active: 1, warn: 2, fail, held: 0, unknown: 0 })
const quiet = { clustersLost: [], running: 0 }

test.each<[string, Parameters<typeof tabState>[0], string, { visible: string; hidden: string }]>([
  ['nothing is known', { failovers: undefined, summary: undefined }, 'calm', { visible: 'Fleet', hidden: 'Fleet' }],
  [
    'nothing fails',
    { failovers: quiet, summary: { workloads: counts(0), clusters: counts(0) } },
    'calm',
    { visible: 'Fleet', hidden: 'Fleet' },
  ],
  [
    'workloads and clusters fail',
    { failovers: quiet, summary: { workloads: counts(2), clusters: counts(1) } },
    'attention',
    { visible: 'Fleet', hidden: '(3 failing) Fleet' },
  ],
  [
    'workloads fail for a reader who may not list clusters',
    { failovers: quiet, summary: { workloads: counts(4) } },
    'attention',
    { visible: 'Fleet', hidden: '(4 failing) Fleet' },
  ],
  [
    'a cluster is lost',
    { failovers: { clustersLost: ['m1'], running: 0 }, summary: { workloads: counts(0), clusters: counts(1) } },
    'incident',
    { visible: 'Incident · Fleet', hidden: 'Incident · (1 failing) Fleet' },
  ],
  [
    'a failover runs',
    { failovers: { clustersLost: [], running: 1 }, summary: undefined },
    'incident',
    { visible: 'Incident · Fleet', hidden: 'Incident · Fleet' },
  ],
])('the tab while %s', (_, facts, state, { visible, hidden }) => {
  expect(tabState(facts)).toBe(state)
  expect(tabTitle(english, 'Fleet', { facts, hidden: false })).toBe(visible)
  expect(tabTitle(english, 'Fleet', { facts, hidden: true })).toBe(hidden)
})

test('each state has an icon of its own', () => {
  expect(Object.values(ICONS).filter((path) => !existsSync(`public${path}`))).toEqual([])
  expect(new Set(Object.values(ICONS)).size).toBe(3)
})
