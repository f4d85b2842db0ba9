import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { JournalEntry, JournalFact } from '../journal'
import { projectCluster } from './cluster'
import { clusterTimeline, type StateTimelineView, workloadTimeline } from './state-timeline'
import { ready, sampleBinding, sampleCluster, sampleWork } from './testing/samples'
import { projectWorkload } from './workload'
import { projectWorkloadDetail } from './workload-detail'

const WEB = 'apps~v1/Deployment/demo/web'
const START = Date.UTC(2026, 10, 21, 10, 0, 0)
const iso = (second: number): string => new Date(START + second * 1000).toISOString()
const range = { from: START, to: START + 100_000 }
const entries = (...facts: (readonly [second: number, fact: JournalFact])[]): JournalEntry[] =>
  facts.map(([second, fact], seq) => ({ seq, at: iso(second), ...fact }))

function workload(clusters: Record<string, number> = { m1: 3 }) {
  const binding = sampleBinding({ clusters })
  const works = Object.keys(clusters).map((name) => sampleWork(name))
  const view = projectWorkload({ binding, works, readiness: undefined })
  return projectWorkloadDetail({
    view,
    binding,
    works,
    events: [],
    rebalancers: [],
    placements: [],
    why: [],
    blockedBy: [],
  })
}

/** `m1: healthy 0-20, evicting 20-30`, in seconds of the range. */
const lanesOf = ({ lanes, from }: StateTimelineView): string[] =>
  lanes.map(
    ({ name, spans }) =>
      `${english.of(name)}: ${spans.map((span) => `${english.of(span.detail)} ${(span.from - from) / 1000}-${(span.to - from) / 1000}`).join(', ')}`,
  )

const task = { reason: 'r', producer: 'p', replaced: false }
const at = (cluster: string) => ({ workload: WEB, cluster })

describe('the timeline of a workload', () => {
  test('is the present for the whole range when nothing was noted', () => {
    expect(lanesOf(workloadTimeline(workload(), [], range))).toEqual(['m1: healthy 0-100'])
  })

  test('shows a failover, and before the first entry the earlier state', () => {
    const view = workloadTimeline(
      workload(),
      entries(
        [10, { what: 'health', ...at('m2'), before: 'Healthy', after: 'Unhealthy' }],
        [40, { what: 'task', ...at('m2'), after: task }],
        [
          40,
          {
            what: 'placement',
            workload: WEB,
            before: [{ cluster: 'm2', replicas: 3 }],
            after: [{ cluster: 'm1', replicas: 3 }],
            trigger: 'failover',
          },
        ],
        [45, { what: 'health', ...at('m1'), after: 'Unhealthy' }],
        [60, { what: 'health', ...at('m1'), before: 'Unhealthy', after: 'Healthy' }],
        [61, { what: 'task', ...at('m2'), before: task }],
      ),
      range,
    )
    expect(lanesOf(view)).toEqual([
      'm1: health unknown 40-45, unhealthy 45-60, healthy 60-100',
      'm2: healthy 0-10, unhealthy 10-40, evicting 40-61',
    ])
    expect(view.moves).toMatchObject([{ trigger: 'failover', before: [{ cluster: 'm2' }], after: [{ cluster: 'm1' }] }])
  })

  test('shows a copy that is kept, and a cluster that is lost', () => {
    const lost = { status: 'False' as const, reason: 'r', message: '' }
    const isReady = { ...lost, status: 'True' as const }
    const view = workloadTimeline(
      workload({ m1: 3, m2: 1 }),
      entries(
        [10, { what: 'ready', cluster: 'm1', before: isReady, after: lost }],
        [20, { what: 'ready', cluster: 'm1', before: lost, after: isReady }],
        [30, { what: 'task', ...at('m3'), after: { ...task, suppressDeletion: true } }],
        [50, { what: 'task', ...at('m3'), before: task }],
      ),
      range,
    )
    expect(lanesOf(view)).toEqual([
      'm1: healthy 0-10, cluster not ready 10-20, healthy 20-100',
      'm2: healthy 0-100',
      'm3: kept 30-50',
    ])
  })

  test('marks when the server was not watching, and begins with the workload', () => {
    expect(
      workloadTimeline(workload(), entries([30, { what: 'gap', from: iso(-5), why: 'stopped' }]), range).gaps,
    ).toEqual([{ from: START, to: START + 30_000 }])
    const young = { ...workload(), createdAt: iso(70) }
    expect(lanesOf(workloadTimeline(young, [], range))).toEqual(['m1: healthy 0-30'])
  })
})

test('the timeline of a cluster shows readiness, taints and evicted workloads', () => {
  const taint = { key: 'gone', effect: 'NoExecute' }
  const unready = { status: 'False' as const, reason: 'r', message: '' }
  const facts = entries(
    [10, { what: 'ready', cluster: 'm1', before: { ...unready, status: 'True' }, after: unready }],
    [20, { what: 'taint', cluster: 'm1', after: taint }],
    [
      21,
      { what: 'placement', workload: WEB, before: [{ cluster: 'm1', replicas: 3 }], after: [], trigger: 'failover' },
    ],
    [30, { what: 'taint', cluster: 'm1', before: taint }],
  )
  const view = clusterTimeline(
    projectCluster(sampleCluster('m1', { status: ready('False') }), {
      workloads: 0,
      replicas: { desired: 0, current: 0, ready: 0 },
    }),
    facts,
    range,
  )
  expect(lanesOf(view)).toEqual(['Ready: ready 0-10, not ready 10-100', 'gone:NoExecute: marked for eviction 20-30'])
  expect(view.moves).toHaveLength(1)
})

describe('the lanes of a cluster', () => {
  const quiet = { workloads: 0, replicas: { desired: 0, current: 0, ready: 0 } }
  const condition = (type: string, status: 'True' | 'False' | 'Unknown') => ({ type, status })
  const of = (spec: Parameters<typeof sampleCluster>[1], ...facts: Parameters<typeof entries>) =>
    lanesOf(clusterTimeline(projectCluster(sampleCluster('m1', spec), quiet), entries(...facts), range))

  test('are its conditions and each taint with its effect, for as long as it was there', () => {
    const [kept, left] = [
      { key: 'disk', effect: 'NoSchedule' as const },
      { key: 'old', effect: 'PreferNoSchedule' as const },
    ]
    expect(
      of(
        { spec: { taints: [kept] } },
        [10, { what: 'taint', cluster: 'm1', before: left }],
        [40, { what: 'taint', cluster: 'm1', after: kept }],
        [50, { what: 'condition', cluster: 'm1', after: condition('Full', 'True') }],
        [
          60,
          { what: 'condition', cluster: 'm1', before: condition('Full', 'True'), after: condition('Full', 'False') },
        ],
        [70, { what: 'condition', cluster: 'm1', before: condition('Full', 'False') }],
        [80, { what: 'taint', cluster: 'm2', after: left }],
      ),
    ).toEqual([
      'Ready: ready 0-100',
      'Full: True 50-60, False 60-70',
      'disk:NoSchedule: no new workloads 40-100',
      'old:PreferNoSchedule: avoided by new workloads 0-10',
    ])
  })

  test('are at most twelve of a kind until all are wanted, and the others are counted', () => {
    const taints = Array.from({ length: 15 }, (_, at) => ({ key: `t${at}`, effect: 'NoSchedule' as const }))
    const view = projectCluster(sampleCluster('m1', { spec: { taints } }), quiet)
    const gone = entries([10, { what: 'condition', cluster: 'm1', before: condition('Full', 'True') }])
    const few = clusterTimeline(view, gone, range)
    expect([few.lanes.length, few.hidden]).toEqual([2 + 12, 3])
    const all = clusterTimeline(view, gone, range, 'all')
    expect([all.lanes.length, all.hidden]).toEqual([2 + 15, 0])
  })

  test('are unknown before the record began, and while nothing was observed', () => {
    const taint = { key: 'k', effect: 'NoExecute' as const }
    expect(
      of(
        { spec: { taints: [taint] } },
        [20, { what: 'gap', from: iso(-100), why: 'unrecorded' }],
        [40, { what: 'taint', cluster: 'm1', after: taint }],
        [70, { what: 'gap', from: iso(60), why: 'stopped' }],
        [75, { what: 'gap', from: iso(65), why: 'unreachable' }],
      ),
    ).toEqual([
      'Ready: Not observed 0-20, ready 20-60, Not observed 60-75, ready 75-100',
      'k:NoExecute: Not observed 0-20, marked for eviction 40-60, Not observed 60-75, marked for eviction 75-100',
    ])
  })

  test('are bounded, for any number of taints', () => {
    const many = Array.from(
      { length: 40 },
      (_, at) => [at, { what: 'taint', cluster: 'm1', after: { key: `k${at}`, effect: 'NoExecute' } }] as const,
    )
    expect(of({}, ...many)).toHaveLength(1 + 12)
  })
})

test('the timeline of a cluster has no colour before the cluster existed', () => {
  const young = sampleCluster('m1', { metadata: { creationTimestamp: iso(60) } })
  const view = projectCluster(young, { workloads: 0, replicas: { desired: 0, current: 0, ready: 0 } })
  expect(lanesOf(clusterTimeline(view, [], range))).toEqual(['Ready: ready 0-40', 'Taints: none 0-40'])
  const reported = entries([65, { what: 'ready', cluster: 'm1', after: { status: 'True', reason: 'r', message: '' } }])
  expect(clusterTimeline(view, reported, range).lanes[0]?.spans[0]?.from).toBe(START + 65_000)
})
