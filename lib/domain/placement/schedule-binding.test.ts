import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byAvailableReplicas } from '@/lib/testing/builders'
import { snapshotOf } from './facts'
import { concludeScheduling } from './conclude'
import { defaultProfile, upstreamProfile } from './profile'
import { decideReschedule } from './reschedule'
import { scheduleBinding } from './schedule-binding'
import { aBinding, aCluster } from './testing/scheduled'

const now = Date.parse('2026-01-01T02:00:00Z')
const nowhere = byAvailableReplicas('member9')
const triggered = { rescheduleTriggeredAt: '2026-01-01T01:30:00Z' }

describe('deliberate deviations', () => {
  const clusters = [aCluster('member1'), aCluster('member2')]
  const paused = aBinding('web', { member1: 3 }, { replicas: 4, suspension: { scheduling: true } })

  test('a suspended binding is not scheduled; upstream schedules it if it is queued', () => {
    expect(decideReschedule(paused, snapshotOf(clusters), defaultProfile)).toEqual({ act: 'hold' })
    expect(decideReschedule(paused, snapshotOf(clusters), upstreamProfile)).toMatchObject({ path: 'replicasChanged' })
  })

  test('a fresh run without a feasible cluster keeps the current result; upstream empties it', () => {
    const binding = aBinding('web', { member1: 3 }, { placement: nowhere, ...triggered })
    const ours = scheduleBinding({ binding, clusters })
    expect([ours.kept, ours.patch, ours.failure?.type]).toEqual([true, undefined, 'FitError'])
    expect(scheduleBinding({ binding, clusters, profile: upstreamProfile }).patch?.clusters).toEqual([])
  })

  interface Leaving {
    placed?: Record<string, number>
    reason?: string
    taints?: NonNullable<Cluster['spec']['taints']>
  }
  const tainted: Leaving = { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }] }

  test.each<[string, Leaving, boolean]>([
    ['what is placed nowhere returns to a cluster whose taint is gone', {}, true],
    ['not while the taint is there', tainted, false],
    ['not where the application itself failed', { reason: 'ApplicationFailure' }, false],
    ['not while it is placed elsewhere', { placed: { member2: 3 } }, false],
  ])(
    '%s; upstream waits for the end of the grace period',
    (_, { placed = {}, reason = 'TaintUntolerated', taints }, returns) => {
      const gracefulEvictionTasks = [{ fromCluster: 'member1', reason, producer: 'TaintManager' }]
      const placement = byAvailableReplicas('member1', 'member2')
      const binding = aBinding('web', placed, { placement, replicas: 6, gracefulEvictionTasks })
      const members = [aCluster('member1', 10, { ...(taints && { taints }) }), aCluster('member2')]
      const goesTo = (profile = defaultProfile): string[] =>
        scheduleBinding({ binding, clusters: members, profile }).clusters?.map(({ name }) => name) ?? []
      expect(goesTo().includes('member1')).toBe(returns)
      expect(goesTo(upstreamProfile)).not.toContain('member1')
    },
  )

  test('a trigger of the same second, written after the success, is processed once', () => {
    const at = { rescheduleTriggeredAt: '2026-01-01T01:00:00Z' }
    const seen = aBinding('web', { member1: 3 }, at)
    const stamped = { ...seen, metadata: { ...seen.metadata, generation: 3 } }
    const snapshot = snapshotOf(clusters)
    expect(decideReschedule(stamped, snapshot, upstreamProfile)).toEqual({ act: 'leave', observe: 3 })
    expect(decideReschedule(stamped, snapshot)).toMatchObject({ path: 'rescheduleTriggered', mode: 'Fresh' })
    const verdict = scheduleBinding({ binding: stamped, clusters })
    const { status } = concludeScheduling({
      binding: stamped,
      verdict,
      now: Date.parse('2026-01-01T01:00:00Z'),
      english: english.of,
    })
    const after = { ...stamped, status, spec: { ...stamped.spec, clusters: verdict.clusters } }
    expect(decideReschedule(after, snapshot)).toEqual({ act: 'leave' })
    const scaled = { ...after, metadata: { ...after.metadata, generation: 4 }, spec: { ...after.spec, replicas: 4 } }
    expect(decideReschedule(scaled, snapshot)).toMatchObject({ path: 'replicasChanged', mode: 'Steady' })
  })

  test('a trigger that another scheduler processed in its own second is not repeated', () => {
    const binding = aBinding('web', { member1: 3 }, { rescheduleTriggeredAt: '2026-01-01T01:00:00Z' })
    expect(decideReschedule(binding, snapshotOf(clusters))).toEqual({ act: 'leave' })
  })
})

describe('bad input ends in a condition, never in an exception', () => {
  const noStatus: Cluster = { ...aCluster('member1'), status: undefined }
  const resourceSummary = { allocatable: { cpu: 'lots', pods: '?' } }
  const unreadable: Cluster = { ...aCluster('member1'), status: { ...aCluster('member1').status, resourceSummary } }
  const zoned = aCluster('member1', 10, { zones: ['a'] })
  const labelSelector = { matchExpressions: [{ key: '!', operator: 'Near' }] }
  const invalid = { ...byAvailableReplicas(), clusterAffinity: { labelSelector } }
  const zones = { spreadByField: 'zone', minGroups: 1, maxGroups: 1 } as const
  const byZone: Placement = { ...byAvailableReplicas(), spreadConstraints: [zones] }
  const unknown: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } }
  const excessive = { replicaRequirements: { resourceRequest: { cpu: 'much' } } }
  const running = { replicas: 3, clusters: [{ name: 'member1', replicas: 1 }] }
  test.each<[string, Cluster[], Parameters<typeof aBinding>[2], string]>([
    ['no clusters at all', [], running, 'NoClusterFit'],
    ['a cluster without status', [noStatus], running, 'Unschedulable'],
    ['capacities that are no quantities', [unreadable], running, 'Unschedulable'],
    ['requests that are no quantities', [aCluster('member1')], { ...running, ...excessive }, 'Unschedulable'],
    ['a selector that is invalid', [aCluster('member1')], { placement: invalid }, 'NoClusterFit'],
    ['a strategy that does not exist', [aCluster('member1')], { placement: unknown }, 'SchedulerError'],
    ['constraints on zones only', [zoned], { placement: byZone }, 'SchedulerError'],
  ])('%s', (_name, clusters, spec, reason) => {
    const binding = aBinding('web', { member1: 3 }, spec)
    const verdict = scheduleBinding({ binding, clusters })
    const { status } = concludeScheduling({ binding, verdict, now, english: english.of })
    expect(status?.conditions?.find(({ type }) => type === 'Scheduled')).toMatchObject({ status: 'False', reason })
  })
})

const seed = { seed: 20260103, numRuns: 300 }
const rooms = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 9 })
const fleets = fc.record({
  rooms,
  placed: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 9, maxLength: 9 }),
  replicas: fc.integer({ min: 1, max: 60 }),
  fresh: fc.boolean(),
  placement: fc.constantFrom(byAvailableReplicas(), aggregated()),
  tainted: fc.nat({ max: 8 }),
})

type Given = typeof fleets extends fc.Arbitrary<infer T> ? T : never

function build({ rooms, placed, replicas, fresh, placement, tainted }: Given) {
  const clusters = rooms.map((room, index) =>
    aCluster(`member${index}`, room, index === tainted ? { taints: [{ key: 'down', effect: 'NoSchedule' }] } : {}),
  )
  const running = clusters.map(({ metadata }, index) => [metadata.name, placed[index]!] as const)
  const present = Object.fromEntries(running.filter(([, count]) => count > 0))
  const binding = aBinding('web', present, { replicas, placement, ...(fresh && triggered) })
  return { clusters, binding, verdict: scheduleBinding({ binding, clusters }) }
}

const sumOf = (list: readonly TargetCluster[]): number => list.reduce((sum, { replicas = 0 }) => sum + replicas, 0)

describe('any fleet', () => {
  test('all replicas are placed, or none is', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { verdict } = build(given)
        if (verdict.clusters) expect(sumOf(verdict.clusters)).toBe(given.replicas)
        else expect(verdict.failure).toBeDefined()
      }),
      seed,
    )
  })

  test('no cluster exceeds its current replicas plus its capacity, nor is a rejected one selected', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { verdict } = build(given)
        const { candidates } = verdict.attempts[0]!.run
        for (const { name, replicas = 0 } of verdict.clusters ?? []) {
          const candidate = candidates.find((one) => one.name === name)
          expect(candidate).toBeDefined()
          expect(replicas).toBeLessThanOrEqual(candidate!.availableReplicas)
        }
      }),
      seed,
    )
  })

  test('a steady run removes replicas only if there are too many', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { binding, verdict } = build({ ...given, fresh: false })
        const present = binding.spec.clusters ?? []
        if (!verdict.clusters || sumOf(present) > given.replicas) return
        const after = new Map(verdict.clusters.map(({ name, replicas = 0 }) => [name, replicas]))
        for (const { name, replicas = 0 } of present) expect(after.get(name) ?? 0).toBeGreaterThanOrEqual(replicas)
      }),
      seed,
    )
  })

  test('the order of clusters does not matter', () => {
    fc.assert(
      fc.property(fleets, (given) => {
        const { clusters, binding, verdict } = build(given)
        const again = scheduleBinding({ binding, clusters: clusters.toReversed() })
        expect(again.clusters).toEqual(verdict.clusters)
        expect(again.failure).toEqual(verdict.failure)
      }),
      seed,
    )
  })
})
