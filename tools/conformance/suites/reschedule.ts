/** One pass of the scheduler over a binding, and the events that bring bindings to it. */
import {
  type Binding,
  type Conclusion,
  type Refusal,
  type RescheduleDecision,
  type ScheduleVerdict,
  bindingKey,
  clusterVersionsToExamine,
  concludeScheduling,
  decideReschedule,
  isSchedulable,
  priorityOf,
  scheduleBinding,
  snapshotOf,
  upstreamProfile,
  warning,
  wakesOnBinding,
  wakesOnCluster,
} from '@/lib/domain/placement'
import { english } from '@/lib/messages/english'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import { canonical, differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'

interface ScheduleInput {
  now: string
  schedulerName: string
  enableEmptyWorkloadPropagation?: boolean
  patchError?: 'Internal' | 'QuotaExceeded' | 'NamespaceTerminating'
  binding: Binding
  clusters?: Cluster[]
}

type ScheduleOutput = Record<string, unknown> & { alternatives?: Record<string, unknown[]>; varies?: string[] }

const fields = [
  'passesEventFilter',
  'scheduled',
  'path',
  'mode',
  'attempts',
  'error',
  'queueAction',
  'clusters',
  'appliedPlacement',
  'status',
  'events',
]

function judge(testCase: Case): string | undefined {
  if (testCase.name.includes('/binding-event/')) return judgeBindingEvent(testCase as Case<BindingEvent, Enqueued>)
  if (testCase.name.includes('/cluster-event/')) return judgeClusterEvent(testCase as Case<ClusterEvent, Enqueued>)
  return judgeSchedule(testCase as Case<ScheduleInput, ScheduleOutput>)
}

/**
 * Where runs of the real scheduler differ (its plugins run in random order), a field is correct if it was recorded, or
 * if it equals the record except for the reasons of clusters that do not fit.
 */
function judgeSchedule({ input, output }: Case<ScheduleInput, ScheduleOutput>): string | undefined {
  const ours = pass(input)
  return firstOf(
    ...fields.map((field) => {
      if (!output.varies?.includes(field)) return differs(field, ours[field], output[field])
      const seen = [output[field], ...(output.alternatives?.[field] ?? [])]
      if (seen.some((one) => canonical(one) === canonical(ours[field]))) return undefined
      return differs(field, withoutReasons(ours[field]), withoutReasons(output[field]))
    }),
  )
}

function withoutReasons(value: unknown): unknown {
  return JSON.parse(canonical(value).replaceAll(/(0\/\d+ clusters are available: )[^"]*?\.(?=[",])/g, '$1…')) as unknown
}

/** A decision and, when it is to schedule, the run with its patch against an API server that may refuse. */
function pass(input: ScheduleInput): Record<string, unknown> {
  const { binding } = input
  const clusters = input.clusters ?? []
  const profile = {
    ...upstreamProfile,
    schedulerName: input.schedulerName,
    propagateEmptyWorkloads: input.enableEmptyWorkloadPropagation === true,
  }
  const decision = decideReschedule(binding, snapshotOf(clusters), profile)
  const before = { passesEventFilter: isSchedulable(binding, input.schedulerName), ...stored(binding) }
  if (decision.act !== 'schedule') return { ...before, scheduled: false, ...withoutRun(binding, decision) }
  const verdict = scheduleBinding({ binding, clusters, profile })
  const refusal = verdict.patch && input.patchError ? refusalOf(input.patchError, binding) : undefined
  const now = parseTime(input.now)
  const conclusion = concludeScheduling({
    binding,
    verdict,
    now,
    profile,
    english: english.of,
    ...(refusal && { refusal }),
  })
  const { path, mode } = decision
  return { ...before, scheduled: true, path, mode, ...afterRun(binding, { verdict, conclusion, refusal }) }
}

function withoutRun({ status = {} }: Binding, decision: RescheduleDecision): Record<string, unknown> {
  const done = { queueAction: 'forget', events: [] }
  switch (decision.act) {
    case 'leave':
      return { ...done, path: 'notNeeded', status: observing(status, decision.observe) }
    case 'skip':
      return { ...done, path: 'skippedDeleting', events: twice([warning(decision.message)]) }
    case 'refuse':
      return { ...done, error: decision.message, queueAction: 'backoff' }
    default:
      return done
  }
}

function observing(status: object, generation: number | undefined): object {
  return generation === undefined ? status : { ...status, schedulerObservedGeneration: generation }
}

interface Run {
  verdict: ScheduleVerdict
  conclusion: Conclusion
  refusal: Refusal | undefined
}

function afterRun(binding: Binding, { verdict, conclusion, refusal }: Run): Record<string, unknown> {
  const { patch } = verdict
  return {
    attempts: verdict.attempts.map(({ affinityName, run: { outcome } }) => ({
      affinityName,
      ...(outcome.ok ? { clusters: outcome.clusters.map(withoutZero) } : { error: outcome.failure.message }),
    })),
    error: conclusion.error,
    queueAction: conclusion.queue,
    status: conclusion.status ?? binding.status,
    events: twice(conclusion.events),
    ...(patch && !refusal && { clusters: patch.clusters.map(withoutZero), appliedPlacement: patch.appliedPlacement }),
  }
}

function stored({ metadata, spec, status = {} }: Binding): Record<string, unknown> {
  return {
    clusters: (spec.clusters ?? []).map(withoutZero),
    appliedPlacement: metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] ?? '',
    status,
  }
}

function refusalOf(kind: NonNullable<ScheduleInput['patchError']>, { kind: bindingKind, metadata }: Binding): Refusal {
  if (kind === 'Internal') return { message: 'Internal error occurred: boom', quotaExceeded: false }
  if (kind === 'QuotaExceeded') {
    const webhook = 'admission webhook "resourcebinding.karmada.io" denied the request'
    return { message: `${webhook}: FederatedResourceQuota(default/q) exceeded for resource cpu`, quotaExceeded: true }
  }
  const plural = bindingKind === 'ClusterResourceBinding' ? 'clusterresourcebindings' : 'resourcebindings'
  const message = `${plural}.work.karmada.io "${metadata.name}" is forbidden: namespace is being terminated`
  return { message, quotaExceeded: false }
}

/** Events are recorded for the binding and for the resource. */
function twice(events: Conclusion['events']): string[] {
  return events.flatMap(({ type, reason, message }) => Array<string>(2).fill(`${type} ${reason} ${message}`))
}

function withoutZero({ name, replicas }: TargetCluster): TargetCluster {
  return replicas ? { name, replicas } : { name }
}

interface Enqueued {
  enqueued: string[]
  clusterVersionsReconciled?: string[]
}

interface BindingEvent {
  schedulerName: string
  oldBinding?: Binding
  newBinding: Binding
}

interface ClusterEvent {
  schedulerName: string
  oldCluster: Cluster
  newCluster: Cluster
  bindings?: Binding[]
}

function judgeBindingEvent({ input, output }: Case<BindingEvent, Enqueued>): string | undefined {
  const { schedulerName, oldBinding, newBinding } = input
  const wakes = wakesOnBinding(oldBinding, newBinding, schedulerName)
  return differs('enqueued', wakes ? [pushOf(newBinding)] : [], output.enqueued)
}

function judgeClusterEvent({ input, output }: Case<ClusterEvent, Enqueued>): string | undefined {
  const { schedulerName, oldCluster, newCluster, bindings = [] } = input
  const versions = clusterVersionsToExamine(oldCluster, newCluster)
  const examined = versions.map((version) => (version === 'before' ? oldCluster : newCluster))
  const wakes = (binding: Binding): boolean =>
    examined.some((cluster) => wakesOnCluster(binding, cluster, schedulerName))
  const woken = bindings.filter(wakes)
  return firstOf(
    differs('versions', versions.map(upstreamWord), output.clusterVersionsReconciled ?? []),
    differs('enqueued', [...new Set(woken.map(pushOf))].toSorted(), output.enqueued),
  )
}

function upstreamWord(version: 'before' | 'after'): string {
  return version === 'before' ? 'old' : 'new'
}

function pushOf(binding: Binding): string {
  return `Push ${bindingKey(binding)} priority=${priorityOf(binding)}`
}

export const suite: Suite = { name: 'reschedule', judge }
