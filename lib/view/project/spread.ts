/** The view of a WorkloadSpread: the reports of members in bindings, by cluster. Members are not contacted. */
import { honorsDeletionCost } from '@/lib/domain/spread'
import type { WorkloadSpread, WorkloadSpreadStatus } from '@/lib/kube/kinds'
import { message, type Message } from '@/lib/messages/message'
import type { CellView, StateView, WorkloadRef, WorkloadView } from '../model'
import type { SpreadInClusterView, SpreadView, SubsetCountView } from '../spread-model'
import { STATES_BY_URGENCY } from '../states'
import { workloadId } from '../workload-id'
import { type AnyBinding, byCluster, hasReplicas, templateOf } from './binding-facts'
import { say } from './say'
import { balance, countSubsets, deletionSteps, revisionsWithPods, type SubsetsSnapshot } from './spread-counts'
import { behaviorOf, cut, projectSubset, selectsSome } from './spread-rules'

/** A binding with its row of the fleet. */
export interface Propagated {
  binding: AnyBinding
  view: WorkloadView
}

export interface SpreadSnapshot {
  spread: WorkloadSpread
  /** Propagation of the spread itself; undefined if no policy propagates it. */
  propagated: Propagated | undefined
  /** Propagation of its target. */
  target: Propagated | undefined
  /** Clusters that do not respond, so their reports are outdated. */
  silent: ReadonlySet<string>
}

/** Returns row and page of a spread. */
export function projectSpread(snapshot: SpreadSnapshot): SpreadView {
  const {
    spread: { metadata, spec },
    target,
  } = snapshot
  const namespace = metadata.namespace ?? ''
  const clusters = clustersOf(snapshot)
    .map((cluster) => projectCluster(cluster, snapshot))
    .sort(byCluster)
  return {
    id: `${namespace}/${metadata.name}`,
    namespace,
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    strategy: spec?.scheduleStrategy?.type === 'Adaptive' ? 'Adaptive' : 'Fixed',
    behavior: behaviorOf(spec),
    target: targetOf(snapshot),
    ...(target && { workload: workloadId(templateOf(target.binding)) }),
    subsets: (spec?.subsets ?? []).map(projectSubset),
    deletion: deletionOf(spec),
    clusters,
    state: overallState(snapshot, clusters),
  }
}

/** Returns the target as the spread refers to it, in the namespace of the spread. */
function targetOf({ spread: { metadata, spec }, target }: SpreadSnapshot): WorkloadRef {
  if (target) return templateOf(target.binding)
  const { apiVersion = '', kind = '', name = '' } = spec?.targetRef ?? {}
  return { apiVersion, kind, ...(metadata.namespace && { namespace: metadata.namespace }), name }
}

function deletionOf(spec: WorkloadSpread['spec']): SpreadView['deletion'] {
  if (!spec) return 'any'
  if (honorsDeletionCost(spec.targetRef)) return 'subset'
  return spec.targetRef.kind === 'StatefulSet' ? 'ordinal' : 'any'
}

const cellsOf = (propagated: Propagated | undefined): readonly CellView[] => propagated?.view.cells ?? []

/** Returns clusters with the spread, and those with its workload but without the spread. */
function clustersOf({ propagated, target }: SpreadSnapshot): string[] {
  return [
    ...new Set(
      [...cellsOf(propagated), ...cellsOf(target).filter(({ role }) => role === 'placed')].map(
        ({ cluster }) => cluster,
      ),
    ),
  ]
}

function projectCluster(cluster: string, snapshot: SpreadSnapshot): SpreadInClusterView {
  const own = cellsOf(snapshot.propagated).find((cell) => cell.cluster === cluster)
  const size = sizeIn(cluster, snapshot)
  const facts = { cluster, revisions: 0, ...(size !== undefined && { size }) }
  if (!own) return { ...facts, state: say('warn', message('spread.cluster.notSpread')) }
  const status = statusIn(cluster, snapshot.propagated)
  const isSilent = snapshot.silent.has(cluster)
  if (!status) return { ...facts, state: noReport(own, isSilent) }
  const { spec } = snapshot.spread
  const reported: SubsetsSnapshot = {
    subsets: spec?.subsets ?? [],
    status,
    size,
    total: totalIn(cluster, snapshot),
    spreadsAll: !selectsSome(spec),
  }
  const subsets = countSubsets(reported)
  const sum = balance(subsets, reported)
  return {
    ...facts,
    subsets,
    ...(sum && { sum }),
    ...(deletionOf(spec) === 'subset' && { deleteOrder: deletionSteps(subsets, sum) }),
    revisions: revisionsWithPods(status),
    state:
      dispatchState(own, isSilent) ?? worst([...subsets.map(named), ...(sum ? [sum.state] : [])], podsMessage(subsets)),
  }
}

/** Returns the size to which percentages apply. Unknown if the spread reads it from other paths of the workload. */
function sizeIn(cluster: string, { spread: { spec }, target }: SpreadSnapshot): number | undefined {
  if (!target || !hasReplicas(target.binding) || (spec?.targetFilter?.replicasPathList ?? []).length > 0)
    return undefined
  const cell = cellsOf(target).find((each) => each.cluster === cluster)
  return cell?.role === 'placed' ? cell.desired : 0
}

function statusIn(cluster: string, propagated: Propagated | undefined): WorkloadSpreadStatus | undefined {
  const status = reportIn(cluster, propagated)
  return status && Object.keys(status).length > 0 ? (status as WorkloadSpreadStatus) : undefined
}

const reportIn = (cluster: string, propagated: Propagated | undefined): Record<string, unknown> | undefined =>
  propagated?.binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)?.status

/** Returns the existing, unfinished pods of the workload. */
function totalIn(cluster: string, { target }: SpreadSnapshot): number | undefined {
  const report = reportIn(cluster, target)
  if (!report) return undefined
  const field = target?.binding.spec.resource.kind === 'Job' ? report.active : report.replicas
  return typeof field === 'number' ? field : 0
}

/** Returns why nothing is known about a cluster. */
function noReport({ applied, state, cluster }: CellView, isSilent: boolean): StateView {
  if (isSilent) return say('unknown', message('spread.cluster.notReady', { cluster }))
  return applied ? say('unknown', message('spread.cluster.notReported', { cluster })) : state
}

/** Returns undefined if the current manifest is in the member and the member responds. */
function dispatchState({ cluster, role, applied, state }: CellView, isSilent: boolean): StateView | undefined {
  if (isSilent) return say('unknown', message('spread.cluster.stale', { cluster }))
  return role !== 'placed' || !applied || state.state === 'held' ? state : undefined
}

const named = ({ name, state }: SubsetCountView): StateView =>
  state.state === 'ok' ? state : say(state.state, message('spread.state.of', { name, state: state.reason }))

const podsMessage = (subsets: readonly SubsetCountView[]): Message =>
  message('spread.state.pods', { subsets: subsets.map(({ name, current }) => `${name} ${current}`).join(' · ') })

/** Returns the most urgent state; `healthy` if all are ok. */
function worst(states: readonly StateView[], healthy: Message): StateView {
  for (const state of STATES_BY_URGENCY.filter((each) => each !== 'ok')) {
    const found = states.find((each) => each.state === state)
    if (found) return found
  }
  return say('ok', healthy)
}

function overallState({ propagated }: SpreadSnapshot, clusters: readonly SpreadInClusterView[]): StateView {
  if (!propagated) return say('warn', message('spread.state.noPolicy'))
  if (clusters.length === 0)
    return say(
      propagated.view.state.state === 'ok' ? 'warn' : propagated.view.state.state,
      message('spread.state.noCluster', { state: propagated.view.state.reason }),
    )
  const clause = (view: SpreadInClusterView): StateView =>
    say(view.state.state, message('spread.state.of', { name: view.cluster, state: view.state.reason }))
  const [only] = clusters
  if (clusters.length === 1 && only) return clause(only)
  return worst(
    clusters.map(clause),
    message('spread.state.balanced', {
      n: clusters.length,
      clusters: cut(
        clusters.map(({ cluster }) => cluster),
        5,
      ),
    }),
  )
}
