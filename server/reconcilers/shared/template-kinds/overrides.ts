/** Overrides of a template by cluster, and the events about them. */
import {
  appliesTo,
  type ClusterOverrides,
  describePolicy,
  OverrideError,
  type OverridePolicyLike,
  overridesFor,
  selectOverridePolicies,
} from '@/lib/domain/override'
import type { Kind } from '@/lib/kube/kind'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { clusterOverridePolicy } from '@/lib/kube/kinds/cluster-override-policy'
import { overridePolicy } from '@/lib/kube/kinds/override-policy'
import type { KubeObject, ObjectReference, UnknownObject } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { EventRecorder } from '@/server/runtime/controller'

/** Both kinds of override policies with one type. */
export const overrideKinds: readonly Kind<OverridePolicyLike>[] = [clusterOverridePolicy, overridePolicy]

/** Returns the policies for a template, in the order of application. */
export function overridePoliciesOf(informers: Informers, template: UnknownObject): readonly OverridePolicyLike[] {
  const { namespace } = template.metadata
  const own = namespace === undefined ? [] : informers.of(overridePolicy).listNamespace(namespace)
  return selectOverridePolicies([...informers.of(clusterOverridePolicy).list(), ...own], template)
}

/** Reports whether a policy applies to the object, or did before the change. */
export function concerns(change: Change<OverridePolicyLike>, object: KubeObject): boolean {
  const before = change.type !== 'added' && appliesTo(change.old, object)
  return before || (change.type !== 'deleted' && appliesTo(change.object, object))
}

/**
 * Returns the overrides of these policies for a cluster; undefined without policies. Throws if the cluster is unknown.
 */
export function overridesOn(
  informers: Informers,
  policies: readonly OverridePolicyLike[],
  cluster: string,
): ClusterOverrides | undefined {
  if (policies.length === 0) return undefined
  const found = informers.of(clusterKind).get(cluster)
  if (!found) throw new Error(`clusters.cluster.karmada.io "${cluster}" not found`)
  return overridesFor(policies, found)
}

/** Overrides that are about to be written for a template. */
export interface OverrideAttempt {
  regarding: ObjectReference
  overrides: ClusterOverrides | undefined
}

const COMPONENT = 'override-manager'

/** Runs a write and records events on the template: the applied policies, or the one that failed. */
export async function withOverrideEvents(
  events: EventRecorder,
  { regarding, overrides }: OverrideAttempt,
  write: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const written = await write()
    if (written && overrides) emitApplied(events, regarding, overrides)
    return written
  } catch (error) {
    if (error instanceof OverrideError) emitFailed(events, regarding, error)
    throw error
  }
}

function emitApplied(events: EventRecorder, regarding: ObjectReference, { cluster, steps }: ClusterOverrides): void {
  for (const policy of new Set(steps.map((step) => step.policy))) {
    // upstream: Karmada override-manager
    const message = `Apply ${describePolicy(policy)} for cluster(${cluster}) succeed.`
    events.record({ component: COMPONENT, regarding, type: 'Normal', reason: 'ApplyOverridePolicySucceed', message })
  }
}

function emitFailed(events: EventRecorder, regarding: ObjectReference, { policy, cluster }: OverrideError): void {
  // upstream: Karmada override-manager
  const message = `Apply ${describePolicy(policy)} for cluster(${cluster}) failed.`
  events.record({ component: COMPONENT, regarding, type: 'Warning', reason: 'ApplyOverridePolicyFailed', message })
}
