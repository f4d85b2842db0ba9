/** Reads the input of a reconcile from the caches. */
import {
  bindingRefOf,
  invertPlan,
  isOpen,
  type PlanSubject,
  type PolicySubject,
  readRunRecord,
  type Restoration,
  workloadKey,
  workloadOf,
  type WorkloadRef,
} from '@/lib/domain/rebalance'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { keyOf } from '@/lib/kube/object'
import type { Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKinds, findBinding } from '../shared/binding-kinds'
import { findTemplateKind } from '../shared/template-kinds'

const RUNS = 'rebalance-plan/runs'

/** Indexes the bindings of a plan by its name. Idempotent. */
export function indexRuns(informers: Informers): void {
  const values = (binding: Binding): string[] => {
    const record = readRunRecord(binding)
    return record ? [record.plan] : []
  }
  for (const kind of bindingKinds) informers.of(kind).addIndex(RUNS, values)
}

/** Returns the bindings with a record of a plan of that name, whichever object had it. */
export function bindingsOfPlan(informers: Informers, name: string): Binding[] {
  return bindingKinds.flatMap((kind) => [...informers.of(kind).byIndex(RUNS, name)])
}

/** Returns those that are still protected for a plan that no longer exists. */
export function orphansOf(informers: Informers, name: string, uid: string | undefined): Binding[] {
  return bindingsOfPlan(informers, name).filter((binding) => {
    const record = readRunRecord(binding)
    return isOpen(record) && record.uid !== uid
  })
}

/** Returns the plan as decisions read it. */
export function subjectOf({ metadata, spec, status = {} }: RebalancePlanObject): PlanSubject {
  return { name: metadata.name, uid: metadata.uid, generation: metadata.generation ?? 0, spec, status }
}

export function allClusters(informers: Informers): readonly Cluster[] {
  return informers.of(clusterKind).list()
}

export function allBindings(informers: Informers): Binding[] {
  return bindingKinds.flatMap((kind) => [...informers.of(kind).list()])
}

/** Returns policies of both kinds, to detect lazy ones. */
export function allPolicies(informers: Informers): PolicySubject[] {
  return [...informers.of(propagationPolicy).list(), ...informers.of(clusterPropagationPolicy).list()]
}

/** Returns the cached binding of a workload. */
export function bindingOf(informers: Informers, workload: WorkloadRef): Binding | undefined {
  const ref = bindingRefOf(workload)
  return findBinding(informers, `${ref.kind}/${keyOf(ref)}`)
}

/** Returns the labels of these bindings' templates, for kinds that are cached. */
export function templateLabels(
  context: Pick<ReconcilerContext, 'informers'>,
  bindings: readonly Binding[],
): Map<string, Record<string, string>> {
  return new Map(
    bindings.flatMap((binding) => {
      const { apiVersion, kind: name, ...ref } = workloadOf(binding)
      const kind = findTemplateKind(context, apiVersion, name)
      const labels = kind && context.informers.of(kind).get(keyOf(ref))?.metadata.labels
      return labels ? [[workloadKey({ apiVersion, kind: name, ...ref }), labels] as const] : []
    }),
  )
}

/**
 * Returns the distributions to restore: from the plan's status or, if that plan is gone, from the records on bindings.
 * Undefined for a plan that is not an undo, and for an undo without a record.
 */
export function restorationsOf(informers: Informers, { spec }: PlanSubject): readonly Restoration[] | undefined {
  if (spec.restore) return spec.restore
  if (spec.undoOf === undefined) return undefined
  const recorded = invertPlan(informers.of(rebalancePlan).get(spec.undoOf)?.status)
  if (recorded.length > 0) return recorded
  const noted = bindingsOfPlan(informers, spec.undoOf).map((binding) => ({
    workload: workloadOf(binding),
    clusters: readRunRecord(binding)?.before ?? [],
  }))
  return noted.length > 0 ? noted : undefined
}
