import { expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { FailoverSummaryView } from '@/lib/view/failover-model'
import { bannerText } from './banner-text'

const none: FailoverSummaryView = {
  id: 'now',
  running: 1,
  clustersLost: [],
  unhealthy: 0,
  tolerating: 0,
  evicting: 0,
  replaced: 0,
  kept: 0,
  done24h: 0,
  workloads: { tolerating: 0, evicting: 0, replaced: 0 },
}

test.each<[string, Partial<FailoverSummaryView>, string]>([
  ['nothing where nothing is in progress', {}, ''],
  [
    'the clusters that are not ready',
    { clustersLost: ['ap-1', 'eu-1'], evicting: 16, workloads: { tolerating: 0, evicting: 8, replaced: 0 } },
    'ap-1 and eu-1 not ready · 8 workloads evicting',
  ],
  [
    'every stage in its order',
    { workloads: { tolerating: 1, evicting: 2, replaced: 3 }, kept: 1 },
    '1 workload tolerating · 2 workloads evicting · 3 workloads replaced · 1 failover kept by operator',
  ],
])('the banner tells %s', (_, counts, expected) => expect(bannerText(english, { ...none, ...counts })).toBe(expected))
