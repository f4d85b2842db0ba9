/**
 * Clusters and workloads fail and recover at random. Within a limited time after the last event every workload is
 * placed with all its replicas, or the reason for not being placed is correct.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PropagationSpec } from '@/lib/kube/kinds'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { type FailingFleet, startFailingFleet } from '@/server/testing/failing-fleet'

const CLUSTERS = ['m1', 'm2', 'm3'] as const
const WORKLOADS = ['a', 'b', 'c', 'd'] as const
const REPLICAS = 4
/** The sum of detection, taint, queueing, toleration, grace period and block. */
const SETTLES_AFTER_S = 240
const runs = Number(process.env.EVENKEEL_PROPERTY_RUNS ?? 4)

type Placement = NonNullable<PropagationSpec['placement']>

const divided = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
} as const
const shapes: Record<string, (names: string[]) => Placement> = {
  duplicated: (clusterNames) => ({ clusterAffinity: { clusterNames } }),
  static: (clusterNames) => ({ clusterAffinity: { clusterNames }, ...divided }),
  dynamic: (clusterNames) => ({ clusterAffinity: { clusterNames }, ...byAvailableReplicas() }),
  oneCluster: (clusterNames) => ({
    clusterAffinity: { clusterNames },
    ...byAvailableReplicas(),
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  }),
  groups: (names) => ({
    clusterAffinities: names.map((name) => ({ affinityName: `group-${name}`, clusterNames: [name] })),
    ...byAvailableReplicas(),
  }),
}

interface Workload {
  shape: string
  clusters: string[]
  purgeMode: 'Directly' | 'Gracefully' | 'Never'
  toleration: number
  grace: number
  block: number
}

const workload: fc.Arbitrary<Workload> = fc.record({
  shape: fc.constantFrom(...Object.keys(shapes)),
  clusters: fc.subarray([...CLUSTERS], { minLength: 1 }),
  purgeMode: fc.constantFrom('Directly', 'Gracefully', 'Never'),
  toleration: fc.integer({ min: 0, max: 10 }),
  grace: fc.integer({ min: 1, max: 30 }),
  block: fc.integer({ min: 1, max: 40 }),
})

type Event =
  | { kind: 'cluster'; cluster: string; isUp: boolean }
  | { kind: 'workload'; cluster: string; name: string; fails: boolean }
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('cluster' as const), cluster: fc.constantFrom(...CLUSTERS), isUp: fc.boolean() }),
  fc.record({
    kind: fc.constant('workload' as const),
    cluster: fc.constantFrom(...CLUSTERS),
    name: fc.constantFrom(...WORKLOADS),
    fails: fc.boolean(),
  }),
)
const story = fc.record({
  workloads: fc.tuple(workload, workload, workload, workload),
  events: fc.array(fc.record({ event, thenS: fc.integer({ min: 1, max: 30 }) }), { minLength: 4, maxLength: 10 }),
})

function specOf({ shape, clusters, purgeMode, toleration, grace, block }: Workload): Partial<PropagationSpec> {
  return {
    placement: shapes[shape]!(clusters),
    failover: {
      application: {
        decisionConditions: { tolerationSeconds: toleration },
        purgeMode,
        blockPredecessorSeconds: block,
        ...(purgeMode === 'Gracefully' && { gracePeriodSeconds: grace }),
      },
    },
  }
}

/** Current failures, as requested by the test. */
interface State {
  down: Set<string>
  failing: Map<string, Set<string>>
}

async function happen(fleet: FailingFleet, one: Event, { down, failing }: State): Promise<void> {
  if (one.kind === 'cluster') {
    if (one.isUp) down.delete(one.cluster)
    else down.add(one.cluster)
    return fleet.setUp(one.cluster, one.isUp)
  }
  const there = failing.get(one.cluster) ?? new Set()
  if (one.fails) there.add(one.name)
  else there.delete(one.name)
  failing.set(one.cluster, there)
  return fleet.setFailing(one.cluster, [...there])
}

/** Totals are exact after every event, because the scheduler runs within the reconcile of an eviction. */
async function expectPlacedOrTrue(
  fleet: FailingFleet,
  name: string,
  one: Workload,
  { down, failing }: State,
): Promise<void> {
  const { status, spec } = await fleet.binding(name)
  const placed = await fleet.placed(name)
  const good = one.clusters.filter((cluster) => !down.has(cluster) && !failing.get(cluster)?.has(name))
  const replicas = Object.values(placed).reduce((sum, each) => sum + each, 0)
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled')
  const facts = {
    name,
    one,
    placed,
    good,
    scheduled,
    tasks: spec.gracefulEvictionTasks,
    history: spec.activeEvictionHistory,
  }
  if (good.length > 0) {
    const isEnough =
      one.shape === 'duplicated' ? good.every((cluster) => placed[cluster] === REPLICAS) : replicas === REPLICAS
    expect(isEnough, `not placed: ${JSON.stringify(facts)}`).toBe(true)
    expect(
      Object.keys(placed).filter((cluster) => down.has(cluster)),
      `placed on what is down: ${JSON.stringify(facts)}`,
    ).toEqual([])
  } else if (replicas === 0) {
    expect(scheduled, `no reason: ${JSON.stringify(facts)}`).toMatchObject({ status: 'False' })
    expect(scheduled?.message).toMatch(/untolerated taint|process of eviction|blocked as the workload failed/)
  }
}

test(
  'within a limited time after the last event every workload is placed, or its reason is correct',
  { timeout: 600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(story, async ({ workloads, events }) => {
        const fleet = await startFailingFleet({ evictionTimeoutMs: 30_000 })
        try {
          await fleet.join(...CLUSTERS)
          for (const [index, one] of workloads.entries()) await fleet.run(WORKLOADS[index]!, specOf(one), REPLICAS)
          const state: State = { down: new Set(), failing: new Map() }
          for (const { event: next, thenS } of events) {
            await happen(fleet, next, state)
            await fleet.timeline.pass(thenS)
          }
          await fleet.timeline.pass(SETTLES_AFTER_S)
          for (const [index, one] of workloads.entries()) await expectPlacedOrTrue(fleet, WORKLOADS[index]!, one, state)
        } finally {
          await fleet.close()
        }
      }),
      { seed: Number(process.env.EVENKEEL_PROPERTY_SEED ?? 1511), numRuns: runs, endOnFailure: true },
    ),
)
