import { describe, expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { headlineOf } from './headline'

const cell = (cluster: string, desired: number): CellView => ({
  cluster,
  desired,
  current: 0,
  ready: 0,
  unknown: desired,
  role: 'placed',
  applied: true,
  health: 'Healthy',
  state: { state: 'ok', reason: '' },
})

function workload(
  name: string,
  { state = 'ok', drift, at = { m1: 2 } }: { state?: State; drift?: number; at?: Record<string, number> } = {},
): WorkloadView {
  return {
    id: name,
    hasReplicas: true,
    state: { state, reason: '' },
    cells: Object.entries(at).map(([to, n]) => cell(to, n)),
    ...(drift !== undefined && { drift }),
  } as unknown as WorkloadView
}
const cluster = (name: string, ready: ClusterView['ready'] = 'True'): ClusterView =>
  ({ name, ready, deleting: false }) as ClusterView

const sentences = (workloads: WorkloadView[], clusters: ClusterView[] | undefined = [cluster('m1'), cluster('m2')]) =>
  headlineOf({ workloads, clusters }).parts.map(({ sentence }) => english.of(sentence))

describe('headline of the fleet', () => {
  it.each<[string, WorkloadView[], ClusterView[] | undefined, string[]]>([
    ['is calm while all is well', [workload('a'), workload('b')], undefined, ['All 2 workloads match their policies.']],
    ['is calm with one workload', [workload('a')], undefined, ['The workload matches its policy.']],
    [
      'tells what is in progress',
      [workload('a', { state: 'active' }), workload('b', { state: 'held' })],
      undefined,
      ['No workload is degraded; 1 in progress, 1 suspended or queued.'],
    ],
    [
      'counts what a lost cluster costs, and does not count it again',
      [workload('a', { state: 'warn', at: { m1: 2, m2: 3 } }), workload('b', { state: 'fail' })],
      [cluster('m1'), cluster('m2', 'Unknown')],
      ['m2 is not ready: 3 replicas of 1 workload unknown.', '1 workload is degraded.'],
    ],
    [
      'names several clusters',
      [workload('a', { at: { m1: 1, m2: 1 } })],
      [cluster('m1', 'False'), cluster('m2', 'False')],
      ['2 clusters are not ready (m1 and m2): 2 replicas of 1 workload unknown.'],
    ],
    [
      'names a lost cluster that held nothing',
      [workload('a')],
      [cluster('m2', 'False')],
      ['m2 is not ready: no workload is scheduled there.'],
    ],
    [
      'counts drift last',
      [workload('a', { drift: 20 }), workload('b', { drift: 7, state: 'warn' })],
      [cluster('m1')],
      ['1 workload is degraded.', '27 replicas of 2 workloads drifted from policy.'],
    ],
    [
      'counts the drift of one',
      [workload('a', { drift: 1 })],
      [cluster('m1')],
      ['1 replica of 1 workload drifted from policy.'],
    ],
  ])('%s', (_, workloads, clusters, expected) => {
    expect(sentences(workloads, clusters)).toEqual(expected)
  })

  it('offers exactly what drifts', () => {
    const { drifting } = headlineOf({ workloads: [workload('a', { drift: 20 }), workload('b')], clusters: undefined })
    expect(drifting).toEqual({ ids: ['a'], replicas: 20 })
  })
})
