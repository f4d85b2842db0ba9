import { describe, expect, test } from 'vitest'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import type { Binding } from '../placement'
import { aBinding } from '../placement/testing/scheduled'
import { type ProgressSnapshot, progressOf } from './progress'

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
const rebalancer = { metadata: { creationTimestamp: '2026-01-01T02:00:00Z' } }
const at = '2026-01-01T00:00:00Z'
const scheduled = { type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: at } as const
const fullyApplied = { ...scheduled, type: 'FullyApplied', reason: 'FullyAppliedSuccess' } as const
const notFound = { workload, result: 'Failed', reason: 'ReferencedBindingNotFound' }
const healthy = { clusterName: 'member1', applied: true, health: 'Healthy', status: { readyReplicas: 3 } } as const

function triggered(status: BindingStatus, spec: Partial<Binding['spec']> = {}): ProgressSnapshot {
  const binding = aBinding('web', { member1: 3 }, { rescheduleTriggeredAt: '2026-01-01T02:00:00Z', ...spec })
  const observed = { workload, result: 'Successful' }
  return { observed, rebalancer, binding: { ...binding, status: { ...binding.status, ...status } } }
}

const rescheduled = { lastScheduledTime: '2026-01-01T02:00:01Z' }
const reporting = (...aggregatedStatus: BindingStatus['aggregatedStatus'] & object): ProgressSnapshot =>
  triggered({ ...done, aggregatedStatus })
const done = { ...rescheduled, conditions: [scheduled, fullyApplied], aggregatedStatus: [healthy] }

const older = triggered({}, { rescheduleTriggeredAt: '2026-01-01T01:59:59Z' })
const movedOn = '2026-01-01T02:00:01Z'
const mismatch = triggered({ conditions: [{ ...scheduled, status: 'False', reason: 'NoClusterFit' }] })
const stamp = '2026-01-01T02:00:00Z'
const laterMismatch = triggered({
  ...rescheduled,
  conditions: [{ ...scheduled, status: 'False', reason: 'NoClusterFit' }],
})
const empty = triggered({ conditions: [] }, { replicas: undefined })
const unobserved = triggered({ ...done, schedulerObservedGeneration: 1 })
const partly = triggered({ ...rescheduled, aggregatedStatus: [healthy] })
const refused = { clusterName: 'member1', applied: false, appliedMessage: 'no' }
const twoReady = { ...healthy, status: { readyReplicas: 2 } }
const left = { clusterName: 'member2', applied: true }
const leftWork = { metadata: { namespace: 'karmada-es-member2' } }

describe('the real progress of a target', () => {
  test.each<[string, ProgressSnapshot, string, string | undefined]>([
    ['not observed yet', { rebalancer }, 'pending', 'NotObserved'],
    ['not triggered yet', { rebalancer, binding: aBinding('web', { member1: 3 }) }, 'pending', 'NotTriggered'],
    ['triggered by an older rebalance only', older, 'pending', 'NotTriggered'],
    ['without a binding', { rebalancer, observed: notFound }, 'failed', 'ReferencedBindingNotFound'],
    ['triggered past the last success', triggered({}, { rescheduleTriggeredAt: movedOn }), 'triggered', 'NotScheduled'],
    [
      'stamped in the second of a success, not seen yet',
      { ...unobserved, rebalancer },
      'triggered',
      'NotObservedByScheduler',
    ],
    [
      'triggered past the last success and served',
      triggered({ ...done, lastScheduledTime: movedOn }, { rescheduleTriggeredAt: movedOn }),
      'healthy',
      undefined,
    ],
    ['reported successful, not scheduled since', triggered({}), 'triggered', 'NotScheduled'],
    ['paused', triggered({}, { suspension: { scheduling: true } }), 'triggered', 'Suspended'],
    ['no cluster fits', mismatch, 'failed', 'NoClusterFit'],
    ['scheduled, its new version not observed', unobserved, 'triggered', 'NotObservedByScheduler'],
    ['scheduled, not reported', triggered({ ...rescheduled, aggregatedStatus: [] }), 'scheduled', 'NotReported'],
    ['scheduled, not fully applied', partly, 'scheduled', 'NotFullyApplied'],
    ['scheduled, refused by a member', reporting(refused), 'scheduled', 'ApplyFailed'],
    ['scheduled, old copies still there', reporting(healthy, left), 'scheduled', 'OldReplicas'],
    ['scheduled, an old Work still there', { ...triggered(done), works: [leftWork] }, 'scheduled', 'OldReplicas'],
    ['applied, unhealthy', reporting({ ...healthy, health: 'Unhealthy' }), 'applied', 'NotHealthy'],
    ['applied, not all replicas ready', reporting(twoReady), 'applied', 'NotHealthy'],
    [
      'triggered in the second of the last scheduling, and moved since for another reason',
      { ...triggered({ ...done, lastScheduledTime: movedOn }), ignored: { at: stamp, scheduledAt: stamp } },
      'failed',
      'TriggerIgnored',
    ],
    [
      'triggered again since it was ignored',
      { ...triggered(done), ignored: { at: movedOn, scheduledAt: movedOn } },
      'healthy',
      undefined,
    ],
    ['scheduled, and failed later', laterMismatch, 'scheduled', 'FailedLater'],
    ['divided and without replicas', empty, 'healthy', 'NoReplicas'],
    ['all in place and healthy', triggered(done), 'healthy', undefined],
  ])('%s', (_name, snapshot, stage, code) => {
    const progress = progressOf(snapshot)
    expect([progress.stage, progress.reason?.code]).toEqual([stage, code])
  })
})
