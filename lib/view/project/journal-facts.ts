/** Derives journal facts from current objects, and their changes from the previous facts. */
import type { PlacementCause } from '@/lib/domain/cause'
import { type EvictionRules, evictionRules, evictionSnapshotOf, isReplacementHealthy } from '@/lib/domain/eviction'
import type { IgnoredTrigger } from '@/lib/domain/rebalance'
import type { GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { deepEqual } from '@/lib/std/equal'
import type {
  CausedBy,
  ConditionFact,
  JournalFact,
  LoadFact,
  ReadyFact,
  ReplicasFact,
  ScheduledFact,
  TaskFact,
} from '../journal'
import type { CapacityView, ReplicasInCluster, TaintView } from '../model'
import { type AnyBinding, conditionView, placedReplicas, toConditionView } from './binding-facts'
import { capacities, readinessOf } from './cluster'
import { recordedReplicas } from './recorded-replicas'

type Value =
  | ReadyFact
  | LoadFact
  | ConditionFact
  | TaintView
  | TaskFact
  | ScheduledFact
  | IgnoredTrigger
  | ReplicasFact
  | ReplicasInCluster[]
  | string
  | boolean

/** Facts about one workload or one cluster, by name: `placement`, `health eu-1`. */
export type Facts = ReadonlyMap<string, Value>

/** The subject of the facts. */
export type FactSubject = { workload: string } | { cluster: string }

/** Returns why an eviction task was created. */
export type CausesOfTask = (task: GracefulEvictionTask) => PlacementCause[]

/** Returns a placement change as the journal records it; the first cause is its trigger. */
export function causedBy(causes: PlacementCause[]): CausedBy {
  return { trigger: causes[0]?.code ?? 'unknown cause', causes }
}

/** Context for reading the facts of a workload. */
export interface BindingReading {
  causesOf: CausesOfTask
  /** Previous facts. They keep the cause of a task, because the taints that explain it may be removed later. */
  known?: Facts
  /** Rules of the graceful eviction controller. Default: those of this product. */
  rules?: EvictionRules
  /** The trigger, if the scheduler ignored it. */
  ignored?: IgnoredTrigger | undefined
  /** Reports whether workloads leave a cluster or are about to. Default: none. */
  isTroubled?: (cluster: string) => boolean | undefined
}

/** Returns the facts of a workload, causes before effects; the journal keeps this order within one change. */
export function factsOfBinding(binding: AnyBinding, reading: BindingReading): Facts {
  const { causesOf, known, rules, ignored, isTroubled } = reading
  const facts = new Map<string, Value>()
  const reported = binding.status?.aggregatedStatus ?? []
  const scheduled = scheduledFact(binding)
  for (const { clusterName, health } of reported) if (health) facts.set(`health ${clusterName}`, health)
  for (const task of binding.spec.gracefulEvictionTasks ?? [])
    facts.set(
      `task ${task.fromCluster}`,
      taskFact(task, { causes: causesKnown(task, known) ?? causesOf(task), replaced: isReplaced(binding, rules) }),
    )
  facts.set('placement', placedReplicas(binding))
  if (scheduled) facts.set('scheduled', scheduled)
  if (ignored) facts.set('ignored', ignored)
  for (const { clusterName, applied = false } of reported) facts.set(`applied ${clusterName}`, applied)
  for (const [cluster, fact] of recordedReplicas(binding, { known, isTroubled })) facts.set(`replicas ${cluster}`, fact)
  return facts
}

/**
 * Maximum number of conditions recorded per cluster besides Ready, first by name, because reporters may add any number.
 */
const MAX_CONDITIONS = 16

/** Returns the facts of a cluster. */
export function factsOfCluster(cluster: Cluster): Facts {
  const ready = conditionView(cluster.status?.conditions, 'Ready')
  const fact: ReadyFact = { status: readinessOf(cluster), reason: ready?.reason ?? '', message: ready?.message ?? '' }
  const taints = (cluster.spec.taints ?? []).map((taint): [string, Value] => [
    `taint ${taint.key}:${taint.effect}`,
    taint,
  ])
  const load = loadOf(cluster)
  return new Map<string, Value>([
    ['ready', fact],
    ...conditionsOf(cluster),
    ...taints,
    ...(load ? [['load', load] as const] : []),
  ])
}

function conditionsOf({ status }: Cluster): [string, ConditionFact][] {
  return (status?.conditions ?? [])
    .map(toConditionView)
    .filter(({ type }) => type !== 'Ready')
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .slice(0, MAX_CONDITIONS)
    .map(({ type, status }) => [`condition ${type}`, { type, status }])
}

/** Returns undefined until the cluster reports its resources. */
function loadOf(cluster: Cluster): LoadFact | undefined {
  const { cpu, memory, pods } = capacities(cluster)
  const amount = (capacity: CapacityView | undefined) =>
    capacity && { allocatable: capacity.allocatable, allocated: capacity.allocated }
  return cpu || memory || pods ? { cpu: amount(cpu), memory: amount(memory), pods: amount(pods) } : undefined
}

function scheduledFact(binding: AnyBinding): ScheduledFact | undefined {
  const condition = conditionView(binding.status?.conditions, 'Scheduled')
  if (!condition) return undefined
  const { status, reason, message } = condition
  const time = binding.status?.lastScheduledTime
  return { status, reason, message, ...(time && { time }) }
}

function causesKnown({ fromCluster, producer }: GracefulEvictionTask, known: Facts | undefined) {
  const fact = known?.get(`task ${fromCluster}`) as TaskFact | undefined
  return fact?.producer === producer ? fact.causes : undefined
}

function taskFact(
  task: GracefulEvictionTask,
  { causes, replaced }: { causes: PlacementCause[]; replaced: boolean },
): TaskFact {
  const { reason, producer, purgeMode, replicas, creationTimestamp, gracePeriodSeconds, suppressDeletion } = task
  return {
    reason,
    producer,
    replaced,
    ...(causes.length > 0 && { causes }),
    ...(purgeMode && { purgeMode }),
    ...(replicas !== undefined && { replicas }),
    ...(creationTimestamp && { createdAt: creationTimestamp }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(suppressDeletion !== undefined && { suppressDeletion }),
  }
}

/** Same decision as the graceful eviction controller; it does not depend on the time. */
const isReplaced = (binding: AnyBinding, rules = evictionRules()): boolean =>
  isReplacementHealthy(evictionSnapshotOf(binding, 0, rules))

export interface FactChanges {
  subject: FactSubject
  before: Facts
  after: Facts
  /** For a change of the placement. */
  caused: CausedBy
  /** False for the first observation: new facts may be older than this process, so only unusual ones are recorded. */
  watched: boolean
}

/**
 * Returns the changes of an existing workload. The end of a task records whether the replacement was healthy by then,
 * because that version of the binding may never have been observed.
 */
export function diffBinding(binding: AnyBinding, changes: FactChanges, rules?: EvictionRules): JournalFact[] {
  return diffFacts(changes).map((fact) =>
    fact.what === 'task' && fact.before && !fact.after
      ? { ...fact, before: { ...fact.before, replaced: fact.before.replaced || isReplaced(binding, rules) } }
      : fact,
  )
}

/** Returns the changes of an existing subject: current facts first, then removed ones. */
export function diffFacts({ subject, before, after, caused, watched }: FactChanges): JournalFact[] {
  const changes: JournalFact[] = []
  for (const name of new Set([...after.keys(), ...before.keys()])) {
    const [was, is] = [before.get(name), after.get(name)]
    if (was === undefined && !watched && !isSignificant(name, is)) continue
    if (!deepEqual(was, is)) changes.push(toFact(subject, name, { before: was, after: is, caused }))
  }
  return changes
}

/** Returns the changes of a deleted subject: only facts that end with it. */
export function diffDeleted(subject: FactSubject, facts: Facts): JournalFact[] {
  const ends = [...facts].filter(([name]) => name === 'placement' || name === 'ready' || name.startsWith('task '))
  return ends.map(([name, before]) => toFact(subject, name, { before, caused: causedBy([{ code: 'deletion' }]) }))
}

function isSignificant(name: string, value: Value | undefined): boolean {
  const [what] = name.split(' ', 1)
  if (what === 'task' || what === 'replicas' || what === 'load') return true
  if (what === 'taint') return (value as TaintView | undefined)?.effect === 'NoExecute'
  if (what === 'health') return value === 'Unhealthy'
  return what === 'ready' && ['False', 'Unknown'].includes((value as ReadyFact | undefined)?.status ?? '')
}

interface FactChange {
  before?: Value | undefined
  after?: Value | undefined
  caused: CausedBy
}

function toFact(subject: FactSubject, name: string, { before, after, caused }: FactChange): JournalFact {
  const [what = '', about] = splitName(name)
  const changed = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
  const placement = what === 'placement' && { before: before ?? [], after: after ?? [], ...caused }
  const cluster = 'workload' in subject && about !== undefined && { cluster: about }
  return { what, ...subject, ...cluster, ...changed, ...placement } as JournalFact
}

function splitName(name: string): [what: string, about?: string] {
  const at = name.indexOf(' ')
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}

/** The subject of an entry and the name of the fact that it changed; undefined for what is no state of it. */
export function factNameOf(entry: JournalFact): { subject: string; name: string } | undefined {
  switch (entry.what) {
    case 'gap':
    case 'resilience':
    case 'prediction':
    case 'accuracy':
      return undefined
    case 'ready':
    case 'load':
      return { subject: clusterSubject(entry.cluster), name: entry.what }
    case 'condition':
      return { subject: clusterSubject(entry.cluster), name: `condition ${(entry.after ?? entry.before)?.type ?? ''}` }
    case 'taint': {
      const taint = entry.after ?? entry.before
      return { subject: clusterSubject(entry.cluster), name: `taint ${taint?.key ?? ''}:${taint?.effect ?? ''}` }
    }
    case 'placement':
    case 'scheduled':
    case 'ignored':
      return { subject: workloadSubject(entry.workload), name: entry.what }
    default:
      return { subject: workloadSubject(entry.workload), name: `${entry.what} ${entry.cluster}` }
  }
}

export const clusterSubject = (name: string): string => `cluster ${name}`
export const workloadSubject = (id: string): string => `workload ${id}`

/** Parses a subject. */
export function subjectOf(subject: string): FactSubject {
  const name = subject.slice(subject.indexOf(' ') + 1)
  return subject.startsWith('cluster ') ? { cluster: name } : { workload: name }
}
