import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReplicaCounts } from '../model'
import { countsOf, sumCounts } from '../replica-sums'
import { countReplicas, type ReplicaFacts } from './replica-counts'

const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' }
const CLONE_SET = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' }
const STATEFUL_SET = { apiVersion: 'apps/v1', kind: 'StatefulSet' }
const JOB = { apiVersion: 'batch/v1', kind: 'Job' }
const POD = { apiVersion: 'v1', kind: 'Pod' }
const CUSTOM = { apiVersion: 'example.io/v1', kind: 'Fleet' }

type Case = [
  name: string,
  given: [resource: typeof DEPLOYMENT, desired: number, status: unknown],
  counts: Partial<ReplicaCounts>,
]

const counted = (
  resource: ReplicaFacts['resource'],
  desired: number,
  status: unknown,
  more: { isSilent?: boolean; applied?: boolean } = {},
) => {
  const { isSilent = false, applied = true } = more
  const report = { clusterName: 'm1', applied, status: status as Record<string, unknown> }
  return countReplicas({ resource, desired, report, isSilent })
}

const full = ({
  desired = 0,
  current = 0,
  ready = 0,
  unknown = 0,
  old = 0,
  oldReady = 0,
  oldUnknown = 0,
}: Partial<ReplicaCounts>) => ({ desired, current, ready, unknown, old, oldReady, oldUnknown })

describe('replicas of a cluster that answers', () => {
  test.each<Case>([
    ['all ready', [DEPLOYMENT, 3, { replicas: 3, readyReplicas: 3 }], { current: 3, ready: 3 }],
    ['none ready: members leave zeros out', [DEPLOYMENT, 3, { replicas: 3 }], { current: 3 }],
    ['some not there yet', [DEPLOYMENT, 5, { replicas: 3, readyReplicas: 2 }], { current: 3, ready: 2 }],
    [
      'more than desired',
      [DEPLOYMENT, 2, { replicas: 5, readyReplicas: 4 }],
      { current: 2, ready: 2, old: 3, oldReady: 2 },
    ],
    ['leaving', [DEPLOYMENT, 0, { replicas: 2, readyReplicas: 1 }], { old: 2, oldReady: 1 }],
    ['scaled to zero', [DEPLOYMENT, 0, { observedGeneration: 4, generation: 4 }], {}],
    ['observed, and nothing there', [DEPLOYMENT, 2, { observedGeneration: 1, generation: 1 }], {}],
    [
      'on an older generation: the pods still exist',
      [DEPLOYMENT, 3, { replicas: 3, readyReplicas: 3, observedGeneration: 1, generation: 2 }],
      { current: 3, ready: 3 },
    ],
    [
      'a StatefulSet',
      [STATEFUL_SET, 3, { replicas: 3, readyReplicas: 1, currentReplicas: 3 }],
      { current: 3, ready: 1 },
    ],
    [
      'a CloneSet',
      [CLONE_SET, 3, { replicas: 3, readyReplicas: 2, updatedReadyReplicas: 2 }],
      { current: 3, ready: 2 },
    ],
    ['a kind that counts ready otherwise', [CUSTOM, 3, { replicas: 3, numberReady: 2 }], { current: 3, ready: 2 }],
    ['a kind that never tells what is ready', [CUSTOM, 3, { replicas: 3 }], { current: 3, unknown: 3 }],
    ['a kind that tells ready alone', [CUSTOM, 3, { ready: 2 }], { current: 2, ready: 2 }],
    ['a kind that reports no number', [CUSTOM, 3, { observedGeneration: 2, phase: 'Running' }], { unknown: 3 }],
    ['a Job whose ready pods were not collected', [JOB, 2, { active: 2 }], { current: 2, unknown: 2 }],
    ['a Job with its ready pods', [JOB, 2, { active: 2, ready: 1 }], { current: 2, ready: 1 }],
    ['a Job with some completions to go', [JOB, 2, { active: 2, ready: 0, succeeded: 3 }], { current: 2 }],
    ['a Job in its last round', [JOB, 3, { active: 1, ready: 1, succeeded: 5 }], { current: 3, ready: 3 }],
    ['a completed Job', [JOB, 3, { succeeded: 6, completionTime: '2026-01-01T00:00:00Z' }], { current: 3, ready: 3 }],
    ['a completed Job that leaves has no old replicas', [JOB, 0, { succeeded: 6 }], {}],
    ['a failed Job', [JOB, 3, { failed: 4 }], {}],
    ['a Job that just started', [JOB, 3, { startTime: '2026-01-01T00:00:00Z' }], {}],
    [
      'a Pod that is ready',
      [POD, 1, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }],
      { current: 1, ready: 1 },
    ],
    [
      'a Pod that is not ready',
      [POD, 1, { phase: 'Running', conditions: [null, { type: 'Ready', status: 'False' }] }],
      { current: 1 },
    ],
    ['a Pod that failed', [POD, 1, { phase: 'Failed' }], {}],
    ['a Pod that completed', [POD, 1, { phase: 'Succeeded' }], { current: 1, ready: 1 }],
  ])('%s', (_, given, counts) => expect(full(counted(...given))).toEqual(full({ desired: given[1], ...counts })))
})

describe('what is never counted as ready', () => {
  test.each<[string, unknown]>([
    ['no status', undefined],
    ['null', null],
    ['an empty status', {}],
    ['a status that was never observed', { generation: 1, resourceTemplateGeneration: 1 }],
    ['more ready than there are', { replicas: 3, readyReplicas: 7 }],
    ['ready of nothing', { readyReplicas: 3 }],
    ['negative replicas', { replicas: -3, readyReplicas: 3 }],
    ['negative ready', { replicas: 3, readyReplicas: -1 }],
    ['a text', { replicas: '3', readyReplicas: '3' }],
    ['a fraction', { replicas: 3, readyReplicas: 2.5 }],
    ['no number', { replicas: 3, readyReplicas: NaN }],
    ['infinitely many', { replicas: Infinity, readyReplicas: Infinity }],
    ['too many to count', { replicas: 1e300, readyReplicas: 1e300 }],
    ['a list', [3, 3]],
    ['a text as status', 'ready'],
    ['a boolean', { replicas: true, readyReplicas: true }],
    ['an object', { replicas: {}, readyReplicas: 3 }],
  ])('%s is unknown', (_, status) =>
    expect(full(counted(DEPLOYMENT, 3, status))).toEqual(full({ desired: 3, unknown: 3 })),
  )

  test('the last report of a cluster that does not answer', () => {
    expect(full(counted(DEPLOYMENT, 3, { replicas: 3, readyReplicas: 3 }, { isSilent: true }))).toEqual(
      full({ desired: 3, unknown: 3 }),
    )
    expect(full(counted(DEPLOYMENT, 0, { replicas: 3, readyReplicas: 3 }, { isSilent: true }))).toEqual(
      full({ oldUnknown: 3 }),
    )
  })
  test('a manifest that the member refused: nothing of it is there', () => {
    expect(full(counted(DEPLOYMENT, 3, undefined, { applied: false }))).toEqual(full({ desired: 3 }))
  })
})

describe('whatever members report', () => {
  const number = fc.oneof(fc.nat({ max: 9 }), fc.anything(), fc.constantFrom(-1, NaN, Infinity, '3', 2.5, 1e300))
  const status = fc.oneof(
    fc.anything(),
    fc.record(
      {
        replicas: number,
        readyReplicas: number,
        active: number,
        ready: number,
        succeeded: number,
        observedGeneration: number,
        conditions: fc.anything(),
        phase: fc.anything(),
      },
      { requiredKeys: [] },
    ),
  )
  const facts = fc.record({
    resource: fc.constantFrom(DEPLOYMENT, STATEFUL_SET, CLONE_SET, JOB, POD, CUSTOM),
    desired: fc.nat({ max: 9 }),
    status,
    isSilent: fc.boolean(),
  })

  function expectConsistent({
    desired,
    current,
    ready,
    unknown = 0,
    old = 0,
    oldReady = 0,
    oldUnknown = 0,
  }: ReplicaCounts): void {
    for (const count of [desired, current, ready, unknown, old, oldReady, oldUnknown])
      expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
    expect(current).toBeLessThanOrEqual(desired)
    expect(ready).toBeLessThanOrEqual(current)
    expect(ready + unknown).toBeLessThanOrEqual(desired)
    expect(oldReady).toBeLessThanOrEqual(old)
  }

  test('counts are whole, ready is at most current and current at most desired, and sums are, too', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 5 }), fc.nat({ max: 20 }), (all, desired) => {
        const parts = all.map((each) => counted(each.resource, each.desired, each.status, each))
        for (const part of [...parts, sumCounts(parts), countsOf(desired, parts)]) expectConsistent(part)
        for (const [at, { isSilent }] of all.entries()) if (isSilent) expect(parts[at]!.ready).toBe(0)
      }),
      { seed: 20_261_122, numRuns: 500 },
    )
  })
  test('a sum loses no replica: ready desired and old ones equal those of the parts', () => {
    const ready = ({ ready, oldReady = 0 }: ReplicaCounts) => ready + oldReady
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 5 }), fc.nat({ max: 20 }), (all, desired) => {
        const parts = all.map((each) => counted(each.resource, each.desired, each.status, each))
        expect(ready(countsOf(desired, parts))).toBe(parts.reduce((sum, part) => sum + ready(part), 0))
      }),
      { seed: 15, numRuns: 200 },
    )
  })
})
