/** Fleets whose clusters and workloads fail and recover at random, for property tests. */
import fc from 'fast-check'
import type { PropagationSpec } from '@/lib/kube/kinds'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { type FailingFleet, startFailingFleet } from './failing-fleet'

export const CLUSTERS = ['m1', 'm2', 'm3'] as const
const WORKLOADS = ['a', 'b', 'c'] as const
const REPLICAS = 3
/** A member must be silent for so long before its cluster is not Ready. */
export const DETECTED_AFTER_S = 30

const clusterTolerations = ['not-ready', 'unreachable'].map(
  (name) =>
    ({ key: `cluster.karmada.io/${name}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }) as const,
)

const shapes: Record<string, Partial<PropagationSpec>> = {
  duplicated: { placement: { clusterTolerations } },
  divided: { placement: { clusterTolerations, ...byAvailableReplicas() } },
  rooted: { placement: { clusterAffinity: { clusterNames: ['m1', 'm2'] }, ...byAvailableReplicas() } },
  failingOver: {
    placement: { clusterTolerations, ...byAvailableReplicas() },
    failover: {
      application: {
        decisionConditions: { tolerationSeconds: 4 },
        purgeMode: 'Gracefully',
        gracePeriodSeconds: 10,
        blockPredecessorSeconds: 10,
      },
    },
  },
}

export type OutageEvent =
  | { kind: 'cluster'; cluster: string; isUp: boolean }
  | { kind: 'workload'; cluster: string; name: string; fails: boolean }

const cluster = fc.constantFrom(...CLUSTERS)
const event: fc.Arbitrary<OutageEvent> = fc.oneof(
  fc.record({ kind: fc.constant('cluster' as const), cluster, isUp: fc.boolean() }),
  fc.record({
    kind: fc.constant('workload' as const),
    cluster,
    name: fc.constantFrom(...WORKLOADS),
    fails: fc.boolean(),
  }),
)

/** One shape for each workload, and what happens one after the other. */
export interface Outage {
  shapes: string[]
  events: { event: OutageEvent; thenS: number }[]
}

export const outages: fc.Arbitrary<Outage> = fc.record({
  shapes: fc.tuple(...WORKLOADS.map(() => fc.constantFrom(...Object.keys(shapes)))),
  events: fc.array(fc.record({ event, thenS: fc.constantFrom(1, 3, 8, DETECTED_AFTER_S + 15) }), {
    minLength: 3,
    maxLength: 6,
  }),
})

/** Starts the fleet with its workloads. Close it. */
export async function startOutage({ shapes: chosen }: Outage): Promise<FailingFleet> {
  const fleet = await startFailingFleet({ noExecuteAfterMs: 3_000, evictionTimeoutMs: 20_000 })
  await fleet.join(...CLUSTERS)
  for (const [index, shape] of chosen.entries()) await fleet.run(WORKLOADS[index]!, shapes[shape]!, REPLICAS)
  return fleet
}

/** Returns what lets an event happen; it remembers which workloads fail. */
export function eventsOf(fleet: FailingFleet): (event: OutageEvent) => Promise<void> {
  const failing = new Map<string, Set<string>>()
  return (one) => {
    if (one.kind === 'cluster') return fleet.setUp(one.cluster, one.isUp)
    const there = failing.get(one.cluster) ?? new Set()
    if (one.fails) there.add(one.name)
    else there.delete(one.name)
    failing.set(one.cluster, there)
    return fleet.setFailing(one.cluster, [...there])
  }
}

export async function recoverAll(fleet: FailingFleet): Promise<void> {
  for (const name of CLUSTERS) {
    await fleet.setFailing(name, [])
    await fleet.setUp(name, true)
  }
}
