import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byAvailableReplicas, byWeight, duplicated, inGroups } from '@/lib/testing/builders'
import type { Binding } from '../placement'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { type RebalanceSnapshot, planRebalance } from './plan-rebalance'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
const tainted = {
  cluster: 'member2',
  rule: 'TaintToleration',
  reason: 'cluster(s) had untolerated taint {down:NoSchedule}',
}
const twoClusters = [aCluster('member1', 10), aCluster('member2', 10)]

function plan(binding: Binding | undefined, rest: Partial<RebalanceSnapshot> = {}) {
  const { targets, ...result } = planRebalance({
    workloads: [web],
    bindings: binding ? [binding] : [],
    clusters: twoClusters,
    ...rest,
  })
  return { ...result, target: targets[0]! }
}

describe('the preview of a rebalance', () => {
  test('moves replicas back after a failover by free capacity', () => {
    const { target, totals } = plan(aBinding('web', { member2: 6 }))
    expect(target).toMatchObject({ verdict: 'moves', moved: 2, before: [{ name: 'member2', replicas: 6 }] })
    expect(target.after).toEqual([
      { name: 'member1', replicas: 2 },
      { name: 'member2', replicas: 4 },
    ])
    expect(english.of(target.reason.text)).toBe(
      'member1 gains 2 replicas and member2 loses 2 replicas: replicas follow the free capacity.',
    )
    expect(totals).toEqual({
      targets: 1,
      moving: 1,
      staying: 0,
      refused: 0,
      replicasMoved: 2,
      clustersTouched: ['member1', 'member2'],
    })
  })

  test.each<
    [string, Record<string, number>, Partial<Binding['spec']>, string | undefined, Partial<RebalanceSnapshot>, string]
  >([
    [
      'the first affinity group',
      { member2: 3 },
      { placement: inGroups({ primary: ['member1'], backup: ['member2'] }, aggregated()) },
      'backup',
      {},
      'member1 gains 3 replicas and member2 loses 3 replicas: it returns to its first affinity group primary.',
    ],
    [
      'a later affinity group',
      { member1: 3 },
      { placement: inGroups({ primary: ['gone'], backup: ['member2'] }, aggregated()) },
      'primary',
      {},
      'member2 gains 3 replicas and member1 loses 3 replicas: backup is the first affinity group that fits (primary: no cluster matches the affinity group).',
    ],
    [
      'the affinity',
      { member1: 3 },
      { placement: aggregated('member2') },
      undefined,
      {},
      'member2 gains 3 replicas and member1 loses 3 replicas: member1 is not selected by the cluster affinity.',
    ],
    [
      'the division',
      { member1: 1, member2: 3 },
      { placement: aggregated() },
      undefined,
      {},
      'member2 gains 1 replica and member1 loses 1 replica: replicas are packed into as few clusters as possible.',
    ],
  ])('a move names the rule that acted: %s', (...row) => {
    const [, placed, spec, group, rest, text] = row
    const binding = aBinding('web', placed, spec)
    const status = { ...binding.status, ...(group && { schedulerObservingAffinityName: group }) }
    expect(english.of(plan({ ...binding, status }, rest).target.reason.text)).toBe(text)
  })

  test('moves aggregated replicas to one cluster if they fit', () => {
    const { target } = plan(aBinding('web', { member1: 1, member2: 3 }, { placement: aggregated() }))
    expect(target.after).toEqual([{ name: 'member2', replicas: 4 }])
    expect(target.moved).toBe(1)
  })

  test('adds a cluster that is feasible again to a duplicated workload', () => {
    const { target } = plan(aBinding('web', { member2: 3 }, { placement: duplicated() }))
    expect(target).toMatchObject({ verdict: 'moves', moved: 3 })
  })

  test('explains why each cluster was selected or not', () => {
    const clusters = [aCluster('member1'), aCluster('member2', 10, { taints: [{ key: 'down', effect: 'NoSchedule' }] })]
    const { target } = plan(aBinding('web', { member1: 3 }), { clusters })
    expect(target.clusters).toEqual([
      {
        cluster: 'member1',
        fits: true,
        score: 100,
        selected: true,
        replicas: 3,
        replicasBefore: 3,
        allocatableReplicas: 10,
        availableReplicas: 13,
        weight: 13,
      },
      { cluster: 'member2', fits: false, rejectedBy: tainted, replicasBefore: 0 },
    ])
  })

  test('counts a workload named twice once', () => {
    expect(planRebalance({ workloads: [web, { ...web }], bindings: [], clusters: [] }).targets).toHaveLength(1)
  })

  test('has the same base as long as it does the same, in any order of clusters', () => {
    const binding = aBinding('web', { member2: 6 })
    expect(plan(binding).base).toBe(plan(binding, { clusters: twoClusters.toReversed() }).base)
    const changed = [aCluster('member1', 30), aCluster('member2', 1)]
    expect(plan(binding).base).not.toBe(plan(binding, { clusters: changed }).base)
  })

  test('does not change its input', () => {
    const snapshot = { workloads: [web], bindings: [aBinding('web', { member2: 6 })], clusters: twoClusters }
    const copy = structuredClone(snapshot)
    planRebalance(snapshot)
    expect(snapshot).toEqual(copy)
  })
})

const full = [aCluster('member1', 1), aCluster('member2', 1)]
const elsewhere = byAvailableReplicas('member9')
const fiveClusters: Placement = {
  ...byAvailableReplicas(),
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 5, maxGroups: 5 }],
}
const impossible = aBinding('web', { member1: 6 }, { placement: fiveClusters })
const paused = aBinding('web', { member1: 6 }, { suspension: { scheduling: true } })
const heldBack = aBinding(
  'web',
  { member1: 6 },
  { suspension: { dispatchingOnClusters: { clusterNames: ['member2'] } } },
)
const deleting = aBinding('web', { member1: 6 })
deleting.metadata.deletionTimestamp = '2026-01-01T00:00:00Z'
const everywhere = aBinding('web', { member1: 3, member2: 3 }, { replicas: 3, placement: duplicated() })
const configured = aBinding('web', { member1: 0, member2: 0 }, { replicaRequirements: undefined })
const weighted = aBinding('web', { member1: 4 }, { placement: byWeight({ member1: 1 }) })
const neverScheduled = { ...aBinding('web', { member1: 3 }), status: {} }

describe('explains why workloads do not move', () => {
  test.each<[string, Binding | undefined, Partial<RebalanceSnapshot>, string, string]>([
    ['it has no binding', undefined, {}, 'refused', 'BindingNotFound'],
    ['its scheduling is paused', paused, {}, 'refused', 'Suspended'],
    ['dispatching to a cluster that would gain is paused', heldBack, {}, 'refused', 'DispatchingSuspended'],
    ['it is being deleted', deleting, {}, 'refused', 'Deleting'],
    ['no cluster fits', aBinding('web', { member1: 6 }, { placement: elsewhere }), {}, 'refused', 'FitError'],
    ['capacity is lacking', aBinding('web', { gone: 6 }), { clusters: full }, 'refused', 'UnschedulableError'],
    ['spread constraints cannot be met', impossible, {}, 'refused', 'Error'],
    ['it is duplicated already', everywhere, {}, 'stays', 'NotDivided'],
    ['it has no replicas to divide', configured, {}, 'stays', 'NotDivided'],
    ['its static weights say the same', weighted, {}, 'stays', 'StaticWeight'],
    ['it is best as it is', aBinding('web', { member1: 3, member2: 3 }), {}, 'stays', 'AlreadyBest'],
    ['it was never scheduled', neverScheduled, {}, 'stays', 'NeverScheduled'],
  ])('%s', (...[, binding, rest, verdict, code]) => {
    const { target } = plan(binding, rest)
    expect([target.verdict, target.reason.code]).toEqual([verdict, code])
    expect(target.after).toEqual(target.before)
    expect(target.moved).toBe(0)
  })

  test.each([paused, heldBack, deleting])('and counts the ready replicas of one that may not move', (binding) => {
    const aggregatedStatus: AggregatedStatusItem[] = [{ clusterName: 'member1', applied: true, health: 'Healthy' }]
    const { target } = plan({ ...binding, status: { ...binding.status, aggregatedStatus } })
    expect([target.verdict, target.ready.now, target.ready.expected]).toEqual(['refused', 6, 6])
  })

  test('notes a lazy policy that differs', () => {
    const binding = aBinding('web', { member1: 3, member2: 3 })
    Object.assign(binding.metadata.annotations!, {
      'propagationpolicy.karmada.io/name': 'p',
      'propagationpolicy.karmada.io/namespace': 'default',
    })
    const spec = { activationPreference: 'Lazy', placement: duplicated() }
    const { target } = plan(binding, { policies: [{ metadata: { name: 'p', namespace: 'default' }, spec }] })
    expect(target.notes.map(({ code }) => code)).toEqual(['LazyPolicyDiffers'])
  })
})

test.each([byAvailableReplicas(), byWeight({ member1: 1, member2: 2 }), aggregated()])(
  'keeps a divided workload without replicas, and shows no failure of the scheduler: %j',
  (placement) => {
    const binding = aBinding('web', { member2: 0 }, { placement, replicas: 0 })
    const { target } = plan(binding)
    expect([target.verdict, target.reason.code]).toEqual(['stays', 'NoReplicas'])
  },
)
