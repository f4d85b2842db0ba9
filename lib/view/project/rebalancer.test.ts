import { describe, expect, test } from 'vitest'
import { type Message, message } from '@/lib/messages/message'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { State } from '../model'
import type { RebalanceStage, RebalanceTargetView } from '../rebalance-model'
import type { AnyBinding } from './binding-facts'
import { PLAN_ANNOTATION, readPlanRecord, replicasMoved, writePlanRecord } from './plan-record'
import {
  listTargets,
  projectRebalancer,
  projectRebalancerRow,
  projectTarget,
  type RebalancerSnapshot,
} from './rebalancer'
import { reportOf, sampleBinding, sampleRebalancer, sampleWork, scheduled, T0, T1, T2 } from './testing/samples'
import { workloadId } from '../workload-id'
import { projectWorkload } from './workload'

const ref = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name })
const observed = (name: string, result?: string, reason?: string) => ({
  workload: ref(name),
  ...(result && { result }),
  ...(reason && { reason }),
})
const fullyApplied = {
  type: 'FullyApplied',
  status: 'True',
  reason: 'FullyAppliedSuccess',
  message: '',
  lastTransitionTime: T1,
} as const
const works = [sampleWork('m1'), sampleWork('m2')]

const naming = [
  sampleRebalancer(['web']),
  sampleRebalancer(['web'], { metadata: { name: 'later', creationTimestamp: T2 } }),
]

function project(
  rebalancer: WorkloadRebalancer,
  binding: AnyBinding | undefined,
  {
    seen,
    ignored,
    others = naming,
    expected,
  }: {
    expected?: { name: string; replicas: number }[]
    others?: readonly WorkloadRebalancer[]
    seen?: { before: { cluster: string; replicas: number }[]; after: { cluster: string; replicas: number }[] }
    ignored?: { at: string; scheduledAt: string }
  } = {},
) {
  const snapshot: RebalancerSnapshot = {
    rebalancer,
    target: () => binding && { binding, view: () => projectWorkload({ binding, works, readiness: undefined }), works },
    naming: () => others,
    ignored: () => ignored,
    seen: () => seen,
    expected: () => expected,
  }
  return projectRebalancer(
    rebalancer,
    listTargets(rebalancer).map((target) => projectTarget(snapshot, target)),
  )
}

/** Triggered by the rebalancer, and scheduled since. */
const rescheduled = (more: Parameters<typeof sampleBinding>[0] = {}): AnyBinding =>
  sampleBinding({
    ...more,
    spec: { rescheduleTriggeredAt: T1, ...more.spec },
    status: { lastScheduledTime: T2, conditions: [scheduled, fullyApplied], ...more.status },
  })
const done = sampleRebalancer(['web'], { status: { observedWorkloads: [observed('web', 'Successful')] } })

describe('a target of a rebalance', () => {
  test.each<[string, WorkloadRebalancer, AnyBinding | undefined, RebalanceStage, State]>([
    ['not yet looked at', sampleRebalancer(['web']), sampleBinding(), 'pending', 'active'],
    [
      'without a binding',
      sampleRebalancer(['web'], {
        status: { observedWorkloads: [observed('web', 'Failed', 'ReferencedBindingNotFound')] },
      }),
      undefined,
      'failed',
      'fail',
    ],
    [
      'acknowledged only',
      done,
      sampleBinding({ spec: { rescheduleTriggeredAt: T1 }, metadata: { generation: 2 } }),
      'triggered',
      'active',
    ],
    [
      'suspended',
      done,
      sampleBinding({ spec: { rescheduleTriggeredAt: T1, suspension: { scheduling: true } } }),
      'triggered',
      'held',
    ],
    [
      'that finds no cluster',
      done,
      sampleBinding({
        spec: { rescheduleTriggeredAt: T1 },
        status: { conditions: [{ ...scheduled, status: 'False', reason: 'NoClusterFit', message: '0/2' }] },
      }),
      'failed',
      'fail',
    ],
    ['placed but not applied', done, rescheduled({ status: { conditions: [scheduled] } }), 'scheduled', 'active'],
    [
      'refused by a member',
      done,
      rescheduled({
        status: {
          aggregatedStatus: [reportOf('m1', 2), { clusterName: 'm2', applied: false, appliedMessage: 'quota' }],
        },
      }),
      'scheduled',
      'fail',
    ],
    [
      'applied but short',
      done,
      rescheduled({
        status: {
          aggregatedStatus: [
            reportOf('m1', 2, { health: 'Unhealthy', status: { replicas: 2, readyReplicas: 1 } }),
            reportOf('m2', 1),
          ],
        },
      }),
      'applied',
      'warn',
    ],
    ['healthy', done, rescheduled(), 'healthy', 'ok'],
    [
      'that was stamped past the last success',
      done,
      rescheduled({ spec: { rescheduleTriggeredAt: T1.replace(':30Z', ':31Z') } }),
      'healthy',
      'ok',
    ],
    ['that a later rebalance took over', done, rescheduled({ spec: { rescheduleTriggeredAt: T2 } }), 'scheduled', 'ok'],
  ])('%s', (_, rebalancer, binding, ...[stage, state]) => {
    expect(project(rebalancer, binding).targets).toMatchObject([{ stage, state: { state } }])
  })

  test('tells what moved, from the record of the plan', () => {
    const planned = {
      id: 'apps~v1/Deployment/demo/web',
      ref: ref('web'),
      verdict: 'moves',
      before: [{ cluster: 'm1', replicas: 3 }],
      after: [
        { cluster: 'm1', replicas: 2 },
        { cluster: 'm2', replicas: 1 },
      ],
      moved: 1,
      reason: '',
    } as const
    const annotations = {
      [PLAN_ANNOTATION]: writePlanRecord([{ ...planned, before: [...planned.before], after: [...planned.after] }]),
      'evenkeel.io/created-by': 'lin',
    }
    const view = project({ ...done, metadata: { ...done.metadata, annotations } }, rescheduled())
    expect(view).toMatchObject({
      createdBy: 'lin',
      counts: { healthy: 1 },
      state: { state: 'ok', reason: message('rebalance.state.done', { total: 1, moved: 1 }) },
      targets: [
        {
          before: planned.before,
          predicted: planned.after,
          after: planned.after,
          moved: 1,
          state: { reason: message('rebalance.progress.moved', { n: 1 }) },
        },
      ],
    })
  })

  test('names another rebalancer of the same second, since either may have caused the move', () => {
    const seen = { before: [{ cluster: 'm1', replicas: 3 }], after: [{ cluster: 'm2', replicas: 3 }] }
    const twin = sampleRebalancer(['web'], { metadata: { ...done.metadata, name: 'twin' } })
    const { targets } = project(done, rescheduled(), { seen, others: [done, twin] })
    expect(targets[0]?.state.reason).toEqual(message('rebalance.progress.movedForBoth', { n: 3, other: 'twin' }))
  })

  test('derives moves from observations, and keeps that result after later changes', () => {
    const seen = {
      before: [{ cluster: 'm1', replicas: 9 }],
      after: [
        { cluster: 'm1', replicas: 4 },
        { cluster: 'm2', replicas: 5 },
      ],
    }
    expect(project(done, rescheduled(), { seen }).targets).toMatchObject([{ ...seen, moved: 5 }])
  })

  test('says that a workload without replicas runs nowhere', () => {
    const [target] = project(done, rescheduled({ spec: { replicas: 0, rescheduleTriggeredAt: T1 } })).targets
    expect(target).toMatchObject({
      stage: 'healthy',
      after: [],
      state: { reason: { code: 'rebalance.stays.NoReplicas' } },
    })
  })

  test('credits no move to a trigger that the scheduler ignored', () => {
    const view = project(done, rescheduled(), { ignored: { at: T1, scheduledAt: T1 } })
    expect(view.state).toEqual({ state: 'fail', reason: message('rebalance.state.failed', { n: 1, total: 1 }) })
    const [target] = view.targets
    expect([target?.moved, target?.after, target?.state]).toEqual([
      undefined,
      undefined,
      { state: 'fail', reason: message('rebalance.progress.TriggerIgnored', { scheduled: { moment: T1 } }) },
    ])
  })

  test('does not guess where a foreign rebalance took it from', () => {
    const [target] = project(done, rescheduled()).targets
    expect(target?.before).toBeUndefined()
    expect(target).toMatchObject({
      after: [
        { cluster: 'm1', replicas: 2 },
        { cluster: 'm2', replicas: 1 },
      ],
      state: { reason: { code: 'rebalance.progress.healthyIn' } },
    })
  })
})

describe('a rebalancer', () => {
  test('lists each target once, in order, also former ones', () => {
    const rebalancer = sampleRebalancer(['web', 'web', 'api'], {
      status: { observedWorkloads: [observed('gone', 'Successful')] },
    })
    expect(project(rebalancer, undefined).targets.map((target) => target.ref.name)).toEqual(['api', 'gone', 'web'])
  })

  test.each<[string, string[], WorkloadRebalancer['status'], AnyBinding | undefined, State, Message]>([
    [
      'is under way while one target is',
      ['a', 'b'],
      undefined,
      rescheduled({ metadata: { generation: 2 } }),
      'active',
      message('rebalance.state.inProgress', { done: 0, total: 2 }),
    ],
    [
      'failed when it is over and one target failed',
      ['a', 'b'],
      { observedWorkloads: [observed('a', 'Failed', 'ReferencedBindingNotFound'), observed('b', 'Successful')] },
      rescheduled(),
      'fail',
      message('rebalance.state.failed', { n: 1, total: 2 }),
    ],
    [
      'is held while its targets are suspended',
      ['a'],
      undefined,
      sampleBinding({ spec: { rescheduleTriggeredAt: T1, suspension: { scheduling: true } } }),
      'held',
      message('rebalance.state.suspended', { n: 1, total: 1 }),
    ],
    [
      'is well when all are',
      ['a', 'b'],
      undefined,
      rescheduled(),
      'ok',
      message('rebalance.state.done', { total: 2, moved: 0 }),
    ],
  ])('%s', (_, names, ...[status, binding, state, reason]) => {
    expect(project(sampleRebalancer(names, { ...(status && { status }) }), binding).state).toEqual({ state, reason })
  })

  test('is not executed where its results would not fit into it', () => {
    const many = Array.from({ length: 8_000 }, (_, at) => `w${at}`)
    const { state, counts } = project(sampleRebalancer(many), undefined)
    expect([state, counts.pending]).toEqual([{ state: 'fail', reason: message('rebalance.state.tooLarge') }, 8_000])
  })

  test('carries its times', () => {
    const view = project(
      { ...done, spec: { ...done.spec, ttlSecondsAfterFinished: 60 }, status: { ...done.status, finishTime: T2 } },
      rescheduled(),
    )
    expect(view).toMatchObject({ id: 'back-home', createdAt: T1, finishTime: T2, ttlSecondsAfterFinished: 60 })
    expect(T0 < T1).toBe(true)
  })
})

describe('the row of a rebalancer', () => {
  const at = (places: Record<string, number>) =>
    Object.entries(places).map(([cluster, replicas]) => ({ cluster, replicas }))
  const rowOf = (targets: Partial<RebalanceTargetView>[]) => {
    const known = { id: 'web', ref: ref('web'), stage: 'applied', state: { state: 'active', reason: '' } } as const
    return projectRebalancerRow(
      projectRebalancer(
        done,
        targets.map((target) => ({ ...known, ...target })),
      ),
      targets.map(({ id }) => id ?? known.id),
    )
  }

  test('has the page without its targets, but with their ids', () => {
    const page = project(sampleRebalancer(['web', 'api']), sampleBinding())
    const { targets, ...summary } = page
    const ids = targets.map(({ id }) => id)
    expect(projectRebalancerRow(page, ids)).toEqual({ ...summary, ids, moves: [] })
    expect(targets.map(({ ref: { name } }) => name)).toEqual(['api', 'web'])
  })

  const there = { before: at({ m1: 3 }), after: at({ m2: 3 }) }
  test.each<[string, Partial<RebalanceTargetView>, object[]]>([
    ['placed', { ...there, stage: 'scheduled' }, [{ id: 'web', ...there }]],
    ['applied', { ...there, stage: 'applied' }, [{ id: 'web', ...there }]],
    [
      'triggered, as in the preview',
      { before: at({ m1: 3 }), predicted: at({ m1: 2, m3: 1 }), stage: 'triggered' },
      [{ id: 'web', before: at({ m1: 3 }), after: at({ m1: 2, m3: 1 }) }],
    ],
    [
      'placed otherwise than in the preview',
      { ...there, predicted: at({ m3: 3 }) },
      [{ id: 'web', before: there.before, after: at({ m3: 3 }) }],
    ],
    ['triggered without a preview', { before: at({ m1: 3 }), stage: 'triggered' }, []],
    ['moved from an unknown place', { after: at({ m2: 3 }) }, []],
    ['placed in the same clusters', { before: at({ m1: 1, m2: 2 }), after: at({ m2: 2, m1: 1 }) }, []],
    ['scaled where it is', { before: at({ m1: 1, m2: 2 }), after: at({ m1: 3, m2: 2 }) }, []],
    ['not triggered', { ...there, stage: 'pending' }, []],
    ['healthy', { ...there, stage: 'healthy' }, []],
    ['failed', { ...there, stage: 'failed' }, []],
  ])('has the move of a target that is %s, while replicas change cluster', (_, target, moves) => {
    expect(rowOf([target]).moves).toEqual(moves)
  })
})

describe('the result compared with the preview', () => {
  const at = (cluster: string, replicas: number) => [{ cluster, replicas }]
  const target = (name: string, uncertain: boolean) => ({
    id: workloadId(ref(name)),
    before: at('m3', 3),
    after: at('m1', 3),
    moved: 3,
    uncertain,
  })
  const annotated = (uncertain: boolean) =>
    sampleRebalancer(['web'], {
      metadata: { annotations: { [PLAN_ANNOTATION]: writePlanRecord([target('web', uncertain)]) } },
      status: { observedWorkloads: [observed('web', 'Successful')] },
    })
  const elsewhere = rescheduled({ spec: { clusters: [{ name: 'm2', replicas: 3 }] } })

  test.each([
    [
      'as in the preview',
      false,
      rescheduled({ spec: { clusters: [{ name: 'm1', replicas: 3 }] } }),
      { exact: 1, missed: 0 },
    ],
    ['otherwise', false, elsewhere, { exact: 0, missed: 1, announced: 0, misplaced: 3 }],
    ['otherwise, as announced', true, elsewhere, { exact: 0, missed: 1, announced: 1 }],
  ])('is %s', (_name, uncertain, binding, expected) => {
    expect(project(annotated(uncertain), binding).prediction).toMatchObject(expected)
  })

  test('names another placement by the latest reports, and counts it', () => {
    const expected = [{ name: 'm2', replicas: 3 }]
    const view = project(annotated(false), elsewhere, { expected })
    expect(view.targets[0]?.expected).toEqual(at('m2', 3))
    expect(view.prediction).toMatchObject({ missed: 1, asExpected: 1 })
    const same = project(annotated(false), elsewhere, { expected: [{ name: 'm1', replicas: 3 }] })
    expect([same.targets[0]?.expected, same.prediction?.asExpected]).toEqual([undefined, 0])
  })

  test('is unknown before the scheduler decided', () => {
    expect(project(annotated(false), sampleBinding({ spec: { rescheduleTriggeredAt: T1 } })).prediction).toBeUndefined()
  })
})

describe('the record of a plan', () => {
  const target = (name: string, moved: number) => ({
    id: name,
    ref: ref(name),
    verdict: 'moves' as const,
    before: [{ cluster: 'm1', replicas: 3 }],
    after: [{ cluster: 'm2', replicas: 3 }],
    moved,
    reason: '',
  })
  test('is read as it was written', () => {
    const move = { before: [{ cluster: 'm1', replicas: 3 }], predicted: [{ cluster: 'm2', replicas: 3 }] }
    expect(readPlanRecord(writePlanRecord([target('a', 3), { ...target('b', 2), uncertain: true }]))).toEqual(
      new Map([
        ['a', { ...move, isUncertain: false }],
        ['b', { ...move, isUncertain: true }],
      ]),
    )
  })
  test('stays small enough for an annotation, and keeps those that move', () => {
    const targets = [...Array.from({ length: 9000 }, (_, at) => target(`still-${at}`, 0)), target('moving', 3)]
    const text = writePlanRecord(targets)
    expect(text.length).toBeLessThan(200 * 1024)
    expect(readPlanRecord(text).has('moving')).toBe(true)
  })
  test.each([undefined, '', '{', '[]', '{"v":2,"targets":{}}', '{"v":1,"targets":{"a":[{},"x"]}}'])(
    '%s is none',
    (text) => {
      expect(readPlanRecord(text).size).toBe(0)
    },
  )
  test.each([
    [
      [{ cluster: 'a', replicas: 3 }],
      [
        { cluster: 'a', replicas: 1 },
        { cluster: 'b', replicas: 2 },
      ],
      2,
    ],
    [[], [{ cluster: 'a', replicas: 3 }], 3],
    [[{ cluster: 'a', replicas: 3 }], [], 0],
  ])('%j to %j moves %d', (before, after, moved) => expect(replicasMoved(before, after)).toBe(moved))
})
