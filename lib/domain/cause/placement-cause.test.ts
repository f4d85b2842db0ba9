import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BindingSpec, BindingStatus, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { APPLIED_PLACEMENT_ANNOTATION, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import { DRAIN_TAINT, writeDrainedBy } from '../eviction'
import { type Binding, type SchedulerProfile, upstreamProfile } from '../placement'
import type { CauseCluster, CauseFacts, PlacementCause } from './cause'
import { decideCause, NOTHING_PENDING, type Pending, pendingOf } from './placement-cause'

const T0 = '2026-11-21T09:00:00Z'
const T1 = '2026-11-21T09:00:30Z'
const weights = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
} as const
const gathered = {
  replicaScheduling: { ...weights.replicaScheduling, replicaDivisionPreference: 'Aggregated' },
} as const

const cluster = (
  name: string,
  keys: readonly string[] = [],
  more: CauseCluster['metadata'] = { name },
): CauseCluster => ({
  metadata: more,
  spec: { taints: keys.map((key) => ({ key, effect: 'NoExecute', timeAdded: T1 })) },
})
const clusters: Record<string, CauseCluster> = {
  well: cluster('well'),
  lost: cluster('lost', ['cluster.karmada.io/not-ready']),
  drained: cluster('drained', [DRAIN_TAINT.key], {
    name: 'drained',
    annotations: { 'evenkeel.io/drained-by': writeDrainedBy('alice', T1) },
  }),
  both: cluster('both', [DRAIN_TAINT.key, 'cluster.karmada.io/not-ready']),
  going: cluster('going', [], { name: 'going', deletionTimestamp: T1 }),
}
/** Policies of the namespace `known` only. */
const AUTHORS: Record<string, string> = {
  'apps/v1 Deployment known web': 'dan',
  'policy.karmada.io/v1alpha1 PropagationPolicy known web': 'eve',
}
const known = { annotations: { [POLICY_NAMESPACE_ANNOTATION]: 'known' } }
const knownResource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'known', name: 'web' }
const facts: CauseFacts = {
  cluster: (name) => clusters[name],
  plan: (name, uid) => (uid === `uid-${name}` ? { by: 'bob' } : undefined),
  author: ({ apiVersion, kind, namespace, name }) => AUTHORS[`${apiVersion} ${kind} ${namespace ?? ''} ${name}`],
  rebalancer: (at) => (at === T1 ? { name: 'fresh', by: 'carol' } : undefined),
}

const placed = (counts: Record<string, number>) =>
  Object.entries(counts).map(([name, replicas]) => ({ name, replicas }))

interface Version {
  clusters: Record<string, number>
  generation?: number
  spec?: Partial<BindingSpec>
  status?: Partial<BindingStatus>
  annotations?: Record<string, string>
}

function version({ clusters: counts, generation = 1, spec, status, annotations }: Version): Binding {
  const replicas = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'demo',
      generation,
      annotations: {
        [POLICY_NAMESPACE_ANNOTATION]: 'demo',
        [POLICY_NAME_ANNOTATION]: 'web',
        [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(weights),
        ...annotations,
      },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      replicas,
      placement: weights,
      clusters: placed(counts),
      ...spec,
    },
    status: {
      schedulerObservedGeneration: 1,
      lastScheduledTime: T0,
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: T0 }],
      ...status,
    },
  }
}

const task = (fromCluster: string, more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster,
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  creationTimestamp: T1,
  ...more,
})
const failed = (fromCluster: string) =>
  task(fromCluster, { producer: 'resource-binding-application-failover-controller', reason: 'ApplicationFailure' })
const kept = (fromCluster: string) =>
  task(fromCluster, { producer: 'RebalancePlan', reason: 'Rebalance', suppressDeletion: true })
const run = (mode: 'trigger' | 'restore', predicted: Record<string, number>) => ({
  'rebalance.evenkeel.io/run': JSON.stringify({
    plan: 'shop',
    uid: 'uid-shop',
    wave: 2,
    at: T1,
    mode,
    generation: 2,
    lastScheduled: T0,
    wasScheduled: true,
    before: [],
    predicted: placed(predicted),
    floor: 0,
    hold: [],
    keep: [],
  }),
})

const start = { clusters: { well: 2, lost: 2 } }
const ofPlan = { object: { kind: 'RebalancePlan', name: 'shop' }, wave: 2, by: 'bob' }
const policy = { code: 'policy change', object: { kind: 'PropagationPolicy', namespace: 'demo', name: 'web' } }

/** The causes of each placement change of a sequence of versions. */
function causesIn(versions: readonly Version[], profile?: SchedulerProfile): PlacementCause[][] {
  const found: PlacementCause[][] = []
  let pending: Pending = NOTHING_PENDING
  versions.map(version).reduce((old, next) => {
    const verdict = decideCause(old, next, pending, { ...facts, profile })
    pending = verdict.pending
    if (verdict.causes) found.push(verdict.causes)
    return next
  })
  return found
}

describe('causes of placement changes', () => {
  test.each<[string, Version[], object[][], SchedulerProfile?]>([
    [
      'a first placement, whatever was asked for meanwhile',
      [
        { clusters: {}, status: { lastScheduledTime: undefined } },
        { clusters: {}, spec: { replicas: 4 }, status: { lastScheduledTime: undefined } },
        start,
      ],
      [[{ code: 'first placement' }]],
    ],
    [
      'a WorkloadRebalancer',
      [
        start,
        { ...start, generation: 2, spec: { rescheduleTriggeredAt: T1 } },
        { clusters: { well: 4 }, generation: 3, spec: { rescheduleTriggeredAt: T1 } },
      ],
      [[{ code: 'rebalance', object: { kind: 'WorkloadRebalancer', name: 'fresh' }, by: 'carol' }]],
    ],
    [
      'a trigger that no object explains',
      [
        start,
        { ...start, generation: 2, spec: { rescheduleTriggeredAt: T0 } },
        { clusters: { well: 4 }, generation: 3, spec: { rescheduleTriggeredAt: T0 } },
      ],
      [[{ code: 'rebalance' }]],
    ],
    [
      'a wave of a plan that keeps the old copies',
      [
        start,
        {
          ...start,
          generation: 2,
          annotations: run('trigger', { well: 4 }),
          spec: { rescheduleTriggeredAt: T1, gracefulEvictionTasks: [kept('lost')] },
        },
        {
          clusters: { well: 4 },
          generation: 3,
          annotations: run('trigger', { well: 4 }),
          spec: { rescheduleTriggeredAt: T1, gracefulEvictionTasks: [kept('lost')] },
        },
      ],
      [[{ code: 'plan wave', ...ofPlan }]],
    ],
    [
      'an undo, whose old copies have tasks, too',
      [
        start,
        {
          clusters: { well: 4 },
          annotations: run('restore', { well: 4 }),
          spec: { gracefulEvictionTasks: [kept('lost')] },
        },
      ],
      [[{ code: 'undo', ...ofPlan }]],
    ],
    [
      'a cluster failover, and its successor',
      [
        start,
        { clusters: { well: 2 }, generation: 2, spec: { replicas: 4, gracefulEvictionTasks: [task('lost')] } },
        { clusters: { well: 4 }, generation: 3, spec: { gracefulEvictionTasks: [task('lost')] } },
      ],
      [
        [{ code: 'cluster failover', cluster: 'lost', taint: 'cluster.karmada.io/not-ready' }],
        [{ code: 'cluster failover', cluster: 'lost', taint: 'cluster.karmada.io/not-ready' }],
      ],
    ],
    [
      'an application failover',
      [start, { clusters: { lost: 2 }, spec: { replicas: 4, gracefulEvictionTasks: [failed('well')] } }],
      [[{ code: 'application failover', cluster: 'well' }]],
    ],
    [
      'a drain, by whom',
      [{ clusters: { drained: 3 } }, { clusters: {}, spec: { replicas: 3, gracefulEvictionTasks: [task('drained')] } }],
      [[{ code: 'drain', cluster: 'drained', by: 'alice' }]],
    ],
    [
      'a drain of a cluster that is lost at the same time',
      [{ clusters: { both: 3 } }, { clusters: {}, spec: { replicas: 3, gracefulEvictionTasks: [task('both')] } }],
      [
        [
          { code: 'cluster failover', cluster: 'both', taint: 'cluster.karmada.io/not-ready' },
          { code: 'drain', cluster: 'both' },
        ],
      ],
    ],
    [
      'an eviction by hand',
      [
        start,
        {
          clusters: { lost: 2 },
          spec: {
            replicas: 4,
            gracefulEvictionTasks: [
              task('well', { producer: 'evenkeel', reason: 'AskedFor', message: 'asked for by dave' }),
            ],
          },
        },
      ],
      [[{ code: 'eviction', cluster: 'well', by: 'dave' }]],
    ],
    [
      'an eviction by a producer that is not known',
      [
        start,
        {
          clusters: { lost: 2 },
          spec: { replicas: 4, gracefulEvictionTasks: [task('well', { producer: 'other', reason: 'Other' })] },
        },
      ],
      [[{ code: 'unknown cause', cluster: 'well' }]],
    ],
    [
      'a policy change',
      [
        start,
        { ...start, generation: 2, spec: { placement: gathered } },
        { clusters: { well: 4 }, generation: 3, spec: { placement: gathered } },
      ],
      [[policy]],
    ],
    [
      'a scale',
      [start, { ...start, generation: 2, spec: { replicas: 6 } }, { clusters: { well: 3, lost: 3 }, generation: 3 }],
      [[{ code: 'scale' }]],
    ],
    [
      'a scale by a user who is known',
      [
        { ...start, spec: { resource: knownResource } },
        { ...start, generation: 2, spec: { resource: knownResource, replicas: 6 } },
        { clusters: { well: 3, lost: 3 }, generation: 3, spec: { resource: knownResource } },
      ],
      [[{ code: 'scale', by: 'dan' }]],
    ],
    [
      'a policy change by a user who is known',
      [
        { ...start, ...known },
        { ...start, ...known, generation: 2, spec: { placement: gathered } },
        { clusters: { well: 4 }, ...known, generation: 3, spec: { placement: gathered } },
      ],
      [[{ ...policy, object: { ...policy.object, namespace: 'known' }, by: 'eve' }]],
    ],
    [
      'a cluster that leaves the federation',
      [{ clusters: { well: 2, going: 1 } }, { clusters: { well: 3 } }],
      [[{ code: 'cluster removal', cluster: 'going' }]],
    ],
    ['a write of the result by other means', [start, { clusters: { well: 4 } }], [[{ code: 'unknown cause' }]]],
    [
      'a scale and a rebalance at once',
      [
        start,
        { ...start, generation: 2, spec: { replicas: 6 } },
        { ...start, generation: 3, spec: { replicas: 6, rescheduleTriggeredAt: T0 } },
        { clusters: { well: 6 }, generation: 4, spec: { rescheduleTriggeredAt: T0 } },
      ],
      [[{ code: 'scale' }, { code: 'rebalance' }]],
    ],
    [
      'an eviction while a policy change is pending: each of what it wrote',
      [
        start,
        { ...start, generation: 2, spec: { placement: gathered } },
        {
          clusters: { well: 2 },
          generation: 3,
          spec: { replicas: 4, placement: gathered, gracefulEvictionTasks: [failed('lost')] },
        },
        {
          clusters: { well: 4 },
          generation: 4,
          spec: { placement: gathered, gracefulEvictionTasks: [failed('lost')] },
        },
      ],
      [
        [{ code: 'application failover', cluster: 'lost' }],
        [policy, { code: 'application failover', cluster: 'lost' }],
      ],
    ],
    [
      'a scale that was taken back, and something else',
      [
        start,
        { ...start, generation: 2, spec: { replicas: 6 } },
        { ...start, generation: 3 },
        { clusters: { well: 4 }, generation: 4 },
      ],
      [[{ code: 'unknown cause' }]],
    ],
    [
      'a scale that the scheduler answered without a move is over',
      [
        start,
        { ...start, generation: 2, spec: { replicas: 5 } },
        { ...start, generation: 2, spec: { replicas: 5 }, status: { schedulerObservedGeneration: 2 } },
        { clusters: { well: 5 }, generation: 3 },
      ],
      [[{ code: 'unknown cause' }]],
    ],
    [
      'a scale that found no place at first is still its cause',
      [
        start,
        { ...start, generation: 2, spec: { replicas: 5 } },
        {
          ...start,
          generation: 2,
          spec: { replicas: 5 },
          status: {
            schedulerObservedGeneration: 2,
            conditions: [
              { type: 'Scheduled', status: 'False', reason: 'Unschedulable', message: '', lastTransitionTime: T1 },
            ],
          },
        },
        { clusters: { well: 5 }, generation: 3 },
      ],
      [[{ code: 'scale' }]],
    ],
    [
      'a trigger in the second of the last scheduling caused nothing',
      [
        start,
        { ...start, generation: 2, spec: { rescheduleTriggeredAt: T0 } },
        { clusters: { well: 4 }, generation: 3, spec: { rescheduleTriggeredAt: T0, placement: gathered } },
      ],
      [[policy]],
      upstreamProfile,
    ],
    [
      'an undo takes back a trigger that was not answered',
      [
        start,
        { ...start, generation: 2, spec: { rescheduleTriggeredAt: T1 } },
        { clusters: { well: 4 }, generation: 3, annotations: run('restore', { well: 4 }) },
        { clusters: { lost: 4 }, generation: 4, annotations: run('restore', { well: 4 }) },
      ],
      [[{ code: 'undo', ...ofPlan }], [{ code: 'unknown cause' }]],
    ],
    [
      'versions that were not seen one by one',
      [start, { clusters: { well: 6 }, generation: 3, spec: { rescheduleTriggeredAt: T1 } }],
      [[{ code: 'rebalance', object: { kind: 'WorkloadRebalancer', name: 'fresh' }, by: 'carol' }, { code: 'scale' }]],
    ],
  ])('%s', (_name, versions, causes, profile) => expect(causesIn(versions, profile)).toEqual(causes))

  test.each<[string, Version, object[]]>([
    [
      'a trigger',
      { ...start, spec: { rescheduleTriggeredAt: T1 } },
      [{ code: 'rebalance', object: { kind: 'WorkloadRebalancer', name: 'fresh' }, by: 'carol' }],
    ],
    [
      'the trigger of a plan',
      { ...start, annotations: run('trigger', { well: 4 }), spec: { rescheduleTriggeredAt: T1 } },
      [{ code: 'plan wave', ...ofPlan }],
    ],
    ['a policy change', { ...start, spec: { placement: gathered } }, [policy]],
    [
      'an eviction',
      { ...start, generation: 2, spec: { gracefulEvictionTasks: [failed('lost')] } },
      [{ code: 'application failover', cluster: 'lost' }],
    ],
    ['an eviction that was answered', { ...start, spec: { gracefulEvictionTasks: [failed('lost')] } }, []],
    ['nothing', start, []],
  ])('at first sight, pending is %s', (_name, one, causes) => {
    expect(pendingOf(version(one), facts).map(({ cause }) => cause)).toEqual(causes)
  })

  test('unchanged placements have no cause, changed ones at least one, without duplicates', () => {
    const counts = fc.dictionary(fc.constantFrom('well', 'lost', 'drained'), fc.integer({ min: 1, max: 3 }))
    const one = fc.record({
      clusters: counts,
      generation: fc.integer({ min: 1, max: 3 }),
      spec: fc.record({
        replicas: fc.integer({ min: 0, max: 4 }),
        placement: fc.constantFrom(weights, gathered),
        rescheduleTriggeredAt: fc.constantFrom(undefined, T0, T1),
        gracefulEvictionTasks: fc.constantFrom(undefined, [task('lost')], [failed('well')], [kept('well')]),
      }),
    })
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 5 }), (versions) => {
        const changes = versions.filter(
          (each, index) =>
            index > 0
            && JSON.stringify(Object.entries(each.clusters).sort())
              !== JSON.stringify(Object.entries(versions[index - 1]!.clusters).sort()),
        )
        const found = causesIn(versions as Version[])
        expect(found).toHaveLength(changes.length)
        for (const causes of found) {
          expect(causes.length).toBeGreaterThan(0)
          expect(new Set(causes.map((cause) => JSON.stringify(cause))).size).toBe(causes.length)
        }
      }),
      { seed: 23, numRuns: 300 },
    )
  })
})
