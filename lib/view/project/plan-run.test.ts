import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import type { PlannedWorkload, PlanPhase, RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { projectPlanRow, projectPlanRun } from './plan-run'
import { samplePlan, T1 } from './testing/samples'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }
const at = (counts: Record<string, number>) => Object.entries(counts).map(([name, replicas]) => ({ name, replicas }))

/** Returns a plan that the user `lin` created. */
function plan({
  name = 'spread',
  ...more
}: Pick<RebalancePlanObject, 'status'> & { name?: string; spec?: RebalancePlanObject['spec'] } = {}) {
  return samplePlan({ ...more, metadata: { name, annotations: { 'evenkeel.io/created-by': 'lin' } } })
}

const moved = {
  workload: web,
  stage: 'Done' as const,
  wave: 1,
  before: at({ m1: 4 }),
  predicted: at({ m1: 2, m2: 2 }),
  replicasMoved: 2,
  triggeredAt: T1,
}
const show = (subject: RebalancePlanObject, undoneBy: RebalancePlanObject[] = []) =>
  projectPlanRun({ plan: subject, undoneBy })

describe('a rebalance plan', () => {
  test('is being computed until the loop has looked at it', () => {
    expect(show(plan())).toMatchObject({
      phase: 'Pending',
      state: { state: 'active' },
      actions: [],
      targets: [],
      createdBy: 'lin',
      waves: [],
    })
  })

  test('shows its strategy', () => {
    expect(show(plan()).rollout).toEqual([
      message('rebalance.rollout.wavesShare', { share: '10%' }),
      message('rebalance.rollout.makeBeforeBreak'),
      message('rebalance.rollout.minReady', { minReady: '100%' }),
      message('rebalance.rollout.hold'),
    ])
    const spec = {
      waves: { size: 3, soakSeconds: 30, maxReplicasMoved: '20%' },
      minReady: 2,
      makeBeforeBreak: false,
      onRegression: 'Continue' as const,
      allowFewerReplicas: true,
    }
    expect(show(plan({ spec })).rollout).toEqual([
      message('rebalance.rollout.waves', { n: 3 }),
      message('rebalance.rollout.mostReplicas', { most: '20%' }),
      message('rebalance.rollout.pause', { span: { ms: 30_000 } }),
      message('rebalance.rollout.breakBeforeMake'),
      message('rebalance.rollout.minReady', { minReady: '2' }),
      message('rebalance.rollout.continue'),
      message('rebalance.rollout.allowFewerReplicas'),
    ])
  })

  const phases: [PlanPhase, string, string[]][] = [
    ['AwaitingApproval', 'held', ['approve', 'discard']],
    ['Running', 'active', ['pause', 'stop']],
    ['Paused', 'held', ['resume', 'stop']],
    ['Held', 'fail', ['continue', 'stop']],
    ['Stopping', 'active', []],
    ['Stopped', 'held', ['undo']],
    ['Completed', 'ok', ['undo']],
    ['Invalid', 'fail', ['discard']],
  ]
  test.each(phases)('that is %s is %s and offers %j', (phase, state, actions) => {
    const view = show(plan({ status: { phase, workloads: [moved], counts: { total: 2, pending: 1 } } }))
    expect([view.state.state, view.actions]).toEqual([state, actions])
  })

  test.each([[{ total: 0 }], [{ total: 3, pending: 0 }]])('that waits with %j has nothing to approve', (counts) => {
    const reason = message('rebalance.plan.nothingMoves', { total: counts.total })
    expect(show(plan({ status: { phase: 'AwaitingApproval', counts } }))).toMatchObject({
      state: { reason },
      actions: ['discard'],
    })
  })

  test('offers no undo without moves, nor while another plan undoes it', () => {
    const done = plan({ status: { phase: 'Completed', workloads: [{ ...moved, triggeredAt: undefined }] } })
    expect(show(done).actions).toEqual([])
    const undoing = plan({ name: 'back', spec: { undoOf: 'spread' }, status: { phase: 'Running' } })
    const undone = { ...undoing, status: { phase: 'Completed' as const } }
    const subject = plan({ status: { phase: 'Completed', workloads: [moved] } })
    expect(show(subject, [undoing])).toMatchObject({ actions: [], undoneBy: ['back'] })
    expect(show(subject, [undone])).toMatchObject({ actions: ['undo'], undoneBy: ['back'] })
  })

  test('has failed when it is over and a workload of it did not arrive', () => {
    expect(show(plan({ status: { phase: 'Completed', counts: { failed: 1 } } })).state).toEqual({
      state: 'fail',
      reason: message('rebalance.plan.CompletedWithFailures', { n: 1 }),
    })
  })

  test('tells why it stopped by itself', () => {
    const hold = { reason: 'Regression', message: 'web has 3 of 4 ready', workload: web, at: T1 }
    expect(show(plan({ status: { phase: 'Held', hold, holds: 1 } }))).toMatchObject({
      state: { state: 'fail', reason: 'web has 3 of 4 ready' },
      holds: 1,
      hold: { reason: 'Regression', workload: 'apps~v1/Deployment/demo/web', at: T1 },
    })
  })

  test('fails while its writes are refused, with the answer of the API server', () => {
    const fault = { type: 'Progressing', status: 'False' as const, reason: 'WriteFailed', message: 'no webhook' }
    const conditions = [{ ...fault, lastTransitionTime: T1 }]
    const { state, actions } = show(plan({ status: { phase: 'Running', conditions } }))
    expect([state, actions]).toEqual([{ state: 'fail', reason: 'no webhook' }, ['pause', 'stop']])
  })

  test('shows the previous and new placement of each workload, with its readiness over time', () => {
    const status = {
      phase: 'Running' as const,
      workloads: [
        {
          ...moved,
          stage: 'Applied' as const,
          reason: 'Releasing',
          message: english('rebalance.run.Releasing'),
          readyFloor: 4,
          readyExpected: 4,
          readyLowest: 4,
        },
      ],
    }
    expect(show(plan({ status })).targets).toEqual([
      {
        id: 'apps~v1/Deployment/demo/web',
        ref: web,
        stage: 'Applied',
        wave: 1,
        moved: 2,
        predictionError: undefined,
        triggeredAt: T1,
        finishedAt: undefined,
        state: { state: 'active', reason: message('rebalance.run.Releasing') },
        before: [{ cluster: 'm1', replicas: 4 }],
        predicted: [
          { cluster: 'm1', replicas: 2 },
          { cluster: 'm2', replicas: 2 },
        ],
        actual: undefined,
        ready: { floor: 4, expected: 4, lowest: 4 },
      },
    ])
  })

  test('shows how right the preview was', () => {
    const prediction = { error: 1, clusters: [{ name: 'm2', predicted: 2, actual: 1 }] }
    const workloads = [
      { workload: web, stage: 'Done' as const, actual: [], renewed: true },
      { workload: web, stage: 'Done' as const, actual: [] },
      { workload: web, stage: 'Triggered' as const, renewed: true },
    ]
    expect(show(plan({ status: { phase: 'Completed', prediction, workloads } })).prediction).toEqual({
      error: 1,
      renewed: 1,
      clusters: [{ cluster: 'm2', predicted: 2, actual: 1 }],
    })
  })
})

describe('the row of a plan', () => {
  const rowOf = (status: RebalancePlanObject['status']) => projectPlanRow(show(plan({ status })))
  const id = 'apps~v1/Deployment/demo/web'

  test('has the page without its targets, but with their ids', () => {
    const db = { ...moved, workload: { ...web, name: 'db' } }
    const page = show(plan({ status: { phase: 'Running', workloads: [moved, db] } }))
    const { targets, ...summary } = page
    expect(targets).toHaveLength(2)
    expect(projectPlanRow(page)).toEqual({ ...summary, ids: [id, 'apps~v1/Deployment/demo/db'], moves: [] })
  })

  const there = { before: at({ m1: 3 }), predicted: at({ m2: 3 }) }
  const move = { id, before: [{ cluster: 'm1', replicas: 3 }], after: [{ cluster: 'm2', replicas: 3 }] }
  test.each<[string, Partial<PlannedWorkload>, object[]]>([
    ['triggered', { ...there, stage: 'Triggered' }, [move]],
    ['placed', { ...there, stage: 'Scheduled' }, [move]],
    ['placed otherwise than in the preview', { ...there, stage: 'Applied', actual: at({ m3: 3 }) }, [move]],
    [
      'placed in the same clusters',
      { stage: 'Applied', before: at({ m1: 1, m2: 2 }), predicted: at({ m2: 2, m1: 1 }) },
      [],
    ],
    ['scaled where it is', { stage: 'Applied', before: at({ m1: 1, m2: 2 }), predicted: at({ m1: 3, m2: 2 }) }, []],
    ['waiting for its wave', { ...there, stage: 'Pending', wave: 1 }, []],
    ['healthy', { ...there, stage: 'Healthy' }, []],
    ['done', { ...there, stage: 'Done' }, []],
    ['skipped', { ...there, stage: 'Skipped' }, []],
    ['failed', { ...there, stage: 'Failed' }, []],
  ])('has the move of a target that is %s, while replicas change cluster', (_, target, moves) => {
    expect(rowOf({ phase: 'Running', workloads: [{ ...moved, ...target }] }).moves).toEqual(moves)
  })

  test('has the accuracy of its predictions once it has finished', () => {
    const workloads: PlannedWorkload[] = [
      { ...moved, predictionError: 0 },
      { ...moved, predictionError: 2, uncertain: { reason: 'AsksEstimators' } },
      moved,
    ]
    expect(rowOf({ phase: 'Running', workloads })).not.toHaveProperty('accuracy')
    expect(rowOf({ phase: 'Completed', workloads, finishedAt: T1 }).accuracy).toEqual({
      exact: 1,
      missed: 1,
      announced: 1,
      misplaced: 2,
    })
  })
})
