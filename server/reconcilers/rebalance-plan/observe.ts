/** What a pass knows, all of it from the caches. */
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

/** Lets the bindings of a plan be found by its name. Repeating it is harmless. */
export function indexRuns(informers: Informers): void {
  const values = (binding: Binding): string[] => {
    const record = readRunRecord(binding)
    return record ? [record.plan] : []
  }
  for (const kind of bindingKinds) informers.of(kind).addIndex(RUNS, values)
}

/** The bindings that a plan of that name noted something on, whichever object bore the name. */
export function bindingsOfPlan(informers: Informers, name: string): Binding[] {
  return bindingKinds.flatMap((kind) => [...informers.of(kind).byIndex(RUNS, name)])
}

/** Those of them that are still protected for a plan that is not there any more. */
export function orphansOf(informers: Informers, name: string, uid: string | undefined): Binding[] {
  return bindingsOfPlan(informers, name).filter((binding) => {
    const record = readRunRecord(binding)
    return isOpen(record) && record.uid !== uid
  })
}

/** The plan as decisions read it. */
export function subjectOf({ metadata, spec, status = {} }: RebalancePlanObject): PlanSubject {
  return { name: metadata.name, uid: metadata.uid, generation: metadata.generation ?? 0, spec, status }
}

export function allClusters(informers: Informers): readonly Cluster[] {
  return informers.of(clusterKind).list()
}

export function allBindings(informers: Informers): Binding[] {
  return bindingKinds.flatMap((kind) => [...informers.of(kind).list()])
}

/** Policies of both kinds, to notice lazy ones. */
export function allPolicies(informers: Informers): PolicySubject[] {
  return [...informers.of(propagationPolicy).list(), ...informers.of(clusterPropagationPolicy).list()]
}

/** The binding of a workload as the caches hold it. */
export function bindingOf(informers: Informers, workload: WorkloadRef): Binding | undefined {
  const ref = bindingRefOf(workload)
  return findBinding(informers, `${ref.kind}/${keyOf(ref)}`)
}

/** The labels of the templates of these bindings, as far as their kinds are copied. */
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
 * What an undo brings back: what the plan's status recorded, or, when that plan is gone, what it noted on the
 * bindings. Undefined for a plan that is no undo, and for an undo without a record.
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
