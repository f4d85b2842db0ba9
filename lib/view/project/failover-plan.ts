/** Previews a failover action: one object, one patch, and the result by the real decisions. */
import { askedForBy, BY_HAND } from '@/lib/domain/cause'
import { DRAIN_TAINT, DRAINED_BY_ANNOTATION, evictCluster, writeDrainedBy } from '@/lib/domain/eviction'
import { applicationRuleOf, type FailoverSettings } from '@/lib/domain/failover'
import { scheduleBinding, type SchedulerProfile } from '@/lib/domain/placement'
import { type DrainLoss, isDeletedEarly, lossesOfDrain } from '@/lib/domain/rebalance'
import { whatIf, type WhatIfOutcome } from '@/lib/domain/rebalance/what-if'
import { readyByCluster } from '@/lib/domain/rebalance/readiness'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { message, type Message } from '@/lib/messages/message'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { FailoverOrder } from '../actions'
import type { FailoverPlanView, PlanLossView } from '../failover-model'
import { workloadId } from '../workload-id'
import { type AnyBinding, templateOf, toReplicas } from './binding-facts'
import { readinessOf } from './cluster'

/** Why an action has no effect or is impossible. */
export interface ActionRefusal {
  refused: Message
}

export interface PlanSnapshot {
  clusters: readonly Cluster[]
  bindings: readonly AnyBinding[]
  now: EpochMs
  profile?: SchedulerProfile | undefined
  settings?: FailoverSettings | undefined
  /**
   * Reports whether the reader may view a workload, by ID; absent: all. Decisions always use all workloads, because
   * they compete for capacity.
   */
  sees?: ((workload: string) => boolean) | undefined
  /** The user who requests the action, if known. */
  user?: string | undefined
}

type WorkloadOrder = Extract<FailoverOrder, { workload: string }>
type ClusterOrder = Exclude<FailoverOrder, WorkloadOrder>
type EvictOrder = Extract<FailoverOrder, { action: 'evict' }>

/** Previews evict, keep or release, which act on one workload. */
export function planWorkloadAction(
  order: WorkloadOrder,
  binding: AnyBinding,
  snapshot: PlanSnapshot,
): FailoverPlanView | ActionRefusal {
  return order.action === 'evict' ? planEviction(order, binding, snapshot) : planKeeping(order, binding)
}

function planEviction(
  order: EvictOrder,
  binding: AnyBinding,
  snapshot: PlanSnapshot,
): FailoverPlanView | ActionRefusal {
  const { cluster, purgeMode } = order
  const { spec } = binding
  const evicted = evictCluster(spec, cluster, {
    ...BY_HAND,
    purgeMode,
    message: askedForBy(snapshot.user),
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
    ...graceOf(binding, purgeMode),
  })
  if (!evicted) return { refused: message('failover.plan.notScheduled', { cluster }) }
  const left = { ...binding, spec: { ...spec, ...evicted } }
  const { clusters: after, failure } = scheduleBinding({
    binding: left,
    clusters: snapshot.clusters,
    mode: 'Steady',
    ...(snapshot.profile && { profile: snapshot.profile }),
  })
  const placed = after ?? evicted.clusters
  const paused = spec.suspension?.scheduling === true
  return {
    action: 'evict',
    ...frameOf(binding, { spec: evicted }),
    effects: [
      message('failover.plan.evict', { cluster }),
      message(`failover.plan.purge.${purgeMode}`, { cluster }),
      paused || failure
        ? message('failover.plan.notReplaced')
        : message('failover.plan.placed', {
            places: toReplicas(placed).map((place) => `${place.cluster} ${place.replicas}`),
          }),
    ],
    warnings: [
      ...(paused ? [message('failover.plan.suspended')] : []),
      ...(failure && !paused ? [message('failover.plan.noCluster', { failure: failure.message })] : []),
      ...(purgeMode === 'Directly' ? [message('failover.plan.directly')] : []),
      ...unreachable(snapshot.clusters, cluster),
    ],
    losses: lossOfEviction(order, binding, { snapshot, lack: lackOf(paused, failure), placed }),
    before: toReplicas(spec.clusters),
    after: paused ? toReplicas(evicted.clusters) : toReplicas(placed),
  }
}

/** Returns the policy's grace period; without one, the graceful eviction controller's default applies. */
function graceOf(
  binding: AnyBinding,
  purgeMode: EvictOrder['purgeMode'],
): Pick<GracefulEvictionTask, 'gracePeriodSeconds'> {
  const seconds = applicationRuleOf(binding)?.gracePeriodSeconds
  return purgeMode === 'Gracefully' && seconds !== undefined ? { gracePeriodSeconds: seconds } : {}
}

function unreachable(clusters: readonly Cluster[], name: string): Message[] {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  return cluster && readinessOf(cluster) !== 'True' ? [message('failover.plan.notReady', { cluster: name })] : []
}

function planKeeping(
  { action, cluster }: Exclude<WorkloadOrder, EvictOrder>,
  binding: AnyBinding,
): FailoverPlanView | ActionRefusal {
  const tasks = binding.spec.gracefulEvictionTasks ?? []
  const task = tasks.find(({ fromCluster }) => fromCluster === cluster)
  if (!task) return { refused: message('failover.plan.notEvicting', { cluster }) }
  const keeps = action === 'keep'
  if ((task.suppressDeletion === true) === keeps)
    return { refused: message(keeps ? 'failover.plan.alreadyKept' : 'failover.plan.notKept', { cluster }) }
  const gracefulEvictionTasks = tasks.map((each) => (each === task ? { ...each, suppressDeletion: keeps } : each))
  const isLast = !keeps && !binding.spec.clusters?.length
  return {
    action,
    ...frameOf(binding, { spec: { gracefulEvictionTasks } }),
    effects: [message(keeps ? 'failover.plan.keep' : 'failover.plan.purge.Directly', { cluster })],
    warnings: isLast ? [message('failover.plan.lastReplicas')] : [],
    losses: isLast ? [lossOfLastReplicas(binding, cluster)] : [],
  }
}

/** Previews drain or undrain, which act on one cluster. */
export function planClusterAction(
  { action, cluster: name }: ClusterOrder,
  cluster: Cluster,
  snapshot: PlanSnapshot,
): FailoverPlanView | ActionRefusal {
  const taints = cluster.spec.taints ?? []
  const others = taints.filter(({ key }) => key !== DRAIN_TAINT.key)
  const isDrained = others.length < taints.length
  if (isDrained === (action === 'drain'))
    return {
      refused: message(isDrained ? 'failover.plan.alreadyDrained' : 'failover.plan.notDrained', { cluster: name }),
    }
  if (action === 'undrain') {
    return {
      action,
      ...frameOf(cluster, { spec: { taints: others } }),
      losses: [],
      warnings: others.length > 0 ? [message('failover.plan.otherTaints', { taints: others.length })] : [],
      effects: [message('failover.plan.undrain', { cluster: name }), message('failover.plan.undrainStays')],
    }
  }
  const timeAdded = formatTime(snapshot.now)
  const drained = [...taints, { ...DRAIN_TAINT, timeAdded }]
  const note: Record<string, string> =
    snapshot.user === undefined ? {} : { [DRAINED_BY_ANNOTATION]: writeDrainedBy(snapshot.user, timeAdded) }
  return {
    action,
    ...frameOf(cluster, { spec: { taints: drained }, annotations: note }),
    ...drainOutcome(name, snapshot),
  }
}

function drainOutcome(
  name: string,
  { bindings, clusters, now, profile, settings, sees }: PlanSnapshot,
): Pick<FailoverPlanView, 'effects' | 'warnings' | 'losses'> {
  const predicted = whatIf({ cluster: name, cause: 'drained', bindings, clusters, now, ...(profile && { profile }) })
  const { targets: all, headroom } = predicted
  const losses = lossesOfDrain(predicted, {
    cluster: name,
    bindings,
    clusters,
    upstreamEviction: settings?.upstreamEviction === true,
  })
  const targets = sees ? all.filter(({ workload }) => sees(workloadId(workload))) : all
  const short = headroom.filter(({ short: isShort }) => isShort).map(({ cluster }) => cluster)
  const some = (outcome: WhatIfOutcome): Message[] => {
    const workloads = targets.filter((target) => target.outcome === outcome).length
    return workloads > 0 ? [message(DRAIN_OUTCOMES[outcome], { workloads })] : []
  }
  return {
    losses: (sees ? losses.filter(({ workload }) => sees(workloadId(workload))) : losses).map(lossView),
    effects: [
      message('failover.plan.drain', { cluster: name }),
      ...(targets.length === 0 ? [message(sees ? 'failover.plan.drainEmptyInView' : 'failover.plan.drainEmpty')] : []),
      ...(settings?.noExecuteEviction === false ? [] : [...some('moves'), ...some('stays')]),
    ],
    warnings: [
      ...(sees ? [message('failover.plan.partial')] : []),
      ...(settings?.noExecuteEviction === false ? [message('failover.plan.drainNoEviction')] : []),
      ...(settings && settings.noExecuteEviction === undefined ? [message('failover.plan.drainMaybe')] : []),
      ...some('shrinks'),
      ...some('stuck'),
      ...some('lost'),
      ...short.map((cluster) => message('failover.plan.drainNoRoom', { cluster })),
    ],
  }
}

const DRAIN_OUTCOMES = {
  moves: 'failover.plan.drainMoves',
  stays: 'failover.plan.drainStays',
  shrinks: 'failover.plan.drainShrinks',
  stuck: 'failover.plan.drainStuck',
  lost: 'failover.plan.drainSuspended',
} as const satisfies Record<WhatIfOutcome, string>

interface Written {
  kind: string
  metadata: {
    name: string
    namespace?: string
    uid?: string
    generation?: number
    annotations?: Record<string, string>
  }
}

/**
 * The patch tests the generation: a concurrent change of the spec is not overwritten, while status reports, which are
 * frequent during a failover, do not invalidate the preview.
 */
function frameOf(
  object: Written,
  {
    spec,
    annotations = {},
  }: { spec: Partial<BindingSpec> | Partial<Cluster['spec']>; annotations?: Record<string, string> },
): Pick<FailoverPlanView, 'base' | 'object' | 'patch' | 'kubectl'> {
  const {
    kind,
    metadata: { name, namespace, uid = '', generation = 1, annotations: present },
  } = object
  const at = namespace === undefined ? '' : ` -n ${namespace}`
  const patch = [
    { op: 'test' as const, path: '/metadata/generation', value: generation },
    ...Object.entries(spec).map(([field, value]) => ({ op: 'add' as const, path: `/spec/${field}`, value })),
    ...annotationPatch(present, annotations),
  ]
  return {
    base: `${uid}/${generation}`,
    object: { kind, ...(namespace !== undefined && { namespace }), name },
    patch,
    kubectl: `kubectl patch ${kind.toLowerCase()} ${name}${at} --type=json -p '${JSON.stringify(patch)}'`,
  }
}

function annotationPatch(
  present: Record<string, string> | undefined,
  added: Record<string, string>,
): FailoverPlanView['patch'] {
  const entries = Object.entries(added)
  if (entries.length === 0) return []
  if (present === undefined) return [{ op: 'add', path: '/metadata/annotations', value: added }]
  return entries.map(([name, value]) => ({
    op: 'add',
    path: `/metadata/annotations/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    value,
  }))
}

function lossOfLastReplicas(binding: AnyBinding, cluster: string): PlanLossView {
  const ready = readyByCluster(binding, []).get(cluster) ?? 0
  return lossView({
    workload: templateOf(binding),
    ready,
    stops: ready > 0,
    unplaced: true,
    reason: message('failover.loss.onlyReplicas'),
  })
}

function lossView({ workload, ready, stops, unplaced, reason }: DrainLoss): PlanLossView {
  return { id: workloadId(workload), ref: workload, ready, stops, unplaced, reason }
}

interface EvictionOutcome {
  snapshot: PlanSnapshot
  /** Why no cluster takes it. */
  lack: Message | undefined
  placed: readonly { name: string }[]
}

function lackOf(suspended: boolean, failure: { message: Message | string } | undefined): Message | undefined {
  if (suspended) return message('failover.loss.suspended')
  return failure && message('failover.loss.noCluster', { failure: failure.message })
}

/** Returns the loss of the workload by one eviction, by the rules of `lossesOfDrain`. */
function lossOfEviction(
  { cluster, purgeMode }: EvictOrder,
  binding: AnyBinding,
  { snapshot, lack, placed }: EvictionOutcome,
): PlanLossView[] {
  const ready = readyByCluster(binding, snapshot.clusters)
  const there = ready.get(cluster) ?? 0
  const elsewhere = [...ready].reduce((sum, [name, count]) => (name === cluster ? sum : sum + count), 0)
  const unplaced = lack !== undefined && placed.length === 0
  const upstreamEviction = snapshot.settings?.upstreamEviction === true
  const stops = there > 0 && elsewhere === 0 && isDeletedEarly({ purgeMode, unplaced, upstreamEviction })
  const reason = unplaced ? lack : message('failover.loss.tooEarly')
  return stops || unplaced
    ? [lossView({ workload: templateOf(binding), ready: there + elsewhere, stops, unplaced, reason })]
    : []
}
