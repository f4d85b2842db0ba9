/** Fleets for the tests of the heat matrix. */
import fc from 'fast-check'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'

export function aCell(cluster: string, more: Partial<CellView> = {}): CellView {
  const { desired = 4 } = more
  return {
    cluster,
    desired,
    current: desired,
    ready: desired,
    role: 'placed',
    applied: true,
    health: 'Healthy',
    state: { state: 'ok', reason: '' },
    ...more,
  }
}

interface WorkloadFacts {
  name: string
  namespace?: string
  cells?: readonly CellView[]
  state?: State
  hasReplicas?: boolean
}

export function aWorkload({
  name,
  namespace = 'pay',
  cells = [],
  state = 'ok',
  hasReplicas = true,
}: WorkloadFacts): WorkloadView {
  return {
    id: `apps~v1/Deployment/${namespace}/${name}`,
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name },
    binding: { kind: 'ResourceBinding', name },
    strategy: 'DynamicWeight',
    hasReplicas,
    cells: [...cells],
    ...sumCounts(cells),
    state: { state, reason: '' },
    suspended: { scheduling: false, dispatching: false },
    createdAt: '2026-01-01T00:00:00Z',
  }
}

export const aCluster = (name: string, more: Partial<ClusterView> = {}): ClusterView => ({
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
})

const states: readonly State[] = ['ok', 'active', 'warn', 'fail', 'held', 'unknown']

/** Clusters in regions, and workloads with cells in some of them whose counts can be true. */
export const fleets = fc
  .record({
    regions: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
    workloads: fc.array(
      fc.record({
        namespace: fc.constantFrom('a', 'b', 'c'),
        hasReplicas: fc.boolean(),
        cells: fc.array(
          fc.record({
            at: fc.nat(24),
            desired: fc.nat(20),
            ready: fc.nat(20),
            unknown: fc.nat(20),
            old: fc.nat(3),
            oldUnknown: fc.nat(3),
            state: fc.constantFrom(...states),
          }),
          { maxLength: 8 },
        ),
      }),
      { maxLength: 20 },
    ),
    silent: fc.array(fc.nat(24), { maxLength: 4 }),
  })
  .map(({ regions, workloads, silent }) => {
    const clusters = regions.flatMap((count, region) =>
      Array.from({ length: count }, (_, index) => aCluster(`r${region}-${index + 1}`, { region: `r${region}` })),
    )
    const quiet = new Set(silent.map((at) => clusters[at % clusters.length]!.name))
    return {
      clusters: clusters.map((each) => (quiet.has(each.name) ? { ...each, ready: 'False' as const } : each)),
      workloads: workloads.map(({ namespace, hasReplicas, cells }, index) => {
        const byCluster = new Map(cells.map((cell) => [clusters[cell.at % clusters.length]!.name, cell]))
        return aWorkload({
          name: `w${index}`,
          namespace,
          hasReplicas,
          cells: [...byCluster].map(([cluster, { desired, ready, unknown, old, oldUnknown, state }]) => {
            const isReady = Math.min(ready, desired)
            return aCell(cluster, {
              desired,
              ready: isReady,
              current: isReady,
              unknown: Math.min(unknown, desired - isReady),
              old,
              oldUnknown,
              state: { state, reason: '' },
            })
          }),
        })
      }),
    }
  })
