/** How far a rebalance of one workload has really come. */
import type { AggregatedStatusItem, TargetCluster } from '@/lib/kube/kinds/binding'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import { type Binding, isSchedulingSuspended } from '../placement'
import type { ObservedWorkload } from './sync-status'

/** Each stage implies the ones before it; `failed` ends at any of them. */
export type ProgressStage = 'pending' | 'triggered' | 'scheduled' | 'applied' | 'healthy' | 'failed'

export interface TargetProgress {
  stage: ProgressStage
  /** What is missing for the next stage, or why it failed. Absent when healthy. */
  reason?: { code: string; text: string }
}

export interface ProgressSnapshot {
  /** The target's line in the rebalancer's status; absent before it is observed. */
  observed?: ObservedWorkload
  rebalancer: { metadata: { creationTimestamp: string } }
  binding?: Binding
  /** The Works of the binding; with them, copies left behind are noticed. */
  works?: readonly { metadata: { namespace?: string; deletionTimestamp?: string } }[]
}

/**
 * Judges from what the API shows. "Successful" in the rebalancer's status only means that the trigger was written, so
 * it never counts as moved.
 */
export function progressOf(snapshot: ProgressSnapshot): TargetProgress {
  const { observed, rebalancer, binding } = snapshot
  if (observed?.result === 'Failed') return failed(observed.reason ?? 'Failed', failureText(observed.reason))
  if (!binding && observed?.result) return failed('BindingGone', 'Its binding no longer exists.')
  if (!binding) return waiting('pending', 'NotObserved', 'The rebalancer has not looked at it yet.')
  if (binding.metadata.deletionTimestamp) return failed('Deleting', 'It is being deleted.')
  const triggeredAt = binding.spec.rescheduleTriggeredAt
  if (!triggeredAt || parseTime(triggeredAt) < parseTime(rebalancer.metadata.creationTimestamp)) {
    return waiting('pending', 'NotTriggered', 'The rebalancer has not triggered it yet.')
  }
  const missing = unscheduled(binding, parseTime(triggeredAt)) ?? unapplied(binding, snapshot) ?? unhealthy(binding)
  return missing ?? { stage: 'healthy' }
}

function failureText(reason: string | undefined): string {
  return reason === 'ReferencedBindingNotFound'
    ? 'It has no binding: it does not exist, or no policy propagates it.'
    : 'The rebalancer could not trigger it.'
}

/** Why it is not scheduled since the trigger; undefined when it is. */
function unscheduled({ metadata, spec, status = {} }: Binding, triggeredAt: number): TargetProgress | undefined {
  if (isSchedulingSuspended(spec)) return waiting('triggered', 'Suspended', 'Its scheduling is paused.')
  const scheduled = findCondition(status.conditions, 'Scheduled')
  if (scheduled?.status === 'False') return failed(scheduled.reason, scheduled.message)
  if (!status.lastScheduledTime || parseTime(status.lastScheduledTime) < triggeredAt) {
    return waiting('triggered', 'NotScheduled', 'The scheduler has not scheduled it since the trigger.')
  }
  const observes = (status.schedulerObservedGeneration ?? 0) === (metadata.generation ?? 0)
  if (scheduled?.status === 'True' && observes) return undefined
  return waiting('triggered', 'NotObservedByScheduler', 'The scheduler has not seen its latest version.')
}

/** Why the new distribution is not in place; undefined when it is. */
function unapplied({ spec, status = {} }: Binding, { works }: ProgressSnapshot): TargetProgress | undefined {
  const targets = (spec.clusters ?? []).map(({ name }) => name)
  const items = status.aggregatedStatus ?? []
  const reported = items.map(({ clusterName }) => clusterName)
  const refused = items.find((item) => !item.applied && !!item.appliedMessage && targets.includes(item.clusterName))
  if (refused) return waiting('scheduled', 'ApplyFailed', `${refused.clusterName}: ${refused.appliedMessage ?? ''}`)
  const missing = targets.filter((name) => !reported.includes(name))
  if (missing.length > 0) return waiting('scheduled', 'NotReported', `Not reported yet by ${missing.join(', ')}.`)
  const left = [...new Set([...reported, ...clustersOf(works)])].filter((name) => !targets.includes(name))
  if (left.length > 0) return waiting('scheduled', 'OldCopies', `Old copies are still in ${left.join(', ')}.`)
  if (isConditionTrue(status.conditions, 'FullyApplied')) return undefined
  return waiting('scheduled', 'NotFullyApplied', 'Not applied in every cluster yet.')
}

function clustersOf(works: ProgressSnapshot['works'] = []): string[] {
  return works.flatMap(({ metadata }) => clusterOfExecutionSpace(metadata.namespace ?? '') ?? [])
}

/** Which clusters do not run it well; undefined when all do. */
function unhealthy({ spec, status = {} }: Binding): TargetProgress | undefined {
  const byCluster = new Map((status.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  const complaints = (spec.clusters ?? []).flatMap((target) => complaintOf(target, byCluster.get(target.name)) ?? [])
  return complaints.length > 0 ? waiting('applied', 'NotHealthy', `${complaints.join('; ')}.`) : undefined
}

function complaintOf({ name, replicas = 0 }: TargetCluster, item?: AggregatedStatusItem): string | undefined {
  if (item?.health !== 'Healthy') return `${name} reports ${item?.health ?? 'no health'}`
  const ready = item.status?.['readyReplicas']
  const isShort = typeof ready === 'number' && ready < replicas
  return isShort ? `${name} has ${ready} of ${replicas} replicas ready` : undefined
}

function waiting(stage: ProgressStage, code: string, text: string): TargetProgress {
  return { stage, reason: { code, text } }
}

function failed(code: string, text: string): TargetProgress {
  return waiting('failed', code, text)
}
