/** Determines the progress of a workload's rebalance from its binding. */
import type { AggregatedStatusItem, TargetCluster } from '@/lib/kube/kinds/binding'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { type Message, message } from '@/lib/messages/message'
import { parseTime } from '@/lib/std/clock'
import { type Binding, isSchedulingSuspended } from '../placement'
import { because, type Reason } from '../plan'
import type { IgnoredTrigger } from './ignored-trigger'
import { hasNothingToDivide } from './plan-rebalance'
import type { ObservedWorkload } from './sync-status'

/** Each stage implies the previous ones; `failed` may follow any of them. */
export type ProgressStage = 'pending' | 'triggered' | 'scheduled' | 'applied' | 'healthy' | 'failed'

export interface TargetProgress {
  stage: ProgressStage
  /** The missing condition for the next stage, or the failure. When healthy: why nothing moved, otherwise absent. */
  reason?: Reason<Message | string>
}

export interface ProgressSnapshot {
  /** The target's entry in the rebalancer's status; absent before it is observed. */
  observed?: ObservedWorkload
  rebalancer: { metadata: { creationTimestamp: string } }
  binding?: Binding
  /** The trigger of the binding, if the scheduler ignored it. */
  ignored?: IgnoredTrigger
  /** Works of the binding; if given, old replicas are detected. */
  works?: readonly { metadata: { namespace?: string; deletionTimestamp?: string } }[]
}

/**
 * Judges from API objects. "Successful" in the rebalancer's status only means that the trigger was written, so it never
 * counts as moved.
 */
export function progressOf(snapshot: ProgressSnapshot): TargetProgress {
  const { observed, rebalancer, binding } = snapshot
  if (observed?.result === 'Failed') return failed(failureOf(observed.reason))
  if (!binding && observed?.result) return failed(because(message('rebalance.progress.BindingGone')))
  if (!binding) return waiting('pending', because(message('rebalance.progress.NotObserved')))
  if (binding.metadata.deletionTimestamp) return failed(because(message('rebalance.refused.Deleting')))
  const triggeredAt = binding.spec.rescheduleTriggeredAt
  if (!triggeredAt || parseTime(triggeredAt) < parseTime(rebalancer.metadata.creationTimestamp)) {
    return waiting('pending', because(message('rebalance.progress.NotTriggered')))
  }
  if (snapshot.ignored?.at === triggeredAt) return failed(ignoredBy(snapshot.ignored))
  if (hasNothingToDivide(binding)) return { stage: 'healthy', reason: because(message('rebalance.stays.NoReplicas')) }
  const missing = unscheduled(binding, parseTime(triggeredAt)) ?? unapplied(binding, snapshot) ?? unhealthy(binding)
  return missing ?? { stage: 'healthy' }
}

function failureOf(reason = 'Failed'): Reason<Message> {
  const isMissing = reason === 'ReferencedBindingNotFound'
  return because(reason, message(isMissing ? 'rebalance.refused.BindingNotFound' : 'rebalance.progress.Failed'))
}

function ignoredBy({ at, scheduledAt }: IgnoredTrigger): Reason<Message> {
  const scheduled = { moment: scheduledAt }
  return at === scheduledAt
    ? because(message('rebalance.progress.TriggerIgnored', { scheduled }))
    : because('TriggerIgnored', message('rebalance.progress.TriggerTooEarly', { scheduled }))
}

/** Returns why the workload was not scheduled after the trigger; undefined if it was. */
function unscheduled({ metadata, spec, status = {} }: Binding, triggeredAt: number): TargetProgress | undefined {
  if (isSchedulingSuspended(spec)) return waiting('triggered', because(message('rebalance.progress.Suspended')))
  const scheduled = findCondition(status.conditions, 'Scheduled')
  const isServed = !!status.lastScheduledTime && parseTime(status.lastScheduledTime) > triggeredAt
  if (scheduled?.status === 'False') {
    const { reason, message: cause } = scheduled
    // The placement for the trigger is unknown, because a later attempt had other causes.
    return isServed
      ? { stage: 'scheduled', reason: because(message('rebalance.progress.FailedLater', { cause })) }
      : failed(because(reason, cause))
  }
  if (!status.lastScheduledTime || parseTime(status.lastScheduledTime) < triggeredAt) {
    return waiting('triggered', because(message('rebalance.progress.NotScheduled')))
  }
  const observes = (status.schedulerObservedGeneration ?? 0) === (metadata.generation ?? 0)
  if (scheduled?.status === 'True' && observes) return undefined
  return waiting('triggered', because(message('rebalance.progress.NotObservedByScheduler')))
}

/** Returns why the new distribution is not in place; undefined if it is. */
function unapplied({ spec, status = {} }: Binding, { works }: ProgressSnapshot): TargetProgress | undefined {
  const targets = (spec.clusters ?? []).map(({ name }) => name)
  const items = status.aggregatedStatus ?? []
  const reported = items.map(({ clusterName }) => clusterName)
  const refused = items.find((item) => !item.applied && !!item.appliedMessage && targets.includes(item.clusterName))
  if (refused) {
    const { clusterName: cluster, appliedMessage = '' } = refused
    return waiting(
      'scheduled',
      because(message('rebalance.progress.ApplyFailed', { cluster, message: appliedMessage })),
    )
  }
  const missing = targets.filter((name) => !reported.includes(name))
  if (missing.length > 0)
    return waiting('scheduled', because(message('rebalance.progress.NotReported', { clusters: missing })))
  const left = [...new Set([...reported, ...clustersOf(works)])].filter((name) => !targets.includes(name))
  if (left.length > 0)
    return waiting('scheduled', because(message('rebalance.progress.OldReplicas', { clusters: left })))
  if (isConditionTrue(status.conditions, 'FullyApplied')) return undefined
  return waiting('scheduled', because(message('rebalance.progress.NotFullyApplied')))
}

function clustersOf(works: ProgressSnapshot['works'] = []): string[] {
  return works.flatMap(({ metadata }) => clusterOfExecutionSpace(metadata.namespace ?? '') ?? [])
}

/** Returns the clusters where the workload is not healthy; undefined if it is healthy in all. */
function unhealthy({ spec, status = {} }: Binding): TargetProgress | undefined {
  const byCluster = new Map((status.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  const problems = (spec.clusters ?? []).flatMap((target) => problemOf(target, byCluster.get(target.name)) ?? [])
  return problems.length > 0
    ? waiting('applied', because(message('rebalance.progress.NotHealthy', { problems })))
    : undefined
}

function problemOf({ name, replicas = 0 }: TargetCluster, item?: AggregatedStatusItem): Message | undefined {
  if (!item?.health) return message('rebalance.cluster.noHealth', { cluster: name })
  if (item.health !== 'Healthy') return message('rebalance.cluster.unhealthy', { cluster: name, health: item.health })
  const ready = item.status?.['readyReplicas']
  const isShort = typeof ready === 'number' && ready < replicas
  return isShort ? message('rebalance.cluster.notReady', { cluster: name, ready, replicas }) : undefined
}

const waiting = (stage: ProgressStage, reason: Reason<Message | string>): TargetProgress => ({ stage, reason })
const failed = (reason: Reason<Message | string>): TargetProgress => waiting('failed', reason)
