import { message } from '@/lib/messages/message'
import { describe, expect, test } from 'vitest'
import type { AggregatedStatusItem, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { aCluster } from '@/lib/testing/builders'
import { blockersOf, listFailovers, type FailoverBinding, type FailoverSettings } from '.'

const NOW = Date.parse('2026-01-01T00:10:00Z')
const at = (minutes: number, seconds = 0): number => NOW + (minutes * 60 + seconds) * 1000
const time = (ms: number): string => new Date(ms).toISOString()
const clusters = ['m1', 'm2', 'm3'].map((name) => aCluster(name) as Cluster)

const item = (
  clusterName: string,
  health: AggregatedStatusItem['health'],
  more: Partial<AggregatedStatusItem> = {},
): AggregatedStatusItem => ({ clusterName, applied: true, health, ...more })

interface Input {
  spec?: Partial<FailoverBinding['spec']>
  annotations?: Record<string, string>
  items?: AggregatedStatusItem[]
  status?: FailoverBinding['status']
}

function aBinding({
  spec,
  annotations,
  items = [item('m1', 'Unhealthy'), item('m2', 'Healthy')],
  status,
}: Input = {}): FailoverBinding {
  return {
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'default', generation: 3, ...(annotations && { annotations }) },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
      placement: {},
      propagateDeps: true,
      clusters: [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 1 },
      ],
      failover: { application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Directly' } },
      ...spec,
    },
    status: { schedulerObservedGeneration: 3, aggregatedStatus: items, ...status },
  }
}

const rule = (more: object) => ({
  failover: { application: { decisionConditions: { tolerationSeconds: 300 }, ...more } },
})
const task = (more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'm1',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  purgeMode: 'Gracefully',
  creationTimestamp: time(at(-5)),
  replicas: 2,
  ...more,
})
const left = (more: Partial<GracefulEvictionTask> = {}) => ({
  clusters: [{ name: 'm2', replicas: 3 }],
  gracefulEvictionTasks: [task(more)],
})
const record = { 'failover.evenkeel.io/record': JSON.stringify({ m1: { failedSince: time(at(-1)) } }) }
const tolerating = (seconds?: number) => ({
  'policy.karmada.io/applied-placement': JSON.stringify({
    clusterTolerations: [{ key: 'lost', operator: 'Exists', ...(seconds && { tolerationSeconds: seconds }) }],
  }),
})
const taints = [{ key: 'lost', effect: 'NoExecute' as const, timeAdded: time(at(-2)) }]
const tainted = clusters.with(0, aCluster('m1', { taints, ready: false }) as Cluster)
const taintedSince = (since: number): Cluster[] =>
  clusters.with(
    0,
    aCluster('m1', { taints: taints.map((taint) => ({ ...taint, timeAdded: time(since) })), ready: false }) as Cluster,
  )
const lost = clusters.with(0, aCluster('m1', { ready: false }) as Cluster)

const explain = (told: Input, among = clusters, settings: FailoverSettings = {}) =>
  blockersOf(aBinding(told), { clusters: among, policies: [], now: NOW, settings })

describe('the blockers of a failover', () => {
  test.each<[string, Input, readonly Cluster[] | undefined, FailoverSettings | undefined, object[]]>([
    [
      'all is well',
      { items: [item('m1', 'Healthy'), item('m2', 'Healthy')] },
      undefined,
      undefined,
      [{ reason: 'nothingFailed' }],
    ],
    ['no rule', { spec: { failover: {} } }, undefined, undefined, [{ reason: 'noFailoverRule', cluster: 'm1' }]],
    ['dependencies stay', { spec: { propagateDeps: false } }, undefined, undefined, [{ reason: 'dependenciesStay' }]],
    [
      'an unknown kind',
      { spec: { resource: { apiVersion: 'example.io/v1', kind: 'Thing', name: 'x' } } },
      undefined,
      undefined,
      [{ reason: 'noHealthRule' }],
    ],
    ['nothing reported', { items: [] }, undefined, undefined, [{ reason: 'noStatus' }]],
    [
      'unknown health',
      { items: [item('m1', 'Unknown'), item('m2', 'Healthy')] },
      undefined,
      undefined,
      [{ reason: 'healthUnknown', cluster: 'm1' }],
    ],
    ['paused', { spec: { suspension: { scheduling: true } } }, undefined, undefined, [{ reason: 'paused' }]],
    ['the loop is off', {}, undefined, { applicationFailover: false }, [{ reason: 'evictionDisabled' }]],
    [
      'too early',
      {
        spec: rule({ preConditions: { delaySeconds: 60 } }),
        items: [item('m1', 'Unhealthy', { creationTimestamp: time(at(0, -20)) })],
      },
      undefined,
      undefined,
      [{ reason: 'tooEarly', until: at(0, 40) }],
    ],
    [
      'never healthy',
      { spec: rule({ preConditions: { healthyState: 'Healthy' } }) },
      undefined,
      undefined,
      [{ reason: 'neverHealthy' }],
    ],
    ['tolerated', { annotations: record }, undefined, undefined, [{ reason: 'waitingForToleration', until: at(4) }]],
    [
      'nowhere to go',
      {
        annotations: record,
        spec: { placement: { clusterAffinity: { clusterNames: ['m1'] } }, clusters: [{ name: 'm1', replicas: 2 }] },
      },
      undefined,
      undefined,
      [{ reason: 'waitingForToleration' }, { reason: 'noClusterFits', cluster: 'm1' }],
    ],
    [
      'nowhere to go, and it is time',
      {
        annotations: { 'failover.evenkeel.io/record': JSON.stringify({ m1: { failedSince: time(at(-9)) } }) },
        spec: { placement: { clusterAffinity: { clusterNames: ['m1'] } }, clusters: [{ name: 'm1', replicas: 2 }] },
      },
      undefined,
      undefined,
      [{ reason: 'noClusterFits', cluster: 'm1' }],
    ],
    ['a cluster that is lost', {}, lost, undefined, [{ reason: 'taintOnlyBlocksScheduling', cluster: 'm1' }]],
    [
      'a taint that is tolerated for ever',
      { annotations: tolerating() },
      tainted,
      undefined,
      [{ reason: 'taintTolerated' }],
    ],
    [
      'a taint that is tolerated for a while',
      { annotations: tolerating(300) },
      tainted,
      undefined,
      [{ reason: 'waitingForToleration', until: at(3) }],
    ],
    ['eviction by turns', { annotations: tolerating(60) }, tainted, undefined, [{ reason: 'evictionRateLimited' }]],
    [
      'an eviction that is long overdue, where it is not known whether taints evict',
      { annotations: tolerating(60) },
      taintedSince(at(-4)),
      undefined,
      [{ reason: 'evictionOverdue', cluster: 'm1' }],
    ],
    [
      'an eviction that is long overdue, where taints are known to evict',
      { annotations: tolerating(60) },
      taintedSince(at(-4)),
      { noExecuteEviction: true },
      [{ reason: 'evictionRateLimited' }],
    ],
    ['a placement that cannot be parsed', {}, tainted, undefined, [{ reason: 'placementUnreadable' }]],
    ['taints that may not evict', {}, tainted, { noExecuteEviction: false }, [{ reason: 'evictionDisabled' }]],
    [
      'a successor that is not healthy',
      { spec: left(), items: [item('m2', 'Unhealthy')] },
      undefined,
      { applicationFailover: false },
      [{ reason: 'evictionDisabled' }, { reason: 'waitingForSuccessor', cluster: 'm1', until: at(5) }],
    ],
    [
      'a copy that is kept',
      { spec: left({ suppressDeletion: true }), items: [item('m2', 'Healthy')] },
      undefined,
      undefined,
      [{ reason: 'keptByHand' }],
    ],
  ])('%s', (...row) => {
    const [, told, among, settings, expected] = row
    expect(explain(told, among as Cluster[] | undefined, settings)).toMatchObject(expected)
  })

  test.each([
    [undefined, 'failover.blocker.evictionDue', 'failover.blocker.toleratesTaintMaybe'],
    [{ noExecuteEviction: true }, 'failover.blocker.evictionRateLimited', 'failover.blocker.toleratesTaint'],
  ])('an eviction is promised only where taints are known to evict: %j', (settings, due, later) => {
    const codeOf = (seconds: number) =>
      explain({ annotations: tolerating(seconds) }, tainted, settings).map(({ message: { code } }) => code)
    expect([codeOf(60), codeOf(300)]).toEqual([[due], [later]])
  })

  test('a workload that failed everywhere is blocked in each cluster, with the end of the block', () => {
    const status = {
      conditions: [
        {
          type: 'Scheduled',
          status: 'False' as const,
          reason: 'NoClusterFit',
          message: '0/3 clusters are available',
          lastTransitionTime: time(NOW),
        },
      ],
    }
    const spec = { clusters: [], activeEvictionHistory: [{ clusterName: 'm1', creationTimestamp: time(at(-5)) }] }
    expect(explain({ spec, items: [], status: { ...status, aggregatedStatus: [] } })).toMatchObject([
      {
        reason: 'noClusterFits',
        message: message('failover.blocker.noClusterFits', { failure: '0/3 clusters are available' }),
      },
      { reason: 'blockedPredecessor', cluster: 'm1', until: at(5) },
    ])
  })
})

const tell = (told: Input, among = clusters) => listFailovers({ binding: aBinding(told), clusters: among, now: NOW })

describe('failovers', () => {
  test('one per cluster that fails or is being left', () => {
    expect(
      tell({
        spec: { ...left(), clusters: [{ name: 'm2', replicas: 3 }] },
        annotations: { 'failover.evenkeel.io/record': JSON.stringify({ m2: { failedSince: time(at(-1)) } }) },
        items: [item('m2', 'Unhealthy')],
      }),
    ).toEqual([
      {
        binding: { kind: 'ResourceBinding', namespace: 'default', name: 'web-deployment' },
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
        cluster: 'm1',
        cause: 'cluster',
        stage: 'evicting',
        since: at(-5),
        deadline: { at: at(5), meaning: 'grace' },
        producer: 'TaintManager',
        reason: 'TaintUntolerated',
        purgeMode: 'Gracefully',
        kept: false,
        replicas: 2,
        successors: [{ cluster: 'm2', replicas: 3, health: 'Unhealthy' }],
      },
      expect.objectContaining({
        cluster: 'm2',
        cause: 'application',
        stage: 'toleration',
        since: at(-1),
        deadline: { at: at(4), meaning: 'toleration' },
        purgeMode: 'Directly',
      }),
    ])
  })

  test.each([
    ['a grace of its own', task({ gracePeriodSeconds: 30 }), 'evicting', { at: at(-5, 30), meaning: 'grace' }],
    ['a copy that is kept counts down to nothing', task({ suppressDeletion: true }), 'evicting', undefined],
    [
      'a task without a creation time',
      { ...task(), creationTimestamp: undefined } as unknown as GracefulEvictionTask,
      'evicting',
      undefined,
    ],
  ])('%s', (...row) => {
    const [, one, stage, deadline] = row
    const [failover] = tell({
      spec: { clusters: [{ name: 'm2' }], gracefulEvictionTasks: [one] },
      items: [item('m2', 'Unhealthy')],
    })
    expect([failover?.stage, failover?.deadline]).toEqual([stage, deadline])
  })

  test('are replaced once the scheduler has processed them and all successors are healthy', () => {
    const spec = left({ suppressDeletion: true })
    expect(tell({ spec, items: [item('m2', 'Healthy')] })[0]).toMatchObject({ stage: 'replaced', kept: true })
    expect(
      tell({
        spec,
        items: [item('m2', 'Healthy')],
        status: { schedulerObservedGeneration: 2, aggregatedStatus: [item('m2', 'Healthy')] },
      })[0]?.stage,
    ).toBe('evicting')
  })

  test('an excluded cluster has the end of its exclusion', () => {
    const spec = { ...left(), activeEvictionHistory: [{ clusterName: 'm1', creationTimestamp: time(at(-5)) }] }
    expect(tell({ spec, items: [item('m2', 'Healthy')] })[0]?.blockedUntil).toBe(at(5))
  })
})
