import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applicationRuleOf,
  assessApplication,
  blockedPredecessors,
  defaultFailoverProfile,
  evictionHistoryOf,
  type FailoverBinding,
  formatRecord,
  historyAfter,
  injectedLabels,
  readRecord,
  withFailoverFacts,
} from '.'
import { clusterState, preservedState, StateError } from './preserve-state'

const NOW = Date.parse('2026-01-01T00:10:00Z')

function binding(
  application: object | undefined,
  more: Partial<FailoverBinding['spec']> = {},
  annotations?: Record<string, string>,
): FailoverBinding {
  const failover = application && { application: { decisionConditions: {}, ...application } }
  return {
    kind: 'ResourceBinding',
    metadata: { name: 'b', namespace: 'default', ...(annotations && { annotations }) },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'b' },
      propagateDeps: true,
      ...(failover && { failover }),
      ...more,
    } as FailoverBinding['spec'],
  }
}

describe('the rule of a binding', () => {
  const said = (text: string) => ({
    metadata: { name: 'p', annotations: { 'failover.evenkeel.io/application': text } },
  })

  test.each<[string, FailoverBinding, ReturnType<typeof said> | undefined, object | undefined]>([
    ['none', binding(undefined), said('{"blockPredecessorSeconds":5}'), undefined],
    [
      'what is not said',
      binding({}),
      undefined,
      {
        tolerationMs: 300_000,
        failedStates: ['Unhealthy'],
        delayMs: 0,
        onlyOnceHealthy: false,
        purgeMode: 'Gracefully',
        blockMs: 600_000,
      },
    ],
    ['a former name', binding({ purgeMode: 'Immediately' }), undefined, { purgeMode: 'Directly' }],
    ['a block of 0 is for ever', binding({ blockPredecessorSeconds: 0 }), undefined, { blockMs: Infinity }],
    [
      'the annotation of the policy',
      binding({}),
      said('{"preConditions":{"delaySeconds":5,"healthyState":"Healthy"}}'),
      { delayMs: 5000, onlyOnceHealthy: true },
    ],
    [
      'the field before the annotation',
      binding({ blockPredecessorSeconds: 7 }),
      said('{"blockPredecessorSeconds":5}'),
      { blockMs: 7000 },
    ],
    [
      'the annotation of the binding before that of the policy',
      binding({}, {}, { 'failover.evenkeel.io/application': '{"blockPredecessorSeconds":7}' }),
      said('{"blockPredecessorSeconds":5}'),
      { blockMs: 7000 },
    ],
    ['an annotation that is no JSON', binding({}), said('{'), { blockMs: 600_000 }],
    [
      'numbers that are none',
      binding({}),
      said('{"blockPredecessorSeconds":"5","preConditions":{"delaySeconds":-1}}'),
      { blockMs: 600_000, delayMs: 0 },
    ],
    [
      'states that are none',
      binding({}),
      said('{"decisionConditions":{"healthyState":["Healthy"]}}'),
      { failedStates: ['Unhealthy'] },
    ],
  ])('%s', (...row) => {
    const [, one, policy, expected] = row
    if (expected) expect(applicationRuleOf(one, policy)).toMatchObject(expected)
    else expect(applicationRuleOf(one, policy)).toBeUndefined()
  })
})

describe('the preserved state', () => {
  const status = {
    phase: 'Running',
    names: ['a', 'b'],
    nested: { 'job.id': 'x', n: 1.5 },
    ok: true,
    list: [
      { type: 'A', value: 1 },
      { type: 'B', value: 2 },
    ],
  }

  test.each([
    ['{.phase}', 'Running'],
    ['{ .phase }', 'Running'],
    ['prefix-{.phase}-{.ok}', 'prefix-Running-true'],
    ['plain', 'plain'],
    ['{.names}', '["a","b"]'],
    ['{.names[1]}', 'b'],
    ['{.names[-1]}', 'b'],
    ['{.names[*]}', 'a b'],
    ['{.nested.n}', '1.5'],
    ['{.nested.job\\.id}', 'x'],
    [`{.nested['job.id']}`, 'x'],
    ['{.list[?(@.type=="B")].value}', '2'],
    ['{$.phase}', 'Running'],
    ['{"text"}', 'text'],
    ['', ''],
  ])('%s', (jsonPath, expected) => {
    expect(preservedState([{ aliasLabelName: 'l', jsonPath }], status)).toEqual({ l: expected })
  })

  test.each([
    ['{.nope}', 'failed to execute jsonpath "{.nope}": nope is not found'],
    ['{.names[7]}', 'failed to execute jsonpath "{.names[7]}": array index out of bounds: index 7, length 2'],
    ['{.phase', 'failed to parse jsonpath "{.phase": unclosed action'],
    ['{.names[}', 'failed to parse jsonpath "{.names[}"'],
  ])('%s is an error', (jsonPath, expected) => {
    expect(() => preservedState([{ aliasLabelName: 'l', jsonPath }], status)).toThrow(expected)
  })
})

describe('labels injected into the successor', () => {
  const task = {
    fromCluster: 'm1',
    producer: 'p',
    reason: 'r',
    purgeMode: 'Directly' as const,
    preservedLabelState: { job: '7' },
    clustersBeforeFailover: ['m1'],
  }

  test.each([
    ['the only one', [task], 'm2', 1, { job: '7' }],
    ['one of several', [task], 'm2', 2, {}],
    ['one that was there before', [task], 'm1', 1, {}],
    ['while the old copy stays', [{ ...task, purgeMode: 'Gracefully' as const }], 'm2', 1, { job: '7' }],
    ['while the old copy is kept', [{ ...task, purgeMode: 'Never' as const }], 'm2', 1, { job: '7' }],
    ['by the last task alone', [task, { ...task, preservedLabelState: { job: '8' } }], 'm2', 1, { job: '8' }],
    ['when there is no task', [], 'm2', 1, {}],
  ])('%s', (...row) => {
    const [, gracefulEvictionTasks, cluster, targets, expected] = row
    expect(injectedLabels({ gracefulEvictionTasks }, cluster, targets)).toEqual(expected)
  })
})

describe('the eviction history', () => {
  const entry = (clusterName: string, creationTimestamp: string) => ({ clusterName, creationTimestamp })

  test('merges field and annotation; the latest entry of a cluster counts', () => {
    const noted = JSON.stringify([entry('m1', '2026-01-01T00:00:00Z'), entry('m2', '2026-01-01T00:05:00Z'), 'nonsense'])
    const one = binding(
      {},
      { activeEvictionHistory: [entry('m1', '2026-01-01T00:09:00Z')] },
      { 'failover.evenkeel.io/active-eviction-history': noted },
    )
    expect(evictionHistoryOf(one)).toEqual([entry('m1', '2026-01-01T00:09:00Z'), entry('m2', '2026-01-01T00:05:00Z')])
    expect(blockedPredecessors(one).map(({ cluster, until }) => [cluster, until - NOW])).toEqual([
      ['m1', 540_000],
      ['m2', 300_000],
    ])
  })

  test('drops expired entries, adds new ones, and keeps those without a time', () => {
    const before = [
      entry('old', '2025-12-31T00:00:00Z'),
      entry('again', '2026-01-01T00:09:00Z'),
      { clusterName: 'timeless' },
    ]
    expect(historyAfter(before, { left: ['again'], blockMs: 60_000, now: NOW })).toEqual([
      { clusterName: 'timeless' },
      entry('again', '2026-01-01T00:10:00Z'),
    ])
  })
})

test('facts about a cluster are carried over, and start again when the workload returns', () => {
  const first = withFailoverFacts(
    [
      { clusterName: 'm1', applied: true, health: 'Unhealthy' },
      { clusterName: 'm2', health: 'Unknown' },
    ],
    undefined,
    NOW,
  )
  expect(first).toEqual([
    { clusterName: 'm1', applied: true, health: 'Unhealthy', creationTimestamp: '2026-01-01T00:10:00Z' },
    { clusterName: 'm2', health: 'Unknown' },
  ])
  const healthy = withFailoverFacts([{ clusterName: 'm1', applied: true, health: 'Healthy' }], first, NOW + 60_000)
  expect(healthy).toMatchObject([{ settled: true, creationTimestamp: '2026-01-01T00:10:00Z' }])
  expect(withFailoverFacts([{ clusterName: 'm1', applied: true, health: 'Unhealthy' }], healthy, NOW)).toMatchObject([
    { settled: true },
  ])
})

const states = fc.constantFrom('Healthy', 'Unhealthy', 'Unknown', undefined)

test('a failure evicts exactly after its toleration, at any reconcile interval and across restarts', () => {
  const looks = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), health: states, restart: fc.boolean() }),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(looks, fc.integer({ min: 0, max: 30 }), (steps, tolerationSeconds) => {
      const one = binding(
        { decisionConditions: { tolerationSeconds }, purgeMode: 'Directly' },
        { clusters: [{ name: 'm1', replicas: 1 }] },
      )
      const rule = applicationRuleOf(one)!
      let [now, since] = [NOW, undefined as number | undefined]
      let record: ReturnType<typeof readRecord> = new Map()
      for (const { afterMs, health, restart } of steps) {
        now += afterMs
        const status = {
          aggregatedStatus: [{ clusterName: 'm1', ...(health && { health }) }],
        } as FailoverBinding['status']
        if (health === 'Unhealthy') since ??= now
        else if (health !== undefined) since = undefined
        const text = formatRecord(record)
        if (restart)
          record = readRecord({
            metadata: { name: 'b', ...(text && { annotations: { 'failover.evenkeel.io/record': text } }) },
          })
        const gates = { preserveState: true, gracefulEviction: true }
        const plan = assessApplication({
          now,
          binding: { ...one, status },
          rule,
          record,
          profile: defaultFailoverProfile,
          gates,
        })
        const isDue = health === 'Unhealthy' && since !== undefined && now - since >= tolerationSeconds * 1000
        expect(plan.left).toEqual(isDue ? ['m1'] : [])
        if (isDue) return
        if (health === 'Unhealthy') expect(plan.requeueAfterMs).toBe(since! + tolerationSeconds * 1000 - now)
        record = plan.record
      }
    }),
    { seed: 7, numRuns: 300 },
  )
})

describe('the state preserved from a failing cluster', () => {
  const rules = [{ aliasLabelName: 'job', jsonPath: '{ .jobID }' }]
  const withRules: FailoverBinding = binding(undefined, { failover: { cluster: { statePreservation: { rules } } } })
  const reported = (status?: Record<string, unknown>): FailoverBinding => ({
    ...withRules,
    status: { aggregatedStatus: [{ clusterName: 'm1', ...(status && { status }) }] },
  })

  test('is read from its own status', () => {
    expect(clusterState(reported({ jobID: 'a1' }), 'm1', false)).toEqual({ job: 'a1' })
    expect(clusterState(binding(undefined), 'm1', false)).toBeUndefined()
  })

  test.each([
    ['a status without it', reported({}), 'm1', {}],
    ['no status', reported(), 'm1', undefined],
    ['the status of another cluster', reported({ jobID: 'a1' }), 'm2', undefined],
  ])('%s is skipped; as upstream, it prevents the eviction', (_, from, cluster, expected) => {
    expect(clusterState(from, cluster, true)).toEqual(expected)
    expect(() => clusterState(from, cluster, false)).toThrow(StateError)
  })
})
