import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { Work } from '@/lib/kube/kinds/work'
import type { CellView, State } from '../model'
import { parseWorkloadId, workloadId } from '../workload-id'
import { ProjectionMemo } from './memo'
import { type Readiness, projectWorkload } from './workload'
import { placed, reportOf, sampleBinding, sampleWork, T0, T1, T2 } from './testing/samples'

const allReady: Readiness = new Map([
  ['m1', 'True'],
  ['m2', 'True'],
  ['m3', 'True'],
])
const works = [sampleWork('m1'), sampleWork('m2')]
const project = (binding = sampleBinding(), more: { works?: Work[]; readiness?: Readiness; settling?: boolean } = {}) =>
  projectWorkload({ binding, works, readiness: allReady, ...more })

const task = (fromCluster: string, more: object = {}) => ({
  fromCluster,
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  ...more,
})
const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: T0,
})
const notApplied = (message?: string): Work =>
  sampleWork('m2', { status: message ? { conditions: [condition('Applied', 'False', 'AppliedFailed', message)] } : {} })

describe('a healthy workload', () => {
  describe('that others depend on', () => {
    const following = (
      requiredBy: { namespace: string; name: string; clusters: { name: string; replicas: number }[] }[],
    ) =>
      project(
        sampleBinding({
          name: 'web',
          clusters: {},
          spec: {
            resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'settings' },
            requiredBy,
            placement: undefined,
            replicas: undefined,
            replicaRequirements: undefined,
          },
          status: {
            conditions: undefined,
            aggregatedStatus: ['m1', 'm2'].map((cluster) => reportOf(cluster, 0, { status: undefined })),
          },
        }),
        requiredBy.length > 0 ? {} : { works: [] },
      )

    test('is where they are, and says whom it follows', () => {
      const view = following([{ namespace: 'demo', name: 'shop-deployment', clusters: placed({ m1: 2, m2: 1 }) }])
      expect(view).toMatchObject({
        strategy: 'NotDivided',
        hasReplicas: false,
        desired: 2,
        current: 2,
        ready: 2,
        state: { state: 'ok' },
      })
      expect(english.of(view.state.reason)).toBe('Healthy; follows demo/shop-deployment')
      expect(view.policy).toBeUndefined()
      expect(view.cells.map(({ cluster, role, desired }) => [cluster, role, desired])).toEqual([
        ['m1', 'placed', 1],
        ['m2', 'placed', 1],
      ])
    })
    test('is well when nothing depends on it any more', () => {
      expect(following([]).state).toEqual({ state: 'ok', reason: { code: 'workload.state.unused' } })
    })
  })

  test('is shown with its sums, cells, policy and strategy', () => {
    const view = project(
      sampleBinding({
        metadata: {
          annotations: { 'propagationpolicy.karmada.io/name': 'web', 'propagationpolicy.karmada.io/namespace': 'demo' },
        },
      }),
    )
    expect(view).toMatchObject({
      id: 'apps~v1/Deployment/demo/web',
      desired: 3,
      current: 3,
      ready: 3,
      strategy: 'DynamicWeight',
      hasReplicas: true,
      policy: { kind: 'PropagationPolicy', namespace: 'demo', name: 'web' },
      binding: { kind: 'ResourceBinding', namespace: 'demo', name: 'web-deployment' },
      state: { state: 'ok', reason: { code: 'workload.state.ready' } },
      suspended: { scheduling: false, dispatching: false },
    })
    expect(view.cells.map((cell) => [cell.cluster, cell.desired, cell.current, cell.ready, cell.role])).toEqual([
      ['m1', 2, 2, 2, 'placed'],
      ['m2', 1, 1, 1, 'placed'],
    ])
  })

  test('gives the same object for the same input, and keeps what is equal', () => {
    const memo = new ProjectionMemo<ReturnType<typeof project>>()
    const binding = sampleBinding()
    const first = memo.get('web', [binding], () => project(binding))
    expect(
      memo.get('web', [binding], () => {
        throw new Error('computed again')
      }),
    ).toBe(first)
    const touched = sampleBinding()
    expect(memo.get('web', [touched], () => project(touched))).toBe(first)
    const grown = sampleBinding({ clusters: { m1: 2, m2: 2 } })
    const next = memo.get('web', [grown], () => project(grown))
    expect(next).not.toBe(first)
    expect(next.cells[0]).toBe(first.cells[0])
  })
})

describe('the state of a workload', () => {
  test.each<[string, ReturnType<typeof project>, State, string]>([
    ['being deleted', project(sampleBinding({ metadata: { deletionTimestamp: T1 } })), 'active', 'Being deleted'],
    [
      'suspended before it was placed',
      project(
        sampleBinding({ clusters: {}, spec: { suspension: { scheduling: true } }, status: { conditions: undefined } }),
        { works: [] },
      ),
      'held',
      'Scheduling suspended; in no cluster yet',
    ],
    [
      'suspended while it runs',
      project(sampleBinding({ spec: { suspension: { scheduling: true } } })),
      'held',
      'Scheduling suspended; stays in its current clusters',
    ],
    [
      'suspended with a change waiting',
      project(sampleBinding({ spec: { suspension: { scheduling: true } }, metadata: { generation: 2 } })),
      'held',
      'Scheduling suspended; a change is pending',
    ],
    [
      'unschedulable',
      project(
        sampleBinding({
          clusters: {},
          status: { conditions: [condition('Scheduled', 'False', 'NoClusterFit', '0/2 clusters are available')] },
        }),
        { works: [] },
      ),
      'fail',
      'Not scheduled: 0/2 clusters are available',
    ],
    [
      'new',
      project(
        sampleBinding({
          clusters: {},
          status: { conditions: undefined, schedulerObservedGeneration: undefined, lastScheduledTime: undefined },
        }),
        { works: [] },
      ),
      'active',
      'Waiting for the scheduler',
    ],
    [
      'changed since the scheduler looked',
      project(sampleBinding({ metadata: { generation: 2 } })),
      'active',
      'The scheduler has not picked up the latest change',
    ],
    [
      'triggered',
      project(sampleBinding({ spec: { rescheduleTriggeredAt: T1 } })),
      'active',
      'Reschedule requested, not done yet',
    ],
    [
      'triggered and rescheduled',
      project(sampleBinding({ spec: { rescheduleTriggeredAt: T1 }, status: { lastScheduledTime: T2 } })),
      'ok',
      'All replicas ready',
    ],
    [
      'evicted from a cluster',
      project(sampleBinding({ clusters: { m1: 3 }, spec: { gracefulEvictionTasks: [task('m2')] } })),
      'active',
      'Evicting from m2',
    ],
    [
      'kept where it was evicted',
      project(
        sampleBinding({
          clusters: { m1: 3 },
          spec: { gracefulEvictionTasks: [task('m2', { suppressDeletion: true })] },
        }),
      ),
      'held',
      'm2: Kept: deletion is suppressed',
    ],
    [
      'leaving a cluster',
      project(sampleBinding({ clusters: { m1: 3 } })),
      'active',
      'm2: Being removed: no longer scheduled here',
    ],
    [
      'dispatch held',
      project(sampleBinding({ spec: { suspension: { dispatching: true } } })),
      'held',
      'Dispatching to all clusters suspended',
    ],
    [
      'dispatch held in one cluster',
      project(sampleBinding({ spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m2'] } } } })),
      'held',
      'm2: Dispatching suspended',
    ],
    [
      'not yet applied',
      project(sampleBinding(), { works: [sampleWork('m1'), notApplied()] }),
      'active',
      'm2: Not applied yet',
    ],
    ['without its Work', project(sampleBinding(), { works: [sampleWork('m1')] }), 'active', 'm2: Not applied yet'],
    ['not yet applied anywhere', project(sampleBinding(), { works: [] }), 'active', 'm1 and m2: Not applied yet'],
    [
      'troubled in two clusters for different reasons',
      project(
        sampleBinding({
          clusters: { m1: 4, m2: 1 },
          status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 3)] },
        }),
      ),
      'active',
      'm1: 2 replicas to create; m2: 2 surplus replicas',
    ],
    [
      'rejected by a member',
      project(sampleBinding(), { works: [sampleWork('m1'), notApplied('exceeded quota')] }),
      'fail',
      'm2: Rejected: exceeded quota',
    ],
    [
      'without a report',
      project(
        sampleBinding({ status: { aggregatedStatus: [reportOf('m1', 2), { clusterName: 'm2', applied: true }] } }),
      ),
      'warn',
      'm2: Not reported yet',
    ],
    [
      'without a report a moment after it was placed',
      project(
        sampleBinding({ status: { aggregatedStatus: [reportOf('m1', 2), { clusterName: 'm2', applied: true }] } }),
        { settling: true },
      ),
      'active',
      'm2: Waiting for the first report',
    ],
    [
      'with an impossible report',
      project(
        sampleBinding({
          status: {
            aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1, { status: { replicas: 1, readyReplicas: 5 } })],
          },
        }),
      ),
      'warn',
      'm2: Invalid report: readyReplicas 5 > replicas 1',
    ],
    [
      'with a report on an older generation',
      project(
        sampleBinding({
          status: {
            aggregatedStatus: [
              reportOf('m1', 2),
              reportOf('m2', 1, { status: { replicas: 1, readyReplicas: 1, generation: 4, observedGeneration: 3 } }),
            ],
          },
        }),
      ),
      'warn',
      'm2: Latest change not observed yet',
    ],
    [
      'growing',
      project(
        sampleBinding({
          clusters: { m1: 2, m2: 4 },
          status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1)] },
        }),
      ),
      'active',
      'm2: 3 replicas to create',
    ],
    [
      'shrinking',
      project(sampleBinding({ status: { aggregatedStatus: [reportOf('m1', 5), reportOf('m2', 1)] } })),
      'active',
      'm1: 3 surplus replicas',
    ],
    [
      'short',
      project(
        sampleBinding({
          status: {
            aggregatedStatus: [
              reportOf('m1', 2, { health: 'Unhealthy', status: { replicas: 2, readyReplicas: 1 } }),
              reportOf('m2', 1),
            ],
          },
        }),
      ),
      'warn',
      'm1: 1 replica not ready',
    ],
    [
      'starting',
      project(
        sampleBinding({
          status: {
            aggregatedStatus: [
              reportOf('m1', 2, { health: 'Unhealthy', status: { replicas: 2, readyReplicas: 1 } }),
              reportOf('m2', 1),
            ],
          },
        }),
        { settling: true },
      ),
      'active',
      'm1: 1 replica starting',
    ],
    [
      'about to become healthy',
      project(
        sampleBinding({
          status: { aggregatedStatus: [reportOf('m1', 2, { health: 'Unhealthy' }), reportOf('m2', 1)] },
        }),
        { settling: true },
      ),
      'active',
      'm1: Not healthy yet',
    ],
    [
      'unhealthy',
      project(
        sampleBinding({
          status: { aggregatedStatus: [reportOf('m1', 2, { health: 'Unhealthy' }), reportOf('m2', 1)] },
        }),
      ),
      'warn',
      'm1: Unhealthy',
    ],
    [
      'in a cluster that is not ready',
      project(sampleBinding(), {
        readiness: new Map([
          ['m1', 'True'],
          ['m2', 'False'],
        ]),
      }),
      'warn',
      'm2: Cluster not ready; no recent report',
    ],
    [
      'in a cluster that is gone',
      project(sampleBinding(), { readiness: new Map([['m1', 'True']]) }),
      'warn',
      'm2: No report: the cluster is not registered or never reported',
    ],
    [
      'with a copy left in a silent cluster',
      project(sampleBinding({ clusters: { m1: 3 } }), {
        readiness: new Map([
          ['m1', 'True'],
          ['m2', 'False'],
        ]),
      }),
      'ok',
      'All replicas ready; old replicas may remain in m2',
    ],
    ['scaled to zero', project(sampleBinding({ clusters: {} }), { works: [] }), 'ok', 'Scaled to zero'],
  ])('%s', (_, view, ...[state, reason]) =>
    expect([view.state.state, english.of(view.state.reason)]).toEqual([state, reason]),
  )
})

describe('cells', () => {
  const cellOf = (view: ReturnType<typeof project>, cluster: string): CellView | undefined =>
    view.cells.find((cell) => cell.cluster === cluster)

  test('a silent cluster makes its replicas unknown, whatever it reported last', () => {
    const view = project(sampleBinding(), {
      readiness: new Map([
        ['m1', 'Unknown'],
        ['m2', 'True'],
      ]),
    })
    expect(cellOf(view, 'm1')).toMatchObject({
      desired: 2,
      current: 0,
      ready: 0,
      unknown: 2,
      state: { state: 'unknown' },
    })
    expect(view).toMatchObject({ desired: 3, current: 1, ready: 1, unknown: 2 })
  })
  test('an evicted copy is an old replica, not one of the desired', () => {
    const view = project(
      sampleBinding({
        clusters: { m1: 3 },
        spec: { gracefulEvictionTasks: [task('m2')] },
        status: {
          aggregatedStatus: [reportOf('m1', 3, { status: { replicas: 3, readyReplicas: 1 } }), reportOf('m2', 1)],
        },
      }),
    )
    expect(cellOf(view, 'm2')).toMatchObject({ role: 'evicting', desired: 0, current: 0, old: 1, oldReady: 1 })
    expect(view).toMatchObject({ desired: 3, current: 3, ready: 1, old: 1, oldReady: 1 })
  })
  test('a copy in a dead cluster that is being left is unknown, and no part of what is desired', () => {
    const view = project(
      sampleBinding({
        clusters: { m1: 3 },
        spec: { gracefulEvictionTasks: [task('m2')] },
        status: { aggregatedStatus: [reportOf('m1', 3), reportOf('m2', 3)] },
      }),
      {
        readiness: new Map([
          ['m1', 'True'],
          ['m2', 'False'],
        ]),
      },
    )
    expect(view).toMatchObject({ desired: 3, current: 3, ready: 3, oldUnknown: 3 })
    expect(view.old).toBeUndefined()
  })
  test('before the scheduler follows a scale-down, the surplus is old', () => {
    const view = project(sampleBinding({ spec: { replicas: 1 }, metadata: { generation: 2 } }))
    expect(view).toMatchObject({ desired: 1, current: 1, ready: 1, old: 2, oldReady: 2 })
  })
  test('a replica in no cluster is neither ready nor unknown', () => {
    const view = project(sampleBinding({ spec: { replicas: 9 } }))
    expect(view).toMatchObject({
      desired: 9,
      current: 3,
      ready: 3,
      state: { state: 'warn', reason: { code: 'workload.state.short', args: { n: 6 } } },
    })
  })
  test('without Works to read, what members report decides', () => {
    const binding = sampleBinding({
      clusters: { m1: 2 },
      status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m9', 1)] },
    })
    const view = projectWorkload({ binding, works: undefined, readiness: undefined })
    expect(view.cells.map((cell) => [cell.cluster, cell.role, cell.applied])).toEqual([
      ['m1', 'placed', true],
      ['m9', 'leaving', true],
    ])
  })
  test('duplicated replicas are wanted in every cluster', () => {
    const view = project(sampleBinding({ clusters: { m1: 2, m2: 2 }, spec: { replicas: 2, placement: {} } }))
    expect(view).toMatchObject({ strategy: 'Duplicated', desired: 4, current: 4 })
  })
  test('takes its namespace from its binding, so that a tenant cannot claim a workload of another namespace', () => {
    const binding = sampleBinding({
      spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'elsewhere', name: 'web' } },
    })
    expect(project(binding).ref).toMatchObject({ namespace: binding.metadata.namespace })
  })

  test('a template without replicas counts clusters', () => {
    const view = project(
      sampleBinding({
        spec: {
          resource: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' },
          clusters: placed({ m1: 0, m2: 0 }),
          replicas: 0,
          replicaRequirements: undefined,
        },
        status: {
          aggregatedStatus: [reportOf('m1', 0, { status: undefined }), reportOf('m2', 0, { status: undefined })],
        },
      }),
    )
    expect(view).toMatchObject({
      hasReplicas: false,
      strategy: 'NotDivided',
      desired: 2,
      current: 2,
      ready: 2,
      state: { state: 'ok', reason: { code: 'workload.cell.healthy' } },
    })
  })
})

describe('workload ids', () => {
  test.each([
    [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }, 'apps~v1/Deployment/demo/web'],
    [{ apiVersion: 'v1', kind: 'Namespace', name: 'demo' }, 'v1/Namespace/-/demo'],
    [
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'system:a' },
      'rbac.authorization.k8s.io~v1/ClusterRole/-/system:a',
    ],
  ])('%j is %s and back', (ref, id) => {
    expect(workloadId(ref)).toBe(id)
    expect(parseWorkloadId(id)).toEqual(ref)
  })
  test.each(['', 'web', 'a/b/c', 'a//c/d', 'a/b/c/d/e'])('"%s" is no id', (id) =>
    expect(parseWorkloadId(id)).toBeUndefined(),
  )
})
