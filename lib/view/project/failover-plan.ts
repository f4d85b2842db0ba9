/** What an action of failover would do: one object, one patch, and what comes of it by the real decisions. */
import { askedForBy, BY_HAND } from '@/lib/domain/cause'
import { DRAIN_TAINT, DRAINED_BY_ANNOTATION, evictCluster, writeDrainedBy } from '@/lib/domain/eviction'
import { applicationRuleOf, type FailoverSettings } from '@/lib/domain/failover'
import { scheduleBinding, type SchedulerProfile } from '@/lib/domain/placement'
import { type DrainLoss, isDeletedEarly, lossesOfDrain } from '@/lib/domain/rebalance'
import { whatIf, type WhatIfOutcome } from '@/lib/domain/rebalance/what-if'
import { readyByCluster } from '@/lib/domain/rebalance/readiness'
import { formatNumberOf } from '@/lib/format/numbers'
import { formatReplicas } from '@/lib/format/words'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { FailoverOrder } from '../actions'
import type { FailoverPlanView, PlanLossView } from '../failover-model'
import { workloadId } from '../workload-id'
import { type AnyBinding, templateOf, toReplicas } from './binding-facts'
import { readinessOf } from './cluster'


/** Why an action would do nothing, or cannot be done. */
export interface ActionRefusal {
  refused: string
}

export interface PlanWorld {
  clusters: readonly Cluster[]
  bindings: readonly AnyBinding[]
  now: EpochMs
  profile?: SchedulerProfile | undefined
  settings?: FailoverSettings | undefined
  /** Which workloads the reader may know of, by id; all where it is absent. Decisions are made with all, for they take room from each other. */
  sees?: ((workload: string) => boolean) | undefined
  /** Who actions, where that is known. */
  user?: string | undefined
}

type WorkloadOrder = Extract<FailoverOrder, { workload: string }>
type ClusterOrder = Exclude<FailoverOrder, WorkloadOrder>
type EvictOrder = Extract<FailoverOrder, { action: 'evict' }>

/** Evict, keep or release: actions on one workload. */
export function planWorkloadAction(
  order: WorkloadOrder,
  binding: AnyBinding,
  world: PlanWorld,
): FailoverPlanView | ActionRefusal {
  return order.action === 'evict' ? planEviction(order, binding, world) : planKeeping(order, binding)
}

function planEviction(
  order: EvictOrder,
  binding: AnyBinding,
  world: PlanWorld,
): FailoverPlanView | ActionRefusal {
  const { cluster, purgeMode } = order
  const { spec } = binding
  const evicted = evictCluster(spec, cluster, {
    ...BY_HAND,
    purgeMode,
    message: askedForBy(world.user),
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
    ...graceOf(binding, purgeMode),
  })
  if (!evicted) return { refused: `It is not scheduled to ${cluster}; there is nothing to evict.` }
  const left = { ...binding, spec: { ...spec, ...evicted } }
  const { clusters: after, failure } = scheduleBinding({
    binding: left,
    clusters: world.clusters,
    mode: 'Steady',
    ...(world.profile && { profile: world.profile }),
  })
  const placed = after ?? evicted.clusters
  const paused = spec.suspension?.scheduling === true
  return {
    action: 'evict',
    ...frameOf(binding, { spec: evicted }),
    effects: [
      `The scheduler no longer counts on ${cluster}.`,
      purgeEffect(cluster, purgeMode),
      paused || failure
        ? 'Nothing replaces it for now.'
        : `The scheduler would place it: ${formatReplicas(toReplicas(placed))}.`,
    ],
    warnings: [
      ...(paused ? ['Its scheduling is paused: nobody places it anew before it is resumed.'] : []),
      ...(failure && !paused ? [`No place would be found: ${failure.message}`] : []),
      ...(purgeMode === 'Directly'
        ? ['The copy goes before the replacement is there: its replicas do not serve meanwhile.']
        : []),
      ...unreachable(world.clusters, cluster),
    ],
    losses: lossOfEviction(order, binding, { world, failure: paused ? 'Its scheduling is suspended.' : failure?.message, placed }),
    before: toReplicas(spec.clusters),
    after: paused ? toReplicas(evicted.clusters) : toReplicas(placed),
  }
}

/** As the policy has it; without a word of it the eviction loop's own default holds. */
function graceOf(
  binding: AnyBinding,
  purgeMode: EvictOrder['purgeMode'],
): Pick<GracefulEvictionTask, 'gracePeriodSeconds'> {
  const seconds = applicationRuleOf(binding)?.gracePeriodSeconds
  return purgeMode === 'Gracefully' && seconds !== undefined ? { gracePeriodSeconds: seconds } : {}
}

function purgeEffect(cluster: string, purgeMode: EvictOrder['purgeMode']): string {
  switch (purgeMode) {
    case 'Directly': return `The copy in ${cluster} is deleted at once.`
    case 'Gracefully': return `The copy in ${cluster} stays until the replacement is healthy, or its grace period ends.`
    case 'Never': return `The copy in ${cluster} stays until somebody releases it.`
  }
}

function unreachable(clusters: readonly Cluster[], name: string): string[] {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  return cluster && readinessOf(cluster) !== 'True'
    ? [`${name} does not answer: its copy is deleted only when it is back.`]
    : []
}

function planKeeping(
  { action, cluster }: Exclude<WorkloadOrder, EvictOrder>,
  binding: AnyBinding,
): FailoverPlanView | ActionRefusal {
  const tasks = binding.spec.gracefulEvictionTasks ?? []
  const task = tasks.find(({ fromCluster }) => fromCluster === cluster)
  if (!task) return { refused: `It is not being evicted from ${cluster} any more.` }
  const keeps = action === 'keep'
  if ((task.suppressDeletion === true) === keeps)
    return { refused: keeps ? `Its copy in ${cluster} is kept already.` : `Its copy in ${cluster} is not kept.` }
  const gracefulEvictionTasks = tasks.map((each) => (each === task ? { ...each, suppressDeletion: keeps } : each))
  const isLast = !keeps && !binding.spec.clusters?.length
  return {
    action,
    ...frameOf(binding, { spec: { gracefulEvictionTasks } }),
    effects: keeps
      ? [`The copy in ${cluster} stays, whatever becomes of the replacement, until somebody releases it.`]
      : [`The copy in ${cluster} is deleted at once.`],
    warnings: isLast ? ['It is scheduled nowhere else: this deletes its only copy.'] : [],
    losses: isLast ? [lossOfLastCopy(binding, cluster)] : [],
  }
}

/** Drain or put back into service: actions on one cluster. */
export function planClusterAction(
  { action, cluster: name }: ClusterOrder,
  cluster: Cluster,
  world: PlanWorld,
): FailoverPlanView | ActionRefusal {
  const taints = cluster.spec.taints ?? []
  const others = taints.filter(({ key }) => key !== DRAIN_TAINT.key)
  const isDrained = others.length < taints.length
  if (isDrained === (action === 'drain'))
    return { refused: isDrained ? `${name} is drained already.` : `${name} is not drained.` }
  if (action === 'undrain') {
    return {
      action,
      ...frameOf(cluster, { spec: { taints: others } }),
      losses: [],
      warnings: others.length > 0 ? [`It keeps ${formatNumberOf(others.length, 'other taint')}.`] : [],
      effects: [`${name} takes workloads again.`, 'What has left it stays where it is; a rebalance brings it back.'],
    }
  }
  const timeAdded = formatTime(world.now)
  const drained = [...taints, { ...DRAIN_TAINT, timeAdded }]
  const note: Record<string, string> = world.user === undefined ? {} : { [DRAINED_BY_ANNOTATION]: writeDrainedBy(world.user, timeAdded) }
  return {
    action,
    ...frameOf(cluster, { spec: { taints: drained }, annotations: note }),
    ...drainOutcome(name, world),
  }
}

function drainOutcome(
  name: string,
  { bindings, clusters, now, profile, settings, sees }: PlanWorld,
): Pick<FailoverPlanView, 'effects' | 'warnings' | 'losses'> {
  const foreseen = whatIf({
    cluster: name,
    cause: 'drained',
    bindings,
    clusters,
    now,
    ...(profile && { profile }),
  })
  const { targets: all, headroom } = foreseen
  const losses = lossesOfDrain(foreseen, {
    cluster: name, bindings, clusters, upstreamEviction: settings?.upstreamEviction === true,
  })
  const targets = sees ? all.filter(({ workload }) => sees(workloadId(workload))) : all
  const ending = (outcome: WhatIfOutcome): number => targets.filter((target) => target.outcome === outcome).length
  const short = headroom.filter(({ short: isShort }) => isShort).map(({ cluster }) => cluster)
  const some = (count: number, text: string): string[] =>
    count > 0 ? [`${formatNumberOf(count, 'workload')} ${text}`] : []
  return {
    losses: (sees ? losses.filter(({ workload }) => sees(workloadId(workload))) : losses).map(lossView),
    effects: [
      `${name} takes nothing new.`,
      ...(targets.length === 0 ? [`No workload${sees ? ' that you may see' : ''} is there to leave it.`] : []),
      ...some(ending('moves'), 'would move to other clusters.'),
      ...some(ending('stays'), 'tolerate it and stay.'),
    ],
    warnings: [
      ...(sees ? ['Only workloads that you may see are counted here; others may have to leave, too.'] : []),
      ...(settings?.noExecuteEviction === false
        ? ['Nothing here evicts for taints: workloads stay until the control plane is told to.']
        : []),
      ...some(ending('shrinks'), 'would go on with fewer replicas.'),
      ...some(ending('stuck'), 'would run nowhere.'),
      ...some(ending('lost'), 'are paused: what they have there is not replaced.'),
      ...short.map((cluster) => `${cluster} has no room for all that would come.`),
    ],
  }
}

interface Written {
  kind: string
  metadata: {
    name: string; namespace?: string; uid?: string; generation?: number; annotations?: Record<string, string>
  }
}

/**
 * The generation goes with the patch as a test: whoever changed the spec meanwhile is not overwritten, while reports of
 * its status, which never rest during a failover, do no harm.
 */
function frameOf(
  object: Written,
  { spec, annotations = {} }: {
    spec: Partial<BindingSpec> | Partial<Cluster['spec']>; annotations?: Record<string, string>
  },
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
  present: Record<string, string> | undefined, added: Record<string, string>,
): FailoverPlanView['patch'] {
  const entries = Object.entries(added)
  if (entries.length === 0) return []
  if (present === undefined) return [{ op: 'add', path: '/metadata/annotations', value: added }]
  return entries.map(([name, value]) =>
    ({ op: 'add', path: `/metadata/annotations/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value }))
}

function lossOfLastCopy(binding: AnyBinding, cluster: string): PlanLossView {
  const ready = readyByCluster(binding, []).get(cluster) ?? 0
  const text = 'Its only replicas are deleted.'
  return lossView({ workload: templateOf(binding), ready, stops: ready > 0, unplaced: true, text })
}

function lossView({ workload, ready, stops, unplaced, text }: DrainLoss): PlanLossView {
  return { id: workloadId(workload), ref: workload, ready, stops, unplaced, reason: text }
}

interface EvictionOutcome {
  world: PlanWorld
  /** Why no cluster takes it. */
  failure: string | undefined
  placed: readonly { name: string }[]
}

/** What one eviction costs the workload, by the rules of `lossesOfDrain`. */
function lossOfEviction(
  { cluster, purgeMode }: EvictOrder, binding: AnyBinding, { world, failure, placed }: EvictionOutcome,
): PlanLossView[] {
  const ready = readyByCluster(binding, world.clusters)
  const there = ready.get(cluster) ?? 0
  const elsewhere = [...ready].reduce((sum, [name, count]) => (name === cluster ? sum : sum + count), 0)
  const unplaced = failure !== undefined && placed.length === 0
  const upstreamEviction = world.settings?.upstreamEviction === true
  const stops = there > 0 && elsewhere === 0 && isDeletedEarly({ purgeMode, unplaced, upstreamEviction })
  const text = unplaced ? `No cluster takes it: ${failure}` : 'The old replicas go before the new ones are ready.'
  return stops || unplaced
    ? [lossView({ workload: templateOf(binding), ready: there + elsewhere, stops, unplaced, text })]
    : []
}
