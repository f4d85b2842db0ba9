import { expect, test } from 'vitest'
import type { FailoverSummaryView } from '@/lib/view/failover-model'
import { bannerText } from './banner-text'

const none: FailoverSummaryView = { id: 'now', running: 1, clustersLost: [], unhealthy: 0, tolerating: 0, evicting: 0, replaced: 0, kept: 0, done24h: 0, workloads: { tolerating: 0, evicting: 0, replaced: 0 } }

test.each<[string, Partial<FailoverSummaryView>, string]>([
  ['nothing where nothing goes on', {}, ''],
  ['the clusters that are lost', { clustersLost: ['ap-1', 'eu-1'], evicting: 16, workloads: { tolerating: 0, evicting: 8, replaced: 0 } }, 'ap-1 and eu-1 not ready · 8 workloads moving.'],
  ['every stage in its order', { workloads: { tolerating: 1, evicting: 2, replaced: 3 }, kept: 1 }, '1 workload waiting for the toleration to end · 2 workloads moving · 3 workloads about to be cleaned up · 1 copy kept by hand.'],
])('the banner tells %s', (_, counts, text) => expect(bannerText({ ...none, ...counts })).toBe(text))
