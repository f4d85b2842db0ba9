/** Selects the workloads of a plan. */
import type { RebalanceSelection } from '@/lib/kube/kinds/rebalance-plan'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION, POLICY_NAME_ANNOTATION } from '@/lib/kube/names'
import { matchesLabelSelector } from '@/lib/kube/selector'
import type { Binding } from '../placement'
import { departedClusters } from './departures'
import { type WorkloadRef, workloadKey } from './sync-status'

export interface SelectionSnapshot {
  /** Bindings of both kinds. */
  bindings: readonly Binding[]
  /** Labels of the templates by `workloadKey`; needed for a label selector only. */
  labels?: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Reports whether the selection has any criterion. An empty one selects no workload, never all. */
export function isSelective(selection: RebalanceSelection | undefined): selection is RebalanceSelection {
  return Object.values(selection ?? {}).some((part) => (Array.isArray(part) ? part.length > 0 : part !== undefined))
}

/** Returns the explicit and the selected workloads, without duplicates, sorted by key. */
export function selectWorkloads(
  wanted: { workloads?: readonly WorkloadRef[]; selection?: RebalanceSelection | undefined },
  snapshot: SelectionSnapshot,
): WorkloadRef[] {
  const { workloads = [], selection } = wanted
  const chosen = isSelective(selection)
    ? snapshot.bindings.filter((binding) => isChosen(binding, selection, snapshot)).map(workloadOf)
    : []
  const byKey = new Map([...workloads, ...chosen].map((workload) => [workloadKey(workload), workload]))
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, workload]) => workload)
}

/** Returns the workload of a binding. */
export function workloadOf({ spec: { resource } }: Pick<Binding, 'spec'>): WorkloadRef {
  const { apiVersion, kind, namespace, name } = resource
  return { apiVersion, kind, ...(namespace !== undefined && namespace !== '' && { namespace }), name }
}

/** All given criteria must match. */
function isChosen(binding: Binding, selection: RebalanceSelection, snapshot: SelectionSnapshot): boolean {
  const {
    metadata,
    spec: { resource, clusters = [] },
  } = binding
  const { namespaces, kinds, runningOn, left, policies, labelSelector } = selection
  return (
    !metadata.deletionTimestamp
    && oneOf(namespaces, (name) => name === (resource.namespace ?? ''))
    && oneOf(kinds, (kind) => kind === resource.kind)
    && oneOf(runningOn, (name) => clusters.some((target) => target.name === name))
    && oneOf(left, (name) => departedClusters(binding).some(({ cluster }) => cluster === name))
    && oneOf(policies, (policy) => isPropagatedBy(binding, policy))
    && (!labelSelector
      || matchesLabelSelector(labelSelector, snapshot.labels?.get(workloadKey(workloadOf(binding))) ?? {}))
  )
}

/** An absent or empty list matches everything. */
function oneOf<T>(list: readonly T[] | undefined, test: (one: T) => boolean): boolean {
  return !list?.length || list.some(test)
}

function isPropagatedBy({ metadata }: Binding, { namespace, name }: { namespace?: string; name: string }): boolean {
  const { annotations = {} } = metadata
  if (!namespace) return annotations[CLUSTER_POLICY_NAME_ANNOTATION] === name
  return annotations[POLICY_NAME_ANNOTATION] === name && annotations[POLICY_NAMESPACE_ANNOTATION] === namespace
}
