/**
 * Clusters and workloads fail and recover at random. In every phase of that (before, while it is detected, while replicas
 * are evicted, afterwards, and on the way back) the rows of Workloads and Clusters count as ready exactly the pods that are
 * ready in the members, or mark the replicas as unknown.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pod as podKind } from '@/lib/kube/kinds'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { CellView, ReplicaCounts, WorkloadView } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import type { FailingFleet } from '@/server/testing/failing-fleet'
import {
  CLUSTERS,
  DETECTED_AFTER_S,
  eventsOf,
  type Outage,
  outages,
  recoverAll,
  startOutage,
} from '@/server/testing/random-outages'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { ClusterRows } from './clusters'
import { EVERYTHING } from '../access/scope'
import { workloadRowsOf } from '../testing/workload-rows'

/** Recovery of clusters, blocks and graces, one after the other. */
const SETTLES_AFTER_S = 120
const runs = Number(process.env.EVENKEEL_PROPERTY_RUNS ?? 3)

/** Ready pods by cluster and workload; of a cluster that does not answer, nothing. */
type ReadyPods = ReadonlyMap<string, ReadonlyMap<string, number>>

async function readyPods({ env }: FailingFleet): Promise<ReadyPods> {
  const found = await Promise.all(
    CLUSTERS.map(async (name) => {
      const pods = await env.client
        .member(name)
        .list(podKind)
        .catch(() => undefined)
      if (!pods) return undefined
      const ready = pods.items.filter(({ status }) => isConditionTrue(status?.conditions, 'Ready'))
      return [name, Map.groupBy(ready, ({ metadata }) => metadata.labels?.['app'] ?? '')] as const
    }),
  )
  return new Map(
    found.flatMap((one) => (one ? [[one[0], new Map([...one[1]].map(([app, pods]) => [app, pods.length]))]] : [])),
  )
}

const shownReady = ({ ready, oldReady = 0 }: ReplicaCounts): number => ready + oldReady
const isUnknown = ({ state, unknown = 0, oldUnknown = 0 }: CellView): boolean =>
  unknown > 0 || oldUnknown > 0 || state.state === 'unknown'

function startRows({ env }: FailingFleet) {
  const cache = new ControlPlaneCache(env.informers)
  const { all, models, readiness, loads, workloads, start, stop } = workloadRowsOf(cache, env.clock)
  const clusters = new ClusterRows({ all, models, others: [loads.touched, readiness.touched] })
  start()
  clusters.start()
  return {
    workloads,
    clusters,
    stop: () => {
      stop()
      clusters.stop()
    },
  }
}

type Rows = ReturnType<typeof startRows>

function expectRowTrue(row: WorkloadView, pods: ReadyPods): void {
  const { name } = row.ref
  for (const cell of row.cells) {
    const there = pods.get(cell.cluster)?.get(name) ?? 0
    if (isUnknown(cell)) expect(shownReady(cell), `${name} in ${cell.cluster} is unknown`).toBe(0)
    else if (pods.has(cell.cluster)) expect(shownReady(cell), `ready of ${name} in ${cell.cluster}`).toBe(there)
  }
  const answering = [...pods].filter(([at]) => !row.cells.some((cell) => cell.cluster === at && isUnknown(cell)))
  const hidden = row.cells.filter((cell) => !pods.has(cell.cluster))
  const inMembers = answering.reduce((sum, [, ready]) => sum + (ready.get(name) ?? 0), 0)
  expect(shownReady(row), `ready of ${name}`).toBe(inMembers + hidden.reduce((sum, cell) => sum + shownReady(cell), 0))
  expect(row.ready + (row.unknown ?? 0)).toBeLessThanOrEqual(row.desired)
}

async function expectTrueNow(fleet: FailingFleet, rows: Rows): Promise<void> {
  const pods = await readyPods(fleet)
  const shown = rows.workloads.ids().flatMap((id) => rows.workloads.row(id, EVERYTHING) ?? [])
  for (const row of shown) expectRowTrue(row, pods)
  for (const name of rows.clusters.ids()) {
    const view = rows.clusters.row(name, EVERYTHING)!
    const cells = shown.flatMap((row) => row.cells.filter((cell) => cell.cluster === name))
    expect(view.replicas, `sum of ${name}`).toEqual(sumCounts(cells))
    if (view.ready === 'True') continue
    expect(view.replicas.ready, `ready in ${name}, which is not Ready`).toBe(0)
    for (const cell of cells) expect(shownReady(cell), `ready in ${name}, which is not Ready`).toBe(0)
  }
}

/**
 * True at once, or when what members report has been collected. Watches on members come back in real time, and collecting
 * is paced in that of the test, of which no more than 3 s go by here.
 */
function expectTrue(fleet: FailingFleet, rows: Rows): Promise<void> {
  return fleet.env.eventually(() => expectTrueNow(fleet, rows), { flowMs: 2 })
}

/** Looks every second, in a long outage every other one. */
async function passTrue(fleet: FailingFleet, rows: Rows, seconds: number): Promise<void> {
  const step = seconds > DETECTED_AFTER_S ? 2 : 1
  for (let second = 0; second < seconds; second += step) {
    await fleet.timeline.pass(step)
    await expectTrue(fleet, rows)
  }
}

/** A fleet and its events; the phases that its clusters and workloads went through are checked every second. */
async function expectTrueThroughout(given: Outage): Promise<void> {
  const fleet = await startOutage(given)
  const rows = startRows(fleet)
  try {
    await expectTrue(fleet, rows)
    const happen = eventsOf(fleet)
    for (const { event, thenS } of given.events) {
      await happen(event)
      await passTrue(fleet, rows, thenS)
    }
    await recoverAll(fleet)
    await passTrue(fleet, rows, 20)
    await fleet.timeline.pass(SETTLES_AFTER_S)
    await expectTrue(fleet, rows)
    for (const id of rows.workloads.ids()) {
      const { desired, ready, unknown = 0, old = 0, oldUnknown = 0 } = rows.workloads.row(id, EVERYTHING)!
      expect({ id, ready, unknown, old, oldUnknown }).toEqual({ id, ready: desired, unknown: 0, old: 0, oldUnknown: 0 })
    }
  } finally {
    rows.stop()
    await fleet.close()
  }
}

test('a cluster fails and returns, with and without another cluster', { timeout: 300_000 }, () =>
  expectTrueThroughout({
    shapes: ['divided', 'rooted', 'duplicated'],
    events: [
      { event: { kind: 'workload', cluster: 'm2', name: 'a', fails: true }, thenS: 3 },
      { event: { kind: 'cluster', cluster: 'm1', isUp: false }, thenS: DETECTED_AFTER_S + 15 },
      { event: { kind: 'cluster', cluster: 'm2', isUp: false }, thenS: DETECTED_AFTER_S + 15 },
      { event: { kind: 'cluster', cluster: 'm1', isUp: true }, thenS: 10 },
    ],
  }),
)

test('in every phase of an outage what is shown as ready is ready, or is marked unknown', { timeout: 900_000 }, () =>
  fc.assert(fc.asyncProperty(outages, expectTrueThroughout), { numRuns: runs, seed: 1507, endOnFailure: true }),
)
