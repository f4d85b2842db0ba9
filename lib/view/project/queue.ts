/** Row and page of a queue, for a reader who may view some namespaces. */
import {
  type AdmissionEstimate,
  waitMessage,
  type HoldAssessment,
  countUnadmitted,
  type QueuedBinding,
  type QueuePlan,
  blockedResume,
  UNKNOWN_USER,
  type Undoing,
  type PendingEntry,
} from '@/lib/domain/queue'
import { message, type Message } from '@/lib/messages/message'
import { isoTime } from '@/lib/std/clock'
import type { StateView } from '../model'
import type {
  AmountView,
  HoldViewState,
  HoldView,
  QueueDetailView,
  QueueSettingsView,
  QueueView,
  PendingView,
} from '../queue-model'
import { workloadId } from '../workload-id'
import { visibleReason } from './visible-reason'
import { say } from './say'

/** Maximum number of pending workloads shown. */
const MAX_SHOWN = 500

const NO_ESTIMATES: ReadonlyMap<string, AdmissionEstimate> = new Map()

/** Reports whether the reader may view the workloads of a namespace. */
export type Sees = (namespace: string) => boolean

/** Returns the row of a queue. It names workloads in visible namespaces only; counts include all workloads. */
export function projectQueue(plan: QueuePlan, sees: Sees): QueueView {
  const { queue, pendingWorkloads, share } = plan
  const { key: id, namespace, name, createdAt, strategy, weight, deleting, spec } = queue
  const first = pendingWorkloads[0]
  const oldest = oldestOf(pendingWorkloads)
  const hold = projectHold(plan, sees)
  const unadmitted = countUnadmitted(queue)
  return {
    id,
    namespace,
    name,
    namespaces: [...queue.namespaces],
    state: stateOf(plan, hold),
    strategy,
    weight,
    ...(share && { share }),
    amounts: amountsOf(plan),
    pending: plan.pending,
    inFlight: plan.inFlight.length,
    admitted: plan.admitted,
    ...(first
      && sees(first.binding.namespace) && { head: { ...named(first.binding), message: messageOf(first, sees) } }),
    ...(oldest !== undefined && { oldestWaitSince: oldest }),
    ...(hold && { hold }),
    onDelete: spec.onDelete ?? 'Release',
    deleting,
    slippedThrough: queue.bindings.filter(({ slippedThrough }) => slippedThrough).length,
    createdAt,
    ...(unadmitted > 0 && { unadmitted }),
  }
}

const named = ({ ref }: QueuedBinding): { id: string; ref: QueuedBinding['ref'] } => ({ id: workloadId(ref), ref })

/** RFC 3339 times of one format sort as text. */
function oldestOf(pendingWorkloads: readonly PendingEntry[]): string | undefined {
  let oldest: string | undefined
  for (const {
    binding: { since },
  } of pendingWorkloads)
    if (oldest === undefined || since < oldest) oldest = since
  return oldest
}

/** Returns the page of a queue. `view` is its row for the same reader. */
export function projectQueueDetail(
  plan: QueuePlan,
  view: QueueView,
  sees: Sees,
  estimates: ReadonlyMap<string, AdmissionEstimate> = NO_ESTIMATES,
): QueueDetailView {
  const { queue, pendingWorkloads } = plan
  const shown = pendingWorkloads.filter(({ binding }) => sees(binding.namespace))
  const lastHold = queue.status?.lastHold
  return {
    id: queue.key,
    queue: view,
    priorityClasses: (queue.spec.priorityClasses ?? []).map(({ name, value, default: isDefault = false }) => ({
      name,
      value,
      default: isDefault,
    })),
    pendingWorkloads: shown
      .slice(0, MAX_SHOWN)
      .map((entry) => projectPending(entry, sees, estimates.get(entry.binding.key))),
    more: Math.max(0, shown.length - MAX_SHOWN),
    inFlight: plan.inFlight
      .filter(({ namespace }) => sees(namespace))
      .map((binding) => ({ ...named(binding), ...(binding.releasedAt && { releasedAt: binding.releasedAt }) })),
    ...(lastHold?.endedAt !== undefined && { lastHold: { ...lastHold, reason: lastHold.reason ?? '' } }),
    holdPreview: {
      waiting: queue.bindings.filter(({ state }) => state === 'Waiting').length,
      placed: queue.bindings.filter(({ state }) => state === 'Admitted').length,
    },
    settings: settingsOf(plan),
  }
}

/** `version` of a queue in the API: it changes with the spec, not with counts in the status. */
const versionOf = (generation: number): string => `g${generation}`

function settingsOf({ queue: { spec, generation, strategy, weight } }: QueuePlan): QueueSettingsView {
  const { namespaces = [], priorityClasses = [], quota, maxInFlight, onDelete = 'Release' } = spec
  return {
    version: versionOf(generation),
    namespaces: [...namespaces],
    strategy,
    weight,
    priorityClasses: priorityClasses.map(({ name, value, default: isDefault }) => ({
      name,
      value,
      ...(isDefault !== undefined && { default: isDefault }),
    })),
    ...(quota && { quota: quotaOf(quota) }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    onDelete,
  }
}

type Quota = NonNullable<QueuePlan['queue']['spec']['quota']>

function quotaOf({ hard, federatedResourceQuota, borrowingLimit }: Quota): NonNullable<QueueSettingsView['quota']> {
  return {
    ...(hard && { hard: texts(hard) }),
    ...(federatedResourceQuota && { federatedResourceQuota }),
    ...(borrowingLimit && { borrowingLimit: texts(borrowingLimit) }),
  }
}

const texts = (list: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, String(amount)]))

/** Returns one pending workload. */
export function projectPending(entry: PendingEntry, sees: Sees, estimate?: AdmissionEstimate): PendingView {
  const { binding, position, next, why } = entry
  const { ref, priority, priorityClass, since, demand, releaseRequested } = binding
  return {
    id: workloadId(ref),
    ref,
    position,
    priority,
    ...(priorityClass && { priorityClass }),
    since,
    demand: Object.entries(demand)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, amount]) => ({ resource, amount })),
    reason: why.code,
    message: messageOf(entry, sees),
    next,
    ...(estimate && { estimate: estimateView(estimate) }),
    ...(releaseRequested && { releaseAsked: releaseRequested }),
  }
}

/** Longer ranges are shown with dates. */
const LONG_MS = 12 * 3_600_000

/** The same message wherever an estimate is shown. */
function estimateView(estimate: AdmissionEstimate): NonNullable<PendingView['estimate']> {
  const { kind } = estimate
  if (kind !== 'between') return { kind, message: message(`queues.estimate.${kind}`) }
  const [from, to] = [isoTime(estimate.from), isoTime(estimate.to)]
  const isLong = estimate.to - estimate.from > LONG_MS
  const args = isLong ? { from: { moment: from }, to: { moment: to } } : { from: { time: from }, to: { time: to } }
  return { kind, from, to, message: message('queues.estimate.between', args) }
}

const messageOf = ({ why }: PendingEntry, sees: Sees): Message => waitMessage(visibleReason(why, sees))

/** Returns limited and used resources, sorted by name. */
function amountsOf({ queue: { limits }, used, borrowed }: QueuePlan): AmountView[] {
  const names = new Set([...Object.keys(limits?.hard ?? {}), ...Object.keys(used)])
  return [...names].sort().map((resource) => {
    const quota = limits?.hard[resource]
    return {
      resource,
      used: used[resource] ?? 0,
      ...(quota !== undefined && { quota }),
      borrowed: borrowed[resource] ?? 0,
    }
  })
}

const TRUTHS: Record<Exclude<HoldAssessment['state'], 'None'>, HoldViewState> = {
  Requested: 'requested',
  Effective: 'effective',
  Leaking: 'leaking',
  Undone: 'undone',
  Resuming: 'resuming',
}

/** A hold that the controller has not observed yet is shown as requested, even if nothing needs to be held. */
function projectHold(plan: QueuePlan, sees: Sees): HoldView | undefined {
  const { queue, hold } = plan
  const {
    spec: { hold: asked },
    generation,
    status,
  } = queue
  if (!asked || hold.state === 'None') return undefined
  const { reason, by, since, until, includePlaced = false } = asked
  const isUnseen = (status?.observedGeneration ?? 0) < generation && hold.state === 'Effective'
  const { resume, undone, leaks } = hold
  return {
    state: isUnseen ? 'requested' : TRUTHS[hold.state],
    message: isUnseen ? message('queues.hold.notObserved', { held: hold.affected }) : hold.message!,
    reason,
    ...(by && { by }),
    ...(since && { since }),
    ...(until && { until }),
    includePlaced,
    affected: hold.affected,
    ...(resume && { resume: { step: resume.step, done: resume.done, ...nextOf(plan, sees) } }),
    leaks: leaks
      .filter(({ binding }) => sees(binding.namespace))
      .map(({ binding, at, message: text }) => ({ workload: binding.ref, ...(at && { at }), message: text })),
    ...(undone && { undoneBy: undoneView(undone, sees) }),
  }
}

type Resume = NonNullable<HoldView['resume']>

function nextOf(plan: QueuePlan, sees: Sees): Pick<Resume, 'next'> {
  const entry = blockedResume(plan)
  if (!entry || !sees(entry.binding.namespace)) return {}
  return { next: { ...named(entry.binding), message: messageOf(entry, sees) } }
}

/** Counts include all workloads; names only those that the reader may view. */
function undoneView({ who, times, released }: Undoing, sees: Sees): HoldView['undoneBy'] {
  const seen = released.filter(({ binding }) => sees(binding.namespace))
  const by = (name: string): { who?: string } => (name === UNKNOWN_USER ? {} : { who: name })
  return {
    ...by(who),
    times,
    released: seen.map(({ binding, ...each }) => ({
      ...named(binding),
      ...by(each.who),
      times: each.times,
      free: each.free,
    })),
  }
}

const HOLD_MARKS: Record<HoldViewState, StateView['state']> = {
  requested: 'active',
  effective: 'held',
  leaking: 'warn',
  undone: 'fail',
  resuming: 'active',
}

/** The first matching rule decides. */
function stateOf({ queue, pendingWorkloads, pending, inFlight }: QueuePlan, hold: HoldView | undefined): StateView {
  const { deleting, invalid, missingQuota, status, strategy } = queue
  const waits = pendingWorkloads.filter(({ next }) => !next).length
  if (deleting) return say('active', message('queues.state.deleting', { count: pending }))
  if (invalid) return say('fail', invalid.text)
  const unadmitted = countUnadmitted(queue)
  if (unadmitted > 0) return say('fail', message('queues.state.unadmitted', { count: unadmitted }))
  if (hold?.resume?.next) {
    const { ref, message: reason } = hold.resume.next
    return say(
      'warn',
      message('queues.hold.resumeBlocked', {
        progress: hold.message,
        workload: `${ref.namespace}/${ref.name}`,
        reason,
      }),
    )
  }
  if (hold) return say(HOLD_MARKS[hold.state], hold.message)
  if (missingQuota) return say('fail', message('queues.state.quotaNotFound', { name: missingQuota }))
  if (!status) return say('unknown', message('queues.state.notObserved'))
  const beyond = pendingWorkloads.filter(isBeyondLimits)
  if (beyond.length > 0 && (strategy !== 'StrictFIFO' || beyond[0] === pendingWorkloads[0])) {
    return say('warn', message('queues.state.beyondLimits', { count: beyond.length }))
  }
  if (inFlight.length > 0) {
    return say('active', message('queues.state.inFlight', { inFlight: inFlight.length, pending: waits }))
  }
  return say('ok', message('queues.state.pending', { count: waits }))
}

const isBeyondLimits = ({ why: { code } }: PendingEntry): boolean => code === 'BeyondQuota' || code === 'BeyondCapacity'
