import { describe, expect, it } from 'vitest'
import { message } from '@/lib/messages/message'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import type { QueueView } from '@/lib/view/queue-model'
import type { LossSurveyView, PlanRowView } from '@/lib/view/rebalance-model'
import { type AttentionFacts, attentionOf } from './attention'

const reason = message('overview.loading')
const cluster = (name: string, state: State = 'ok', ready = 'True', more: object = {}): ClusterView =>
  ({ name, ready, deleting: false, state: { state, reason }, ...more }) as ClusterView
const workload = (name: string, state: State, more: object = {}): WorkloadView =>
  ({
    id: name,
    ref: { name, namespace: 'shop' },
    state: { state, reason },
    hasReplicas: true,
    desired: 4,
    ready: 4,
    ...more,
  }) as unknown as WorkloadView
const because = (cause: string, cluster: string) => ({
  state: { state: cause === 'b' ? 'fail' : 'warn', reason: message('common.inCluster', { cluster, reason: cause }) },
})
const incident = (name: string): FailoverEntryView =>
  ({
    failovers: [
      { kind: 'cluster', cluster: name, since: '2026-01-01T00:00:00Z', incident: { affected: 9, recovered: 6 } },
    ],
  }) as unknown as FailoverEntryView
const plan = (phase: string): PlanRowView => ({ name: 'p', phase, state: { state: 'held', reason } }) as PlanRowView
const queue = (pending: number, more: object = {}): QueueView => ({ id: 'lab/lab', pending, ...more }) as QueueView
const survey = (lostWorkloads: number): LossSurveyView =>
  ({ clusters: [{ cluster: 'm2', lostWorkloads, names: ['a', 'b', 'c'] }] }) as unknown as LossSurveyView

const short = (facts: Partial<AttentionFacts>): string[] =>
  attentionOf({ workloads: [], clusters: [], failovers: [], plans: [], queues: [], ...facts }).map(
    ({ id, state, action: { label, first } }) => `${state} ${id} ${label.split('.').at(-1)}${first ? ' first' : ''}`,
  )

describe('what needs a person', () => {
  it.each<[string, Partial<AttentionFacts>, string[]]>([
    ['nothing while all is well', { clusters: [cluster('m1')], workloads: [workload('web', 'ok')] }, []],
    [
      'lost clusters, of which the first is to be opened first',
      { clusters: [cluster('m1', 'fail', 'False'), cluster('m2', 'fail', 'Unknown')], failovers: [incident('m1')] },
      ['fail cluster m1 incident first', 'fail cluster m2 incident'],
    ],
    ['no cluster that is being removed', { clusters: [cluster('m1', 'active', 'False', { deleting: true })] }, []],
    ['a cordoned cluster', { clusters: [cluster('m1', 'held')] }, ['held cluster m1 open']],
    [
      'degraded workloads before those in progress, and these only when short of replicas',
      {
        workloads: [
          workload('moving', 'active', { ready: 3 }),
          workload('complete', 'active'),
          workload('short', 'warn', { ready: 3 }),
          workload('down', 'fail', { ready: 0 }),
        ],
      },
      ['fail down open', 'warn short open', 'active moving open'],
    ],
    [
      'up to four workloads by name, the worst first',
      { workloads: [1, 2, 3, 4].map((n) => workload(`w${n}`, 'warn', { ready: 4 - (n % 4) })) },
      ['warn w3 open', 'warn w2 open', 'warn w1 open', 'warn w4 open'],
    ],
    [
      'more workloads by cause, the most frequent of a state first, and four causes',
      {
        workloads: [
          ...[1, 2, 3].map((n) => workload(`a${n}`, 'warn', because('a', `m${n}`))),
          workload('b', 'fail', because('b', 'm1')),
          ...[1, 2].map((n) => workload(`c${n}`, 'warn', because('c', 'm1'))),
          ...['d', 'e', 'f'].map((name) => workload(name, 'warn', because(name, 'm1'))),
        ],
      },
      [
        'fail b open',
        'warn workloads warn "a" show',
        'warn workloads warn "c" show',
        'warn d open',
        'warn workloads show',
      ],
    ],
    ['a plan that waits for approval', { plans: [plan('AwaitingApproval')] }, ['held plan p open']],
    ['a plan that stopped by itself', { plans: [plan('Held')] }, ['warn plan p open']],
    ['no plan that runs', { plans: [plan('Running')] }, []],
    ['a cluster whose loss costs workloads', { survey: survey(2) }, ['warn loss show']],
    ['no loss where every workload has a place', { survey: survey(0) }, []],
    [
      'workloads off their policy, together',
      { workloads: [workload('web', 'ok', { drift: 3 })] },
      ['warn drift rebalance'],
    ],
    [
      'queues with pending workloads or a hold',
      { queues: [queue(0), queue(2), queue(0, { hold: { message: reason } })] },
      ['held queue lab/lab open', 'held queue lab/lab open'],
    ],
    [
      'the worst first',
      {
        clusters: [cluster('m1', 'fail', 'False')],
        workloads: [workload('moving', 'active', { ready: 1 }), workload('short', 'warn', { ready: 1 })],
        queues: [queue(1)],
        survey: survey(1),
      },
      [
        'fail cluster m1 incident first',
        'warn short open',
        'warn loss show',
        'active moving open',
        'held queue lab/lab open',
      ],
    ],
  ])('%s', (_, facts, items) => {
    expect(short(facts)).toEqual(items)
  })

  it('says how far the workloads of a lost cluster have recovered, and else why it is lost', () => {
    const facts = { workloads: [], clusters: [cluster('m1', 'fail', 'False')], plans: [], queues: [] }
    expect(attentionOf({ ...facts, failovers: [incident('m1')] })[0]?.detail).toEqual(
      message('overview.attention.recovered', { recovered: 6, affected: 9 }),
    )
    expect(attentionOf({ ...facts, failovers: [] })[0]?.detail).toEqual(reason)
  })

  it('sums the replicas of workloads with the same cause, names one, and leads to their state', () => {
    const short = ['w1', 'w2', 'w3', 'w4', 'w5'].map((name) =>
      workload(name, 'warn', { ready: 1, ...because('slow', 'm1') }),
    )
    const facts = { clusters: [], failovers: [], plans: [], queues: [] }
    expect(attentionOf({ ...facts, workloads: short })).toEqual([
      {
        id: 'workloads warn "slow"',
        state: 'warn',
        title: message('overview.attention.workloadsReady', { n: 5, ready: 5, desired: 20 }),
        detail: message('overview.attention.cause', {
          cause: message('common.inCluster', { cluster: 'm1', reason: 'slow' }),
          workloads: ['shop/w1', message('common.more', { n: 4 })],
        }),
        action: { label: 'overview.action.show', href: '/workloads?q=state=warn' },
      },
    ])
    const elsewhere = workload('w6', 'warn', { ready: 1, ...because('slow', 'm2') })
    expect(attentionOf({ ...facts, workloads: [...short, elsewhere] })[0]?.detail).toMatchObject({
      args: { cause: 'slow' },
    })
    const [counted] = attentionOf({ ...facts, workloads: short.map((each) => ({ ...each, hasReplicas: false })) })
    expect(counted?.title).toEqual(message('overview.attention.workloads', { n: 5 }))
  })
})
