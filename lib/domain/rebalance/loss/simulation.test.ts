import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import type { Binding } from '../../placement'
import { aBinding, aCluster } from '../../placement/testing/scheduled'
import { workloadOf } from '../select'
import { whatIf } from '../what-if'
import { fateOf } from './fate'
import { FATES, type Loss, losersOf, type LossFleet, LossSimulation, totalsOf } from './index'

const now = Date.parse('2026-01-02T00:00:00Z')
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

function lossIn(simulation: LossSimulation, names: readonly string[]): Loss {
  const steps = simulation.lose(names)
  for (;;) {
    const step = steps.next()
    if (!step.done) continue
    simulation.learn(step.value)
    return step.value.loss
  }
}

/** Workload, fate, and unplaced replicas, from the simulation. */
function fatesIn(simulation: LossSimulation, loss: Loss): unknown[] {
  return [...loss.workloads].map((workload, at) => ({
    workload: simulation.workloads[workload]!.metadata.name,
    fate: FATES[loss.fates[at]!],
    needed: loss.needed[at],
    missing: loss.missing[at],
  }))
}

/** Where each workload ends, as the simulation has it. */
function placesIn(simulation: LossSimulation, names: readonly string[]): unknown[] {
  const steps = simulation.predict(names)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value.map(({ binding, clusters }) => [binding.metadata.name, clusters])
  }
}

/** The same by the plain what-if of these clusters. */
function placesByWhatIf(fleet: LossFleet, [cluster = '', ...others]: readonly string[]): unknown[] {
  const { targets } = whatIf({ ...fleet, cluster, others, cause: 'fails' })
  return targets.map(({ workload: { name }, before, after, outcome }) => [
    fleet.bindings.find((one) => workloadOf(one).name === name)!.metadata.name,
    outcome === 'stays' || outcome === 'lost' ? before : after,
  ])
}

/** The fates by the plain what-if of these clusters. */
function fatesByWhatIf(fleet: LossFleet, [cluster = '', ...others]: readonly string[]): unknown[] {
  const { targets } = whatIf({ ...fleet, cluster, others, cause: 'fails' })
  const lost = new Set([cluster, ...others])
  return targets.map(({ workload, after }) => {
    const binding = fleet.bindings.find((one) => workloadOf(one).name === workload.name)!
    return { workload: binding.metadata.name, ...fateOf(binding, lost, after) }
  })
}

const toleration = (tolerationSeconds?: number) => [
  {
    key: 'cluster.karmada.io/not-ready',
    operator: 'Exists' as const,
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  },
]

const STRATEGIES = { byAvailableReplicas, aggregated, duplicated } as const

const oneWorkload = fc.record({
  placed: fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 4 }), { minKeys: 1, maxKeys: 3 }),
  strategy: fc.constantFrom(...(['byAvailableReplicas', 'aggregated', 'duplicated'] as const)),
  allowed: fc.subarray(NAMES, { minLength: 2 }),
  most: fc.constantFrom(undefined, undefined, 1, 2, 3),
  tolerates: fc.oneof(
    { weight: 5, arbitrary: fc.constant('default' as const) },
    { weight: 1, arbitrary: fc.constantFrom(3, 300, 'forever' as const) },
  ),
  isSuspended: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  isLeaving: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  priority: fc.constantFrom(0, 0, 0, 10),
})
type OneWorkload = typeof oneWorkload extends fc.Arbitrary<infer T> ? T : never

function bindingOf(given: OneWorkload, index: number): Binding {
  const { placed, strategy, allowed, most, tolerates, isSuspended, isLeaving, priority } = given
  const clusterNames = [...new Set([...allowed, ...Object.keys(placed)])]
  const tolerations = tolerates === 'default' ? undefined : toleration(tolerates === 'forever' ? undefined : tolerates)
  const placement = {
    ...STRATEGIES[strategy](),
    clusterAffinity: { clusterNames },
    ...(most && { spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: most }] }),
    ...(tolerations && { clusterTolerations: tolerations }),
  }
  return aBinding(`w${index}`, placed, {
    placement,
    ...(strategy === 'duplicated' && { replicas: Math.max(...Object.values(placed)) }),
    ...(isSuspended && { suspension: { scheduling: true } }),
    ...(isLeaving && {
      gracefulEvictionTasks: [{ fromCluster: allowed[0]!, reason: 'ApplicationFailure', producer: 'test' }],
    }),
    ...(priority > 0 && { schedulePriority: { priority } }),
  })
}

const fleets = fc.record({
  rooms: fc.array(fc.nat({ max: 12 }), { minLength: NAMES.length, maxLength: NAMES.length }),
  workloads: fc.array(oneWorkload, { minLength: 2, maxLength: 8 }),
  isSlow: fc.boolean(),
})

function fleetOf({ rooms, workloads, isSlow }: typeof fleets extends fc.Arbitrary<infer T> ? T : never): LossFleet {
  return {
    bindings: workloads.map(bindingOf),
    clusters: NAMES.map((name, index) => aCluster(name, rooms[index])),
    now,
    timing: isSlow
      ? { evictionsPerSecond: 0.5, reportsAfterMs: 10_000 }
      : { evictionsPerSecond: 20, reportsAfterMs: 40 },
  }
}

const pairs = NAMES.flatMap((one, at) => NAMES.slice(0, at).map((other) => [one, other]))

describe('the loss of clusters', () => {
  test('equals the plain what-if of the same clusters, whatever was simulated before', () => {
    let reused = 0
    fc.assert(
      fc.property(fleets, (given) => {
        const fleet = fleetOf(given)
        const simulation = new LossSimulation(fleet)
        for (const names of [...NAMES.map((name) => [name]), ...pairs, ['a', 'c', 'e']]) {
          expect(fatesIn(simulation, lossIn(simulation, names)), String(names)).toEqual(fatesByWhatIf(fleet, names))
          expect(placesIn(simulation, names), String(names)).toEqual(placesByWhatIf(fleet, names))
        }
        reused += simulation.decisions.reused
      }),
      { seed: 20261123, numRuns: 25 },
    )
    expect(reused).toBeGreaterThan(100)
  })

  test('after a change, cached outcomes equal those of a new simulation', () => {
    const sets = [...NAMES.map((name) => [name]), ...pairs]
    let [carried, all] = [0, 0]
    const change = fc.record({
      workload: fc.nat(),
      cluster: fc.option(fc.nat(), { nil: undefined }),
      other: oneWorkload,
    })
    fc.assert(
      fc.property(fleets, change, (given, { workload, cluster, other }) => {
        const fleet = fleetOf(given)
        const before = new LossSimulation(fleet)
        for (const names of sets) lossIn(before, names)
        const at = workload % fleet.bindings.length
        const after: LossFleet = {
          ...fleet,
          now: now + 60_000,
          bindings: fleet.bindings.with(at, bindingOf(other, at)),
          clusters: fleet.clusters.map((one, index) =>
            index === cluster ? aCluster(one.metadata.name, 5) : structuredClone(one),
          ),
        }
        const changed = before.changed(after)
        const fresh = new LossSimulation(after)
        for (const names of sets) {
          const known = changed.outcome(names)
          all += 1
          carried += known ? 1 : 0
          expect(known ?? lossIn(changed, names), String(names)).toEqual(lossIn(fresh, names))
        }
      }),
      { seed: 20261123, numRuns: 25 },
    )
    expect(carried / all).toBeGreaterThan(0.1)
  })

  const only = (...clusterNames: string[]) => ({ ...byAvailableReplicas(), clusterAffinity: { clusterNames } })

  test('totals what moves, shrinks, stops and keeps running', () => {
    const simulation = new LossSimulation({
      bindings: [
        aBinding('alone', { a: 2 }, { placement: only('a') }),
        aBinding('copies', { a: 1, b: 1 }, { replicas: 1, placement: duplicated() }),
        aBinding('large', { a: 8, b: 2 }, { placement: only('a', 'b') }),
        aBinding('small', { a: 1 }, { placement: only('a', 'b') }),
      ],
      clusters: [aCluster('a', 20), aCluster('b', 4)],
      now,
      timing: { evictionsPerSecond: 1, reportsAfterMs: 0 },
    })
    const loss = lossIn(simulation, ['a'])
    expect(fatesIn(simulation, loss)).toEqual([
      { workload: 'alone-deployment', fate: 'down', needed: 2, missing: 2 },
      { workload: 'copies-deployment', fate: 'keeps', needed: 0, missing: 0 },
      { workload: 'large-deployment', fate: 'fewer', needed: 8, missing: 8 },
      { workload: 'small-deployment', fate: 'moves', needed: 1, missing: 0 },
    ])
    expect(totalsOf(loss)).toEqual({ workloads: 4, moved: 1, losing: 2, down: 1, needed: 11, placed: 1 })
    expect(totalsOf(loss, (workload) => workload === 3)).toMatchObject({ workloads: 1, moved: 1, losing: 0 })
    expect(losersOf(loss)).toEqual([0, 2])
    expect(loss.peak).toEqual({ cluster: 'b', resource: 'cpu', share: 0.25 })
    expect(loss.evictedAfterMs).toBe(3000)
  })

  test('reuses a decision only if no relevant cluster differs', () => {
    const bindings = [
      aBinding('here', { a: 1 }, { placement: only('a', 'c') }),
      aBinding('there', { b: 1 }, { placement: only('b', 'd') }),
      aBinding('both', { b: 1 }, { placement: only('b', 'a', 'd') }),
    ]
    const simulation = new LossSimulation({ bindings, clusters: NAMES.map((name) => aCluster(name)), now })
    for (const name of ['a', 'b']) lossIn(simulation, [name])
    expect(simulation.decisions).toEqual({ computed: 3, reused: 0 })
    lossIn(simulation, ['a', 'b'])
    expect(simulation.decisions).toEqual({ computed: 4, reused: 2 })
  })
})
