import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideReschedule, scheduleBinding, snapshotOf } from '@/lib/domain/placement'
import { aBinding, aCluster } from '@/lib/domain/placement/testing/scheduled'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import type { AnyBinding } from '../project/binding-facts'
import { apisOf, labBinding, labCluster } from './inputs'
import { labLines } from './lines'
import { labOutcome, resultOf, worstCase } from './outcome'

const NAMES = Array.from({ length: 6 }, (_, index) => `member${index}`)

const placements = fc
  .record({
    divide: fc.constantFrom<() => Placement>(
      () => duplicated(),
      () => aggregated(),
      () => byAvailableReplicas(),
      () => ({
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [
              { targetCluster: { clusterNames: ['member0', 'member1'] }, weight: 2 },
              { targetCluster: { labelSelector: { matchLabels: { tier: 'prod' } } }, weight: 1 },
            ],
          },
        },
      }),
    ),
    names: fc.option(fc.subarray(NAMES, { minLength: 1 })),
    exclude: fc.subarray(NAMES, { maxLength: 2 }),
    labels: fc.boolean(),
    tolerates: fc.boolean(),
    spread: fc.constantFrom(undefined, 'region' as const, 'cluster' as const),
    min: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ divide, names, exclude, labels, tolerates, spread, min }): Placement => ({
    ...divide(),
    clusterAffinity: {
      ...(names && { clusterNames: names }),
      ...(exclude.length > 0 && { exclude }),
      ...(labels && { labelSelector: { matchLabels: { tier: 'prod' } } }),
    },
    ...(tolerates && { clusterTolerations: [{ key: 'gpu', operator: 'Exists' as const }] }),
    ...(spread && {
      spreadConstraints: [
        { spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 4 },
        ...(spread === 'region' ? [{ spreadByField: spread, minGroups: min, maxGroups: 3 }] : []),
      ],
    }),
  }))

const fleets = fc.record({
  clusters: fc.array(
    fc.record({
      room: fc.nat({ max: 30 }),
      placed: fc.nat({ max: 6 }),
      region: fc.constantFrom('east', 'west'),
      prod: fc.boolean(),
      taint: fc.boolean(),
      serves: fc.boolean(),
      going: fc.boolean(),
    }),
    { minLength: NAMES.length, maxLength: NAMES.length },
  ),
  replicas: fc.integer({ min: 1, max: 40 }),
  before: placements,
  placement: placements,
})
type Given = typeof fleets extends fc.Arbitrary<infer T> ? T : never

function build({ clusters: parts, replicas, before }: Given) {
  const clusters = parts.map(({ room, region, prod, taint, serves }, index) => {
    const cluster = aCluster(NAMES[index]!, room, {
      region,
      ...(taint && { taints: [{ key: 'gpu', effect: 'NoSchedule' as const }] }),
    })
    return {
      ...cluster,
      metadata: { ...cluster.metadata, labels: (prod ? { tier: 'prod' } : {}) as Record<string, string> },
      status: {
        ...cluster.status,
        apiEnablements: [
          { groupVersion: 'batch/v1', resources: [{ kind: 'Job', name: 'jobs' }] },
          ...(serves ? (cluster.status?.apiEnablements ?? []) : []),
        ],
      },
    }
  })
  const placed = Object.fromEntries(
    parts.flatMap(({ placed: count }, index) => (count > 0 ? [[NAMES[index]!, count]] : [])),
  )
  const binding = aBinding('web', placed, { replicas, placement: before }) as unknown as AnyBinding
  return { clusters, binding }
}

/** As it arrives in the browser. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('the lab', () => {
  test('computes in the browser what the scheduler decides on the whole objects', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { clusters, binding } = build(given)
        const { placement } = given
        const whole = labOutcome({ bindings: [binding], clusters }, placement)
        const inputs = {
          bindings: [sent(labBinding(binding))],
          clusters: sent(clusters.map((cluster) => labCluster(cluster, apisOf([binding])))),
        }
        const [here] = labOutcome(inputs, placement).workloads
        expect(resultOf(here!.tried)).toEqual(resultOf(whole.workloads[0]!.tried))

        const changed = {
          ...binding,
          metadata: { ...binding.metadata, generation: (binding.metadata.generation ?? 0) + 1 },
          spec: { ...binding.spec, placement },
        }
        const decision = decideReschedule(changed, snapshotOf(clusters))
        const scheduled = decision.act === 'schedule' ? scheduleBinding({ binding: changed, clusters }) : undefined
        const expected = scheduled?.patch?.clusters ?? binding.spec.clusters ?? []
        expect(here!.tried.saved).toEqual(expected)
      }),
      { seed: 20261123, numRuns: 400 },
    )
  })

  test('gives each cluster one line or one reason, and the lines sum up to the result', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { clusters, binding } = build(given)
        const [outcome] = labOutcome({ bindings: [binding], clusters }, given.placement).workloads
        const { regions, leftOut, all } = labLines(outcome!, clusters, outcome!.tried.rebalanced)
        const lines = regions.flatMap((region) => region.lines)
        const named = [...lines.map(({ cluster }) => cluster), ...leftOut.flatMap((group) => group.clusters)]
        expect(named.toSorted()).toEqual(NAMES)
        expect(all).toBe(NAMES.length)
        const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
        const total = (list: readonly { replicas?: number }[]) => sum(list.map(({ replicas = 0 }) => replicas))
        expect(sum(lines.map(({ now }) => now))).toBe(total(outcome!.tried.now))
        expect(sum(lines.map(({ after }) => after))).toBe(total(outcome!.tried.rebalanced))
      }),
      { seed: 20261124, numRuns: 150 },
    )
  })

  test('a lazy policy changes nothing by being saved', () => {
    const clusters = [aCluster('member0', 10), aCluster('member1', 10)]
    const binding = aBinding('web', { member0: 3 }, { replicas: 3, placement: aggregated() }) as unknown as AnyBinding
    const elsewhere = { ...aggregated(), clusterAffinity: { clusterNames: ['member1'] } }
    const lazily = labOutcome({ bindings: [binding], clusters }, elsewhere, true)
    const eagerly = labOutcome({ bindings: [binding], clusters }, elsewhere)
    expect([lazily.movedBySaving, eagerly.movedBySaving]).toEqual([0, 3])
  })

  test('the worst case is the loss of the fullest cluster', () => {
    const split = [
      { name: 'a', replicas: 4 },
      { name: 'b', replicas: 6 },
    ]
    expect(worstCase(split)).toEqual({ left: 4, of: 10, cluster: 'b' })
    expect(worstCase([])).toEqual({ left: 0, of: 0, cluster: undefined })
  })
})
