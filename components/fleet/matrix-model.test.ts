import { describe, expect, it } from 'vitest'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import { sortRows } from '../hooks/sorting'
import { columnArranger, clusterSort, fleetSorts, idleFolder, rowArranger } from './matrix-model'
import { cellFigure, figureText } from '../status/cell-figure'
import { selectWorkloads } from '../fleet-summary/select-workloads'

const arrangeRows = rowArranger()

const cell = (more: Partial<CellView> = {}): CellView => ({
  cluster: 'eu-1',
  desired: 4,
  current: 4,
  ready: 4,
  role: 'placed',
  applied: true,
  health: 'Healthy',
  state: { state: 'ok', reason: '' },
  ...more,
})

function workload(
  name: string,
  more: { namespace?: string; state?: State; cells?: CellView[]; hasReplicas?: boolean } = {},
): WorkloadView {
  const { state = 'ok', cells = [], hasReplicas = true } = more
  return {
    id: name,
    ref: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name,
      ...('namespace' in more ? more.namespace && { namespace: more.namespace } : { namespace: 'pay' }),
    },
    binding: { kind: 'ResourceBinding', name },
    strategy: 'DynamicWeight',
    hasReplicas,
    cells,
    ...sumCounts(cells),
    state: { state, reason: '' },
    suspended: { scheduling: false, dispatching: false },
    createdAt: '2026-01-01T00:00:00Z',
  }
}

function cluster(name: string, more: Partial<ClusterView> = {}): ClusterView {
  return {
    id: name,
    name,
    state: { state: 'ok', reason: '' },
    ready: 'True',
    zones: [],
    syncMode: 'Push',
    simulated: true,
    taints: [],
    conditions: [],
    workloads: 0,
    replicas: sumCounts([]),
    createdAt: '2026-01-01T00:00:00Z',
    deleting: false,
    ...more,
  }
}

describe('which workloads are rows', () => {
  const all = [
    workload('web', { namespace: 'shop' }),
    workload('api', { state: 'fail' }),
    workload('role', { namespace: undefined }),
  ]
  const query = { filter: '', state: undefined, onlyExceptions: false }

  it('are sorted by namespace and name, cluster-scoped ones last', () => {
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

describe('the columns of the fleet sort', () => {
  const all = [
    workload('b', { cells: [cell({ ready: 1, current: 9, desired: 3 })] }),
    workload('c', { cells: [cell({ cluster: 'ready', ready: 7, current: 7, desired: 7 })] }),
    workload('a', {
      cells: [
        cell({ ready: 10, current: 2, desired: 10 }),
        cell({ cluster: 'ready', ready: 0, current: 0, desired: 1 }),
      ],
    }),
  ]
  const sorts = fleetSorts([{ name: 'eu-1' }, { name: 'ready' }])
  it.each([
    ['', 'bca'],
    ['name', 'abc'],
    ['-name', 'cba'],
    ['ready', 'bca'],
    ['current', 'acb'],
    ['-desired', 'acb'],
    // Workloads outside the cluster come last in both directions; a cluster may have the name of another column.
    [clusterSort('eu-1'), 'bac'],
    [`-${clusterSort('eu-1')}`, 'abc'],
    [clusterSort('ready'), 'acb'],
    [clusterSort('gone'), 'bca'],
  ])('by “%s”: %s', (text, order) => {
    expect(
      sortRows(all, sorts, text)
        .map(({ id }) => id)
        .join(''),
    ).toBe(order)
  })
})

describe('groups', () => {
  const rows = arrangeRows(
    [
      workload('a', { cells: [cell({ current: 3, ready: 3, old: 2 })] }),
      workload('b', {
        state: 'warn',
        cells: [cell({ cluster: 'eu-2', desired: 2, current: 0, ready: 0, unknown: 2 })],
      }),
      workload('c', { cells: [cell({ desired: 1, current: 1, ready: 1 })], hasReplicas: false }),
      workload('d', { namespace: 'shop' }),
    ],
    'namespace',
    new Set(['shop']),
  )
  it('come before their workloads; collapsed ones without them', () => {
    expect(rows.map((row) => row.id)).toEqual(['group/pay', 'a', 'b', 'c', 'group/shop'])
  })
  it('sum what has replicas, and take the most urgent state', () => {
    expect(rows[0]).toMatchObject({ sum: { desired: 6, current: 3, ready: 3, unknown: 2, old: 2 }, state: 'warn' })
    expect(rows[0]?.kind === 'group' && [...rows[0].byCluster]).toEqual([
      ['eu-1', { desired: 4, current: 3, ready: 3, old: 2 }],
      ['eu-2', { desired: 2, current: 0, ready: 0, unknown: 2 }],
    ])
  })
})

describe('a group with old replicas in a cluster that does not answer', () => {
  const silent = { cluster: 'eu-2', desired: 0, current: 0, ready: 0, state: { state: 'unknown', reason: '' } } as const
  it.each([
    ['leaving', cell({ ...silent, role: 'leaving' }), ['eu-2']],
    ['counted when it last answered', cell({ ...silent, role: 'evicting', oldUnknown: 2 }), ['eu-2']],
    ['known to be gone', cell({ ...silent, role: 'leaving', state: { state: 'active', reason: '' } }), []],
    ['placed there, which is counted as unknown', cell({ ...silent, desired: 1, unknown: 1 }), []],
  ] as const)('says that they are unknown: %s', (_, there, expected) => {
    const [group] = arrangeRows([workload('a', { cells: [cell(), there] })], 'namespace', new Set())
    expect(group?.kind === 'group' && [...group.unknownOld]).toEqual(expected)
  })
})

describe('columns', () => {
  it('stand by region and name, with removed clusters that still have cells', () => {
    const columns = columnArranger()(
      [cluster('us-1', { region: 'us' }), cluster('eu-1', { region: 'eu' })],
      [workload('a', { cells: [cell({ cluster: 'gone' })] })],
    )
    expect(columns.map((column) => column.name)).toEqual(['gone', 'eu-1', 'us-1'])
    expect(columns.every((column) => column.opensRegion)).toBe(true)
  })
  it('are folded away when many healthy ones are idle, never when they are in trouble', () => {
    const clusters = Array.from({ length: 10 }, (_, index) =>
      cluster(`c${index}`, index === 3 ? { state: { state: 'fail', reason: '' } } : {}),
    )
    const workloads = [workload('a', { cells: [cell({ cluster: 'c0' })] })]
    const { shown, idle } = idleFolder()(columnArranger()(clusters, workloads), workloads)
    expect(shown.map((column) => column.name)).toEqual(['c0', 'c3'])
    expect(idle).toBe(8)
  })
  it('all stay when few are idle', () => {
    const columns = columnArranger()([cluster('a'), cluster('b')], [])
    expect(idleFolder()(columns, [])).toEqual({ shown: columns, idle: 0 })
  })
})

describe('what a cell prints', () => {
  const leaving = { desired: 0, current: 0, ready: 0, role: 'leaving' } as const
  const silent = { state: { state: 'unknown', reason: '' } } as const
  const cases: [name: string, cell: CellView, result: object, text: string][] = [
    ['one number when all is even', cell(), { kind: 'even', figure: '4' }, '4'],
    ['ready of desired when short', cell({ ready: 2, current: 3 }), { kind: 'short', figure: '2', of: '4' }, '2/4'],
    [
      'ready of desired when all exist but none is ready',
      cell({ ready: 0 }),
      { kind: 'short', figure: '0', of: '4' },
      '0/4',
    ],
    ['old replicas apart', cell({ old: 2 }), { kind: 'even', figure: '4', note: '+2' }, '4+2'],
    [
      'old replicas apart while new ones start',
      cell({ ready: 1, old: 3 }),
      { kind: 'short', figure: '1', of: '4', note: '+3' },
      '1/4+3',
    ],
    [
      'from old replicas to nothing when leaving',
      cell({ ...leaving, old: 4 }),
      { kind: 'moving', figure: '4', of: '0' },
      '4→0',
    ],
    [
      'from old replicas to nothing when evicted',
      cell({ ...leaving, role: 'evicting', old: 4, oldReady: 4 }),
      { kind: 'moving', figure: '4', of: '0' },
      '4→0',
    ],
    [
      'a question when it leaves a cluster that does not answer',
      cell({ ...leaving, oldUnknown: 4 }),
      { kind: 'moving', figure: '?', of: '0' },
      '?→0',
    ],
    [
      'a question when nothing is known of what leaves',
      cell({ ...leaving, ...silent }),
      { kind: 'moving', figure: '?', of: '0' },
      '?→0',
    ],
    [
      'a question when nothing is known',
      cell({ current: 0, ready: 0, unknown: 4, ...silent }),
      { kind: 'absent', figure: '?', of: '4' },
      '?/4',
    ],
    [
      'what is known with what is not',
      cell({ ready: 1, unknown: 2 }),
      { kind: 'absent', figure: '1+?', of: '4' },
      '1+?/4',
    ],
  ]
  it.each(cases)('%s', (_name, view, result, text) => {
    expect(cellFigure(view, true)).toEqual(result)
    expect(figureText(cellFigure(view, true))).toBe(text)
  })
  it('only that it is there, without replicas', () => {
    expect(cellFigure(cell({ desired: 1, current: 1, ready: 1 }), false).kind).toBe('presence')
    expect(cellFigure(cell({ desired: 1, current: 0, ready: 0, unknown: 1 }), false).kind).toBe('absent')
  })
})
