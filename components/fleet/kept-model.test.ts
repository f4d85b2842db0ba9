import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CellView, ClusterView, WorkloadView } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import { headlineKeeper, headlineOf } from '../fleet-summary/headline'
import { workloadSelector } from '../fleet-summary/select-workloads'
import { rowSorter, sortRows } from '../hooks/sorting'
import { countStates, STATES, stateCounter } from '../status/states'
import { columnArranger, fleetSorts, idleFolder, type MatrixRow, rowArranger } from './matrix-model'

const CLUSTERS = Array.from({ length: 9 }, (_, index) => `m${index}`)

const cells = fc.uniqueArray(
  fc.record({
    cluster: fc.constantFrom(...CLUSTERS, 'gone'),
    desired: fc.nat(3),
    current: fc.nat(3),
    ready: fc.nat(3),
    unknown: fc.nat(2),
    oldUnknown: fc.nat(1),
    role: fc.constantFrom('placed', 'leaving'),
    state: fc.record({ state: fc.constantFrom(...STATES), reason: fc.constant('') }),
  }),
  { selector: ({ cluster }) => cluster, maxLength: 4 },
)

const workload = fc
  .record({
    n: fc.nat(11),
    hasReplicas: fc.boolean(),
    cells: cells as unknown as fc.Arbitrary<CellView[]>,
    drift: fc.nat(2),
    state: fc.record({ state: fc.constantFrom(...STATES), reason: fc.constant('') }),
  })
  .map(({ n, ...rest }) => {
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: `ns${n % 3}`, name: `w${n}` }
    return { id: `${ref.namespace}/${ref.name}`, ref, ...rest, ...sumCounts(rest.cells) } as unknown as WorkloadView
  })

/** A fleet in some of its moments: rows that come, go and change, among others that are the same objects. */
const moments = fc
  .array(workload, { minLength: 1, maxLength: 16 })
  .chain((pool) =>
    fc.array(
      fc.record({
        workloads: fc.uniqueArray(fc.constantFrom(...pool), { selector: ({ id }) => id }),
        down: fc.subarray(CLUSTERS, { maxLength: 2 }),
      }),
      { maxLength: 8 },
    ),
  )

const clustersOf = (down: readonly string[]): ClusterView[] =>
  CLUSTERS.map((name) => {
    const state = down.includes(name) ? 'fail' : 'ok'
    return { id: name, name, ready: state === 'ok' ? 'True' : 'False', state: { state }, deleting: false }
  }) as unknown as ClusterView[]

const shown = (rows: readonly MatrixRow[]): unknown[] =>
  rows.map((row) =>
    row.kind === 'workload'
      ? row
      : { ...row, byCluster: [...row.byCluster].toSorted(byName), unknownOld: [...row.unknownOld].toSorted() },
  )
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

it('the model kept over changes equals a newly computed one', () => {
  const query = { filter: 'ns=ns0,ns1', state: undefined, onlyExceptions: true }
  fc.assert(
    fc.property(moments, (all) => {
      const [arrange, columnsOf, fold, headlineFor] = [rowArranger(), columnArranger(), idleFolder(), headlineKeeper()]
      const [select, count] = [workloadSelector(query), stateCounter()]
      const sorts = fleetSorts([])
      const sort = rowSorter(sorts, '-ready')
      for (const { workloads, down } of all) {
        const clusters = clustersOf(down)
        const columns = columnsOf(clusters, workloads)
        expect(columns).toEqual(columnArranger()(clusters, workloads))
        expect(fold(columns, workloads)).toEqual(idleFolder()(columns, workloads))
        expect(shown(arrange(workloads, 'namespace', new Set(['ns1'])))).toEqual(
          shown(rowArranger()(workloads, 'namespace', new Set(['ns1']))),
        )
        const [next, first] = [headlineFor({ workloads, clusters }), headlineOf({ workloads, clusters })]
        expect(next.parts).toEqual(first.parts)
        expect(next.drifting.ids.toSorted()).toEqual(first.drifting.ids.toSorted())
        expect(select(workloads)).toEqual(workloadSelector(query)(workloads))
        expect(count(workloads)).toEqual(countStates(workloads))
        expect(sort(workloads)).toEqual(sortRows(workloads, sorts, '-ready'))
      }
    }),
    { seed: 1800, numRuns: 200 },
  )
})

it('columns and cells of groups that did not change are the same objects', () => {
  const [a, b] = fc.sample(workload, { seed: 3, numRuns: 2 }) as [WorkloadView, WorkloadView]
  const clusters = clustersOf([])
  const columnsOf = columnArranger()
  const columns = columnsOf(clusters, [a, b])
  expect(columnsOf([...clusters], [{ ...a }, b])).toBe(columns)
})
