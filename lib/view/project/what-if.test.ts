import { describe, expect, test } from 'vitest'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { projectFailback, projectWhatIf } from './what-if'
import { sampleBinding, sampleCluster, T0 } from './testing/samples'

const now = Date.parse('2026-11-21T09:30:00Z')
const roomy = {
  apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
  resourceSummary: { allocatable: { cpu: '100', memory: '400Gi', pods: '1000' } },
}
const clusters = ['m1', 'm2'].map((name) =>
  sampleCluster(name, { status: { ...sampleCluster(name).status, ...roomy } }),
)

describe('a fleet without a cluster', () => {
  const bindings = [
    sampleBinding({ name: 'web', clusters: { m1: 2, m2: 1 } }),
    sampleBinding({ name: 'held', clusters: { m1: 3 }, spec: { suspension: { scheduling: true } } }),
    sampleBinding({
      name: 'pinned',
      clusters: { m1: 3 },
      spec: { placement: { clusterAffinity: { clusterNames: ['m1'] } } },
    }),
    sampleBinding({ name: 'elsewhere', clusters: { m2: 3 } }),
  ]
  const view = projectWhatIf({
    cluster: 'm1',
    cause: 'drained',
    whatIf: whatIf({ cluster: 'm1', cause: 'drained', bindings, clusters, now }),
  })

  test('counts how the workloads end, and shows the most troubled first', () => {
    expect(view).toMatchObject({ id: 'drained/m1', counts: { stuck: 1, lost: 1, moves: 1, shrinks: 0, stays: 0 } })
    expect(view.targets.map(({ ref, outcome, state }) => [ref.name, outcome, state.state])).toEqual([
      ['pinned', 'stuck', 'fail'],
      ['held', 'lost', 'fail'],
      ['web', 'moves', 'active'],
    ])
  })

  test('says where each workload was and where it would be', () => {
    expect(view.targets.at(-1)).toMatchObject({
      id: 'apps~v1/Deployment/demo/web',
      before: [
        { cluster: 'm1', replicas: 2 },
        { cluster: 'm2', replicas: 1 },
      ],
      after: [{ cluster: 'm2', replicas: 3 }],
      replicas: 2,
      readyElsewhere: 1,
      hasFailoverPolicy: false,
    })
  })
})

test('what could return to a cluster is told with numbers and moments', () => {
  const left = sampleBinding({
    clusters: { m2: 4 },
    spec: { replicas: 4 },
    metadata: {
      annotations: { 'rebalance.evenkeel.io/left': '[{"cluster":"m1","replicas":2,"at":"2026-11-21T09:05:00Z"}]' },
    },
  })
  expect(suggestFailback({ bindings: [left], clusters, now }).map(projectFailback)).toEqual([
    {
      id: 'm1',
      cluster: 'm1',
      healthySince: T0,
      stableAt: '2026-11-21T09:10:00Z',
      isStable: true,
      left: 1,
      returning: 1,
      replicas: expect.any(Number),
    },
  ])
})
