/** The binding of a template, as its policy wants it. */
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
  /** Absent for kinds that are no workload, and for those whose components are known. */
  replicas?: Replicas | undefined
  /** The parts of a workload of several templates. */
  components?: readonly BindingComponent[] | undefined
  /** The value of the priority class that the policy names. */
  schedulePriority?: number | undefined
  /** Write down which groups of workloads the template is to be near to or away from. Default false, as upstream. */
  workloadAffinity?: boolean | undefined
}

/**
 * The binding to create, or the existing one as it should be. Labels, annotations and finalizers are merged into the
 * existing ones; of the spec, only what the scheduler and other loops own is kept: clusters, eviction tasks,
 * requiredBy, rescheduleTriggeredAt; of suspension.scheduling what `mergeSuspension` says.
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

/** The uid of the object that controls a binding. */
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
    // Set once and never updated for cluster-scoped templates, as the control plane does.
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

/** `<label>=<value>` for each label that the policy groups by and the template has; none for cluster-scoped ones. */
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
