import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { State } from '../model'
import { projectCluster, readinessOf } from './cluster'
import { ready, sampleCluster, T0, T1 } from './testing/samples'

const nothing = { workloads: 0, replicas: { desired: 0, current: 0, ready: 0 } }

describe('a cluster', () => {
  test('is shown with its capacity in base units and its load', () => {
    const cluster = sampleCluster('eu-1', {
      metadata: { annotations: { 'sim.evenkeel.io/nodes': '3' } },
      spec: { provider: 'p', region: 'eu', zones: ['a', 'b'] },
      status: {
        ...sampleCluster('eu-1').status,
        kubernetesVersion: 'v1.34.1',
        resourceSummary: {
          allocatable: { cpu: '48', memory: '192Gi', pods: '330' },
          allocated: { cpu: '1500m', memory: '1Gi' },
        },
      },
    })
    expect(
      projectCluster(cluster, { workloads: 2, replicas: { desired: 7, current: 6, ready: 5, old: 1 } }),
    ).toMatchObject({
      id: 'eu-1',
      ready: 'True',
      simulated: true,
      provider: 'p',
      region: 'eu',
      zones: ['a', 'b'],
      kubernetesVersion: 'v1.34.1',
      nodes: { ready: 3, total: 3 },
      workloads: 2,
      replicas: { desired: 7, current: 6, ready: 5, old: 1 },
      createdAt: T0,
      deleting: false,
      cpu: { allocatable: 48_000, allocated: 1_500, allocating: 0 },
      memory: { allocatable: 206158430208, allocated: 1073741824, allocating: 0 },
      pods: { allocatable: 330, allocated: 0, allocating: 0 },
      state: { state: 'ok', reason: { code: 'clusters.state.ready' } },
    })
  })

  test.each(['False', 'Unknown'] as const)('has no known replicas while Ready is %s', (status) => {
    const view = projectCluster(sampleCluster('eu-1', { status: ready(status) }), {
      workloads: 2,
      replicas: { desired: 7, current: 6, ready: 5, old: 1 },
    })
    expect(view.replicas).toEqual({ desired: 7, current: 0, ready: 0, unknown: 7, oldUnknown: 1 })
  })

  test('shows no capacity that was never reported', () => {
    expect(projectCluster(sampleCluster('eu-1'), nothing).cpu).toBeUndefined()
  })

  const taint = (effect: string) => [{ key: 'drain', value: 'now', effect }]
  test.each<[string, Cluster, State, string]>([
    ['leaving', sampleCluster('a', { metadata: { deletionTimestamp: T1 } }), 'active', 'Being removed'],
    ['silent since it joined', sampleCluster('a', { status: { conditions: [] } }), 'unknown', 'No status reported yet'],
    ['not ready', sampleCluster('a', { status: ready('False') }), 'fail', 'Not ready: cluster is not reachable'],
    [
      'of unknown readiness',
      sampleCluster('a', { status: ready('Unknown', 'no lease') }),
      'unknown',
      'Readiness unknown: no lease',
    ],
    [
      'driving workloads away',
      sampleCluster('a', { spec: { taints: taint('NoExecute') } }),
      'warn',
      'Has NoExecute taints: drain=now:NoExecute',
    ],
    [
      'closed for new ones',
      sampleCluster('a', { spec: { taints: taint('NoSchedule') } }),
      'held',
      'No new workloads: drain=now:NoSchedule',
    ],
    [
      'short of nodes',
      sampleCluster('a', { status: { ...sampleCluster('a').status, nodeSummary: { readyNum: 1, totalNum: 3 } } }),
      'warn',
      '2 of 3 nodes not ready',
    ],
  ])('%s', (_, cluster, ...[state, reason]) => {
    const view = projectCluster(cluster, nothing)
    expect([view.state.state, english.of(view.state.reason)]).toEqual([state, reason])
  })

  test.each([
    ['True', ready('True')],
    ['False', ready('False')],
    ['Unknown', ready('Unknown')],
    ['Missing', {}],
  ])('readiness %s', (word, status) =>
    expect(readinessOf(sampleCluster('a', { status: { conditions: undefined, ...status } }))).toBe(word),
  )
})
