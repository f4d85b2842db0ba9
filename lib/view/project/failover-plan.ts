/** What an act of failover would do: one object, one patch, and what comes of it by the real decisions. */
import { evictCluster } from '@/lib/domain/eviction'
import { applicationRuleOf, type FailoverSettings } from '@/lib/domain/failover'
import { scheduleBinding, type SchedulerProfile } from '@/lib/domain/placement'
import { whatIf, type WhatIfOutcome } from '@/lib/domain/rebalance/what-if'
import { formatNumberOf } from '@/lib/format/numbers'
import { formatReplicas } from '@/lib/format/words'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { FailoverOrder } from '../actions'
import type { FailoverPlanView } from '../failover-model'
import { workloadId } from '../workload-id'
import { type AnyBinding, toReplicas } from './binding-facts'
import { readinessOf } from './cluster'
import { DRAIN_TAINT } from './drain'

/** Why an act would do nothing, or cannot be done. */
export interface ActRefusal {
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
  /** Who acts, where that is known. */
  user?: string | undefined
}

/** Who asks for evictions by hand, in their tasks. */
export const BY_HAND = { producer: 'evenkeel', reason: 'AskedFor' } as const

type WorkloadOrder = Extract<FailoverOrder, { workload: string }>
type ClusterOrder = Exclude<FailoverOrder, WorkloadOrder>
type EvictOrder = Extract<FailoverOrder, { act: 'evict' }>

/** Evict, keep or release: acts on one workload. */
export function planWorkloadAct(
  order: WorkloadOrder,
  binding: AnyBinding,
  world: PlanWorld,
): FailoverPlanView | ActRefusal {
  return order.act === 'evict' ? planEviction(order, binding, world) : planKeeping(order, binding)
}

function planEviction(
  { cluster, purgeMode }: EvictOrder,
  binding: AnyBinding,
  world: PlanWorld,
): FailoverPlanView | ActRefusal {
  const { spec } = binding
  const evicted = evictCluster(spec, cluster, {
    ...BY_HAND,
    purgeMode,
    message: `asked for${world.user === undefined ? '' : ` by ${world.user}`}`,
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
    act: 'evict',
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
  { act, cluster }: Exclude<WorkloadOrder, EvictOrder>,
  binding: AnyBinding,
): FailoverPlanView | ActRefusal {
  const tasks = binding.spec.gracefulEvictionTasks ?? []
  const task = tasks.find(({ fromCluster }) => fromCluster === cluster)
  if (!task) return { refused: `It is not being evicted from ${cluster} any more.` }
  const keeps = act === 'keep'
  if ((task.suppressDeletion === true) === keeps)
    return { refused: keeps ? `Its copy in ${cluster} is kept already.` : `Its copy in ${cluster} is not kept.` }
  const gracefulEvictionTasks = tasks.map((each) => (each === task ? { ...each, suppressDeletion: keeps } : each))
  const isLast = !keeps && !binding.spec.clusters?.length
  return {
    act,
    ...frameOf(binding, { spec: { gracefulEvictionTasks } }),
    effects: keeps
      ? [`The copy in ${cluster} stays, whatever becomes of the replacement, until somebody releases it.`]
      : [`The copy in ${cluster} is deleted at once.`],
    warnings: isLast ? ['It is scheduled nowhere else: this deletes its only copy.'] : [],
  }
}

/** Drain or put back into service: acts on one cluster. */
export function planClusterAct(
  { act, cluster: name }: ClusterOrder,
  cluster: Cluster,
  world: PlanWorld,
): FailoverPlanView | ActRefusal {
  const taints = cluster.spec.taints ?? []
  const others = taints.filter(({ key }) => key !== DRAIN_TAINT.key)
  const isDrained = others.length < taints.length
  if (isDrained === (act === 'drain'))
    return { refused: isDrained ? `${name} is drained already.` : `${name} is not drained.` }
  if (act === 'undrain') {
    return {
      act,
      ...frameOf(cluster, { spec: { taints: others } }),
      warnings: others.length > 0 ? [`It keeps ${formatNumberOf(others.length, 'other taint')}.`] : [],
      effects: [`${name} takes workloads again.`, 'What has left it stays where it is; a rebalance brings it back.'],
    }
  }
  const drained = [...taints, { ...DRAIN_TAINT, timeAdded: formatTime(world.now) }]
  return { act, ...frameOf(cluster, { spec: { taints: drained } }), ...drainOutcome(name, world) }
}

function drainOutcome(
  name: string,
  { bindings, clusters, now, profile, settings, sees }: PlanWorld,
): Pick<FailoverPlanView, 'effects' | 'warnings'> {
  const { targets: all, headroom } = whatIf({
    cluster: name,
    cause: 'drained',
    bindings,
    clusters,
    now,
    ...(profile && { profile }),
  })
  const targets = sees ? all.filter(({ workload }) => sees(workloadId(workload))) : all
  const ending = (outcome: WhatIfOutcome): number => targets.filter((target) => target.outcome === outcome).length
  const short = headroom.filter(({ short: isShort }) => isShort).map(({ cluster }) => cluster)
  const some = (count: number, text: string): string[] =>
    count > 0 ? [`${formatNumberOf(count, 'workload')} ${text}`] : []
  return {
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
  metadata: { name: string; namespace?: string; uid?: string; generation?: number }
}

/**
 * The generation goes with the patch as a test: whoever changed the spec meanwhile is not overwritten, while reports of
 * its status, which never rest during a failover, do no harm.
 */
function frameOf(
  object: Written,
  { spec }: { spec: Partial<BindingSpec> | Partial<Cluster['spec']> },
): Pick<FailoverPlanView, 'base' | 'object' | 'patch' | 'kubectl'> {
  const {
    kind,
    metadata: { name, namespace, uid = '', generation = 1 },
  } = object
  const at = namespace === undefined ? '' : ` -n ${namespace}`
  const patch = [
    { op: 'test' as const, path: '/metadata/generation', value: generation },
    ...Object.entries(spec).map(([field, value]) => ({ op: 'add' as const, path: `/spec/${field}`, value })),
  ]
  return {
    base: `${uid}/${generation}`,
    object: { kind, ...(namespace !== undefined && { namespace }), name },
    patch,
    kubectl: `kubectl patch ${kind.toLowerCase()} ${name}${at} --type=json -p '${JSON.stringify(patch)}'`,
  }
}
