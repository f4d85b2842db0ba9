import { describe, expect, it } from 'vitest'
import { message } from '@/lib/messages/message'
import type { FailoverEntryView, PastFailoverView } from '@/lib/view/failover-model'
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import { type OverviewFacts, overviewHeadline, runningIncidents } from './headline'

const reason = message('overview.loading')
const cluster = (name: string, ready = 'True', region = 'eu'): ClusterView =>
  ({ name, ready, region, deleting: false, state: { state: ready === 'True' ? 'ok' : 'fail', reason } }) as ClusterView
const workload = (name: string, state: State): WorkloadView =>
  ({ id: name, ref: { name }, state: { state, reason }, hasReplicas: true, cells: [] }) as unknown as WorkloadView
const incident = (name: string, { since = '2026-01-01T00:00:00Z', ...facts }: Record<string, unknown> = {}) =>
  ({
    failovers: [{ kind: 'cluster', cluster: name, since, incident: { affected: 9, recovered: 6, ...facts } }],
  }) as unknown as FailoverEntryView
const eviction = (name: string, stage = 'evicting') =>
  ({ failovers: [{ kind: 'workload', cluster: name, stage }] }) as unknown as FailoverEntryView
const past = (name: string, endedAt: string, kind = 'cluster'): PastFailoverView =>
  ({ kind, cluster: name, unhealthySince: '2026-01-01T00:00:00Z', endedAt }) as PastFailoverView

const headline = (facts: Partial<OverviewFacts>) =>
  overviewHeadline({ workloads: [], clusters: [], failovers: [], past: [], ...facts })

describe('the sentence of the overview', () => {
  const down = [cluster('m1', 'False'), cluster('m2')]
  it.each<[string, Partial<OverviewFacts>, State, string, object]>([
    [
      'all is well',
      { workloads: [workload('a', 'ok'), workload('b', 'held')] },
      'ok',
      'overview.headline.calm',
      { n: 1 },
    ],
    [
      'workloads are in progress',
      { workloads: [workload('a', 'ok'), workload('b', 'active')] },
      'active',
      'overview.headline.busy',
      { busy: 1, healthy: 1 },
    ],
    [
      'a cluster is lost and workloads recover',
      { clusters: down, failovers: [incident('m1')] },
      'fail',
      'overview.headline.incident',
      { cluster: 'm1', affected: 9, recovered: 6 },
    ],
    [
      'a cluster is lost and all have recovered',
      { clusters: down, failovers: [incident('m1', { recovered: 9 })] },
      'fail',
      'overview.headline.recovered',
      { cluster: 'm1', affected: 9 },
    ],
    [
      'workloads are evicted from a cluster that is ready, while others run off their policy',
      {
        workloads: [{ ...workload('a', 'ok'), drift: 2 } as WorkloadView],
        failovers: [eviction('m1'), eviction('m1'), eviction('m2'), eviction('m3', 'done')],
      },
      'active',
      'overview.headline.evicting',
      { n: 3, clusters: ['m1', 'm2'] },
    ],
    [
      'a cluster is lost that had nothing',
      { clusters: down, failovers: [incident('m1', { affected: 0, recovered: 0 })] },
      'fail',
      'fleet.headline.downUnused',
      { n: 1 },
    ],
    [
      'two clusters are lost',
      { clusters: [cluster('m1', 'False'), cluster('m2', 'False')], failovers: [incident('m1'), incident('m2')] },
      'fail',
      'fleet.headline.downUnused',
      { n: 2 },
    ],
    [
      'an incident is over',
      { workloads: [workload('a', 'ok')], failovers: [incident('m1', { endedAt: '2026-01-01T00:05:00Z' })] },
      'ok',
      'overview.headline.calm',
      { n: 1 },
    ],
  ])('when %s', (...[, facts, state, code, values]) => {
    const { sentence, state: shown } = headline(facts)
    expect(shown).toBe(state)
    expect(sentence).toMatchObject({ code, args: values })
  })

  it('is supported by the time since when, and by an estimate only where there is one', () => {
    const codes = (facts: Record<string, unknown>) =>
      headline({ clusters: down, failovers: [incident('m1', facts)] }).details.map(({ code }) => code)
    expect(codes({})).toEqual(['overview.detail.since'])
    expect(codes({ secondsLeft: 40 })).toEqual(['overview.detail.since', 'overview.detail.left'])
    expect(codes({ secondsLeft: 0, recovered: 9 })).toEqual(['overview.detail.since'])
  })

  it('is supported by clusters only where they may be listed, and by the last incident of a cluster', () => {
    const facts = {
      workloads: [workload('a', 'ok')],
      past: [
        past('m1', '2026-01-01T00:10:00Z'),
        past('m2', '2026-01-01T00:20:00Z'),
        past('m3', '2026-01-02T00:00:00Z', 'workload'),
      ],
    }
    const { details } = headline({ ...facts, clusters: [cluster('m1'), cluster('m2', 'True', 'us')] })
    expect(details[0]).toMatchObject({ args: { ready: 2, n: 2, regions: 2 } })
    expect(details[1]).toMatchObject({ args: { cluster: 'm2', span: { ms: 1_200_000 } } })
    expect(headline({ ...facts, clusters: undefined }).details).toHaveLength(1)
    const without = { ...cluster('m3'), region: undefined }
    expect(headline({ ...facts, clusters: [without] }).details[0]).toMatchObject({ args: { n: 1, regions: 0 } })
  })
})

it('the incident that runs for longest comes first', () => {
  const failovers = [
    incident('late', { since: '2026-01-01T02:00:00Z' }),
    incident('early'),
    incident('over', { endedAt: '2026-01-01T00:05:00Z' }),
  ]
  expect(runningIncidents(failovers).map((each) => each.cluster)).toEqual(['early', 'late'])
})
