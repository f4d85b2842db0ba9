import { describe, expect, it } from 'vitest'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { arrangeColumns, arrangeRows, cellFigure, foldIdleColumns, selectWorkloads } from './matrix-model'

const cell = (more: Partial<CellView> = {}): CellView => ({
  cluster: 'eu-1', wants: 4, now: 4, ready: 4, role: 'placed', applied: true, health: 'Healthy', state: { state: 'ok', reason: '' }, ...more,
})

function workload(name: string, more: { namespace?: string; state?: State; cells?: CellView[]; hasReplicas?: boolean } = {}): WorkloadView {
  const { state = 'ok', cells = [], hasReplicas = true } = more
  const sum = (pick: (each: CellView) => number) => cells.reduce((total, each) => total + pick(each), 0)
  return {
    id: name, ref: { apiVersion: 'apps/v1', kind: 'Deployment', name, ...('namespace' in more ? more.namespace && { namespace: more.namespace } : { namespace: 'pay' }) },
    binding: { kind: 'ResourceBinding', name }, strategy: 'DynamicWeight', hasReplicas, cells,
    wants: sum((each) => each.wants), now: sum((each) => each.now ?? 0), ready: sum((each) => each.ready ?? 0),
    state: { state, reason: '' }, suspended: { scheduling: false, dispatching: false }, createdAt: '2026-01-01T00:00:00Z',
  }
}

function cluster(name: string, more: Partial<ClusterView> = {}): ClusterView {
  return {
    id: name, name, state: { state: 'ok', reason: '' }, ready: 'True', zones: [], syncMode: 'Push', simulated: true, taints: [],
    conditions: [], workloads: 0, replicas: 0, deleting: false, ...more,
  }
}

describe('which workloads are rows', () => {
  const all = [workload('web', { namespace: 'shop' }), workload('api', { state: 'fail' }), workload('role', { namespace: undefined })]
  const query = { filter: '', state: undefined, onlyExceptions: false }

  it('stand by namespace and name, cluster-scoped ones last', () => {
    expect(selectWorkloads(all, query).map((each) => each.id)).toEqual(['api', 'web', 'role'])
  })
  it('can be only those of one state', () => {
    expect(selectWorkloads(all, { ...query, state: 'fail' }).map((each) => each.id)).toEqual(['api'])
  })
  it('can be only the exceptions', () => {
    expect(selectWorkloads(all, { ...query, onlyExceptions: true }).map((each) => each.id)).toEqual(['api'])
  })
  it('can be only those that match', () => {
    expect(selectWorkloads(all, { ...query, filter: 'ns=shop' }).map((each) => each.id)).toEqual(['web'])
  })
})

describe('groups', () => {
  const rows = arrangeRows(
    [
      workload('a', { cells: [cell({ now: 3 })] }),
      workload('b', { state: 'warn', cells: [cell({ cluster: 'eu-2', wants: 2, now: undefined })] }),
      workload('c', { cells: [cell({ wants: 1, now: 1 })], hasReplicas: false }),
      workload('d', { namespace: 'shop' }),
    ],
    'namespace',
    new Set(['shop']),
  )
  it('stand above their workloads, closed ones alone', () => {
    expect(rows.map((row) => row.id)).toEqual(['group/pay', 'a', 'b', 'c', 'group/shop'])
  })
  it('sum what has replicas, and take the most urgent state', () => {
    expect(rows[0]).toMatchObject({ sum: { now: 3, wants: 6 }, state: 'warn' })
    expect(rows[0]?.kind === 'group' && [...rows[0].byCluster]).toEqual([['eu-1', { now: 3, wants: 4 }], ['eu-2', { now: 0, wants: 2 }]])
  })
})

describe('columns', () => {
  it('stand by region and name, with removed clusters that still have cells', () => {
    const columns = arrangeColumns([cluster('us-1', { region: 'us' }), cluster('eu-1', { region: 'eu' })], [workload('a', { cells: [cell({ cluster: 'gone' })] })])
    expect(columns.map((column) => column.name)).toEqual(['gone', 'eu-1', 'us-1'])
    expect(columns.every((column) => column.opensRegion)).toBe(true)
  })
  it('are folded away when many healthy ones are idle, never when they are in trouble', () => {
    const clusters = Array.from({ length: 10 }, (_, index) => cluster(`c${index}`, index === 3 ? { state: { state: 'fail', reason: '' } } : {}))
    const workloads = [workload('a', { cells: [cell({ cluster: 'c0' })] })]
    const { shown, idle } = foldIdleColumns(arrangeColumns(clusters, workloads), workloads)
    expect(shown.map((column) => column.name)).toEqual(['c0', 'c3'])
    expect(idle).toBe(8)
  })
  it('all stay when few are idle', () => {
    const columns = arrangeColumns([cluster('a'), cluster('b')], [])
    expect(foldIdleColumns(columns, [])).toEqual({ shown: columns, idle: 0 })
  })
})

describe('what a cell prints', () => {
  const cases: [name: string, cell: CellView, result: object][] = [
    ['one number when all is even', cell(), { kind: 'even', figure: '4' }],
    ['ready of wanted when short', cell({ ready: 2, state: { state: 'warn', reason: '' } }), { kind: 'short', figure: '2', of: '4' }],
    ['ready of wanted when all exist but none is ready', cell({ ready: 0 }), { kind: 'short', figure: '0', of: '4' }],
    ['from and to while moving', cell({ now: 2, ready: 2, state: { state: 'active', reason: '' } }), { kind: 'moving', figure: '2', of: '4' }],
    ['to nothing when leaving', cell({ role: 'leaving', wants: 0 }), { kind: 'moving', figure: '4', of: '0' }],
    ['to nothing when evicted', cell({ role: 'evicting', wants: 4 }), { kind: 'moving', figure: '4', of: '0' }],
    ['a question when it leaves a cluster that does not report', cell({ role: 'leaving', wants: 0, now: undefined }), { kind: 'moving', figure: '?', of: '0' }],
    ['a ring when nothing was reported', cell({ now: undefined, ready: undefined }), { kind: 'absent', figure: '4' }],
  ]
  it.each(cases)('%s', (_name, view, result) => {
    expect(cellFigure(view, true)).toEqual(result)
  })
  it('only that it is there, without replicas', () => {
    expect(cellFigure(cell({ wants: 1, now: 1 }), false).kind).toBe('presence')
    expect(cellFigure(cell({ now: undefined, applied: false }), false).kind).toBe('absent')
  })
})
