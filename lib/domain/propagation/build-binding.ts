/** Builds the binding of a template from its policy. */
import type { BindingComponent, BindingSpec } from '../../kube/kinds/binding'
import { clusterResourceBinding } from '../../kube/kinds/cluster-resource-binding'
import { resourceBinding } from '../../kube/kinds/resource-binding'
import { apiVersionOf } from '../../kube/kind'
import { bindingNameOf } from '../../kube/names'
import type { Draft, KubeObject, ObjectMeta } from '../../kube/object'
import type { Replicas } from '../interpreter'
import { type Binding, bindingFinalizer } from './binding-form'
import { claimMarks, claimOf, withClaim } from './claim'
import { type MergedSuspension, mergeSuspension, type SuspensionRequest, withNotes } from './merge-suspension'
import type { Policy } from './select-policy'

export interface BindingRequest extends SuspensionRequest {
  template: KubeObject
  /** Absent for kinds that are not workloads, and for those with components. */
  replicas?: Replicas | undefined
  /** Components of a workload with several templates. */
  components?: readonly BindingComponent[] | undefined
  /** Value of the priority class in the policy. */
  schedulePriority?: number | undefined
  /** Record the workload affinity groups of the template. Default false, as upstream. */
  workloadAffinity?: boolean | undefined
}

/**
 * Returns the binding to create, or the updated existing one. Labels, annotations and finalizers are merged into the
 * existing ones. Of the spec, only fields of the scheduler and other controllers are kept: clusters, eviction tasks,
 * requiredBy, rescheduleTriggeredAt; for suspension.scheduling see `mergeSuspension`.
 */
export function buildBinding(request: BindingRequest): Draft<Binding> {
  const { template, existing } = request
  const { suspension, notes } = mergeSuspension(request)
  const kind = template.metadata.namespace === undefined ? clusterResourceBinding : resourceBinding
  return {
    ...existing,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: bindingMetadata(request, notes),
    spec: bindingSpec(request, suspension),
  }
}

function bindingMetadata(
  { template, policy, existing }: BindingRequest,
  notes: MergedSuspension['notes'],
): Partial<ObjectMeta> {
  const { namespace, name } = template.metadata
  const claim = claimOf(policy)
  const finalizer = bindingFinalizer(namespace !== undefined)
  const fresh = { name: bindingNameOf(template.kind, name), ...(namespace && { namespace }) }
  const old: Partial<ObjectMeta> = existing?.metadata ?? fresh
  const { labels, annotations } = withClaim(old, claim)
  return {
    ...old,
    labels: { ...labels, ...claimMarks(claim).labels },
    annotations: withNotes(annotations ?? {}, notes),
    finalizers: [...new Set([...(old.finalizers ?? []), finalizer])],
    ownerReferences: [controllerReference(template)],
  }
}

function controllerReference({ apiVersion, kind, metadata: { name, uid } }: KubeObject) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** Returns the UID of the object that controls a binding. */
export function controllerUidOf({ metadata }: Pick<Binding, 'metadata'>): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid
}

function bindingSpec(request: BindingRequest, suspension: BindingSpec['suspension']): BindingSpec {
  const { template, policy, replicas, components, schedulePriority, existing } = request
  const { placement, failover, schedulerName, conflictResolution, preserveResourcesOnDeletion, propagateDeps } =
    policy.spec
  const spec = {
    ...existing?.spec,
    placement,
    failover,
    schedulerName,
    conflictResolution,
    preserveResourcesOnDeletion,
    propagateDeps,
    // As upstream, set once and never updated for cluster-scoped templates.
    ...(existing && template.metadata.namespace === undefined && { propagateDeps: existing.spec.propagateDeps }),
    resource: resourceReference(template),
    replicas: replicas?.replicas || undefined,
    replicaRequirements: replicas?.requirements,
    components: components?.length ? components : undefined,
    schedulePriority: schedulePriority === undefined ? undefined : { priority: schedulePriority },
    suspension,
    ...(request.workloadAffinity && { workloadAffinityGroups: affinityGroups(template, policy) }),
  }
  return withoutAbsent(spec) as BindingSpec
}

function resourceReference({ apiVersion, kind, metadata }: KubeObject): BindingSpec['resource'] {
  const { namespace, name, uid, resourceVersion } = metadata
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name, uid, resourceVersion }
}

/**
 * Returns `<label>=<value>` for each label of the policy's workload affinity that the template has; none for
 * cluster-scoped templates.
 */
function affinityGroups({ metadata }: KubeObject, { spec }: Policy): BindingSpec['workloadAffinityGroups'] {
  if (metadata.namespace === undefined) return undefined
  const { affinity, antiAffinity } = spec.placement?.workloadAffinity ?? {}
  const groupOf = (by: { groupByLabelKey: string } | undefined): string | undefined => {
    const value = by && metadata.labels?.[by.groupByLabelKey]
    return value === undefined ? undefined : `${by?.groupByLabelKey}=${value}`
  }
  const affinityGroup = groupOf(affinity)
  const antiAffinityGroup = groupOf(antiAffinity)
  if (affinityGroup === undefined && antiAffinityGroup === undefined) return undefined
  return withoutAbsent({ affinityGroup, antiAffinityGroup })
}

function withoutAbsent(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
