import { describe, expect, it } from 'vitest'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { CellView, WorkloadView } from '@/lib/view/model'
import type { PlanRowView, RebalancerRowView } from '@/lib/view/rebalance-model'
import { bundleFlows, type Flow, flowsOf } from './flows'

const cell = (cluster: string, desired: number, ready: number, more: Partial<CellView> = {}): CellView =>
  ({ cluster, role: 'placed', desired, ready, ...more }) as CellView
const workload = (id: string, cells: CellView[], hasReplicas = true): [string, WorkloadView] => [
  id,
  { id, cells, hasReplicas } as WorkloadView,
]
const failover = (id: string, to: string[], more: object = {}): FailoverEntryView =>
  ({
    id,
    failovers: [
      {
        kind: 'workload',
        workload: id,
        cluster: 'm1',
        stage: 'replacement',
        successors: to.map((cluster) => ({ cluster, health: 'Unknown' })),
        ...more,
      },
    ],
  }) as unknown as FailoverEntryView
const at = (places: Record<string, number>) =>
  Object.entries(places).map(([cluster, replicas]) => ({ cluster, replicas }))
const moving = (before: object, after: object) => ({ ids: ['web', 'db'], moves: [{ id: 'web', before, after }] })
const plan = (before: object, after: object) => moving(before, after) as unknown as PlanRowView
const rebalancer = (before: object, after: object) => moving(before, after) as unknown as RebalancerRowView

interface Given {
  workloads: [string, WorkloadView][]
  failovers?: FailoverEntryView[]
  plans?: PlanRowView[]
  rebalancers?: RebalancerRowView[]
}
const short = ({ workloads, failovers = [], plans = [], rebalancers = [] }: Given) =>
  flowsOf({ workloads: new Map(workloads), failovers, plans, rebalancers }).map(
    ({ from, to, kind, replicas, workloads: ids }) => `${kind} ${from}→${to} ${replicas}: ${ids.join(' ')}`,
  )

describe('replicas on their way', () => {
  it.each<[string, Given, string[]]>([
    [
      'those that a failover placed and that are not ready yet',
      { workloads: [workload('web', [cell('m2', 4, 1)])], failovers: [failover('web', ['m2'])] },
      ['failover m1→m2 3: web'],
    ],
    [
      'of several workloads, the largest flow first',
      {
        workloads: [workload('web', [cell('m2', 1, 0), cell('m3', 5, 1)]), workload('db', [cell('m2', 1, 0)])],
        failovers: [failover('web', ['m2', 'm3']), failover('db', ['m2'])],
      },
      ['failover m1→m3 4: web', 'failover m1→m2 2: web db'],
    ],
    [
      'none that are ready or cannot be seen',
      {
        workloads: [workload('web', [cell('m2', 4, 4)]), workload('db', [cell('m2', 2, 0, { unknown: 2 })])],
        failovers: [failover('web', ['m2']), failover('db', ['m2'])],
      },
      [],
    ],
    [
      'none while the workload is tolerated',
      {
        workloads: [workload('web', [cell('m2', 4, 1)])],
        failovers: [failover('web', ['m2'], { stage: 'toleration' })],
      },
      [],
    ],
    [
      'none of a workload without replicas, or one that is gone',
      {
        workloads: [workload('web', [cell('m2', 4, 1)], false)],
        failovers: [failover('web', ['m2']), failover('gone', ['m2'])],
      },
      [],
    ],
    [
      'those of a plan, from the cluster that loses most',
      {
        workloads: [workload('web', [cell('m1', 2, 2), cell('m2', 4, 4), cell('m3', 4, 1)])],
        plans: [plan(at({ m1: 5, m2: 5 }), at({ m1: 2, m2: 4, m3: 4 }))],
      },
      ['rebalance m1→m3 3: web'],
    ],
    [
      'those of a rebalance, of the workloads that are on their way',
      {
        workloads: [workload('web', [cell('m2', 3, 1)]), workload('db', [cell('m2', 3, 1)])],
        rebalancers: [rebalancer(at({ m1: 3 }), at({ m2: 3 }))],
      },
      ['rebalance m1→m2 2: web'],
    ],
    [
      'a replica once, whatever moves it',
      {
        workloads: [workload('web', [cell('m2', 4, 1)])],
        failovers: [failover('web', ['m2'])],
        plans: [plan(at({ m1: 4 }), at({ m2: 4 }))],
      },
      ['failover m1→m2 3: web'],
    ],
  ])('are %s', (_, given, flows) => {
    expect(short(given)).toEqual(flows)
  })

  it('are drawn up to a number of arcs; the rest is summed up by source', () => {
    const flow = (from: string, to: string, replicas: number): Flow => ({
      from,
      to,
      replicas,
      kind: 'failover',
      workloads: [],
    })
    const flows = [flow('a', 'b', 9), flow('a', 'c', 3), flow('a', 'd', 2), flow('e', 'd', 1)]
    expect(bundleFlows(flows, 1)).toEqual({
      drawn: [flows[0]],
      rest: [
        { from: 'a', replicas: 5, clusters: 2 },
        { from: 'e', replicas: 1, clusters: 1 },
      ],
    })
    expect(bundleFlows(flows).rest).toEqual([])
  })
})
