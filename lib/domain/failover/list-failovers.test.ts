import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AggregatedStatusItem, GracefulEvictionTask, TargetCluster } from '../../kube/kinds/binding'
import { assessEvictionTasks, evictionRules, evictionSnapshotOf } from '../eviction'
import type { FailoverBinding } from './binding'
import { listFailovers } from './list-failovers'

const now = Date.parse('2026-01-01T00:10:00Z')
const names = fc.constantFrom('m1', 'm2', 'm3')

const targets: fc.Arbitrary<TargetCluster[]> = fc.uniqueArray(
  fc.record({ name: names, replicas: fc.integer({ min: 0, max: 3 }) }),
  { selector: ({ name }) => name },
)
const reports: fc.Arbitrary<AggregatedStatusItem[]> = fc.uniqueArray(
  fc.record({
    clusterName: names,
    health: fc.constantFrom('Healthy', 'Unhealthy', 'Unknown'),
    status: fc.record({ replicas: fc.integer({ min: 0, max: 3 }), readyReplicas: fc.integer({ min: 0, max: 3 }) }),
  }),
  { selector: ({ clusterName }) => clusterName },
)
const task: fc.Arbitrary<GracefulEvictionTask> = fc.record({
  fromCluster: fc.constant('gone'),
  producer: fc.constant('p'),
  reason: fc.constantFrom('TaintUntolerated', 'ApplicationFailure'),
  creationTimestamp: fc.constantFrom('2026-01-01T00:09:30Z', '2026-01-01T00:05:00Z'),
  gracePeriodSeconds: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
  purgeMode: fc.constantFrom('Directly', 'Gracefully'),
})

test('a failover has the stage and deadline of the graceful eviction controller', () => {
  fc.assert(
    fc.property(
      fc.record({
        clusters: targets,
        aggregatedStatus: reports,
        task,
        observed: fc.integer({ min: 1, max: 2 }),
        upstream: fc.boolean(),
        scheduled: fc.constantFrom('True', 'False'),
      }),
      ({ clusters, aggregatedStatus, task: one, observed, upstream, scheduled }) => {
        const binding = {
          kind: 'ResourceBinding',
          metadata: { name: 'web-deployment', namespace: 'demo', generation: 2 },
          spec: {
            resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
            clusters,
            gracefulEvictionTasks: [one],
          },
          status: {
            schedulerObservedGeneration: observed,
            aggregatedStatus,
            conditions: [
              {
                type: 'Scheduled',
                status: scheduled,
                reason: '',
                message: '',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        } as FailoverBinding
        const plan = assessEvictionTasks(
          evictionSnapshotOf(binding, now, evictionRules({ upstreamEviction: upstream })),
        )
        const [failover] = listFailovers({ binding, clusters: [], now, settings: { upstreamEviction: upstream } })
        const [dropped] = plan.dropped
        if (dropped?.reason === 'timedOut') return
        expect(failover?.stage).toBe(dropped?.reason === 'replaced' ? 'replaced' : 'evicting')
        if (!dropped && plan.extended.length === 0) expect(failover?.deadline?.at).toBe(plan.graceEndsAt)
      },
    ),
    { seed: 31, numRuns: 500 },
  )
})
