/** The resources whose objects the console shows, and the place of its entities. */
import type { Kind } from '@/lib/kube/kind'
import { cluster } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { event } from '@/lib/kube/kinds/event'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { queue } from '@/lib/kube/kinds/queue'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { workloadSpread } from '@/lib/kube/kinds/workload-spread'
import { parseKey } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { parsePolicyId } from '@/lib/view/policy-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { KINDS_READ } from '../cache/control-plane-cache'
import type { Place, ResourceName, Scope } from './access'

/** Returns a kind as RBAC names it. */
export const resourceOf = ({ group, plural }: Pick<Kind, 'group' | 'plural'>): ResourceName => ({
  group,
  resource: plural,
})

/** Returns the name of a resource, `resource.group`; the same text for the same resource. */
export const nameOfResource = ({ group, resource }: ResourceName): string => (group ? `${resource}.${group}` : resource)

/** Parses a name of `nameOfResource`. */
export function resourceNamed(name: string): ResourceName {
  const [resource = '', ...group] = name.split('.')
  return { group: group.join('.'), resource }
}

export const CLUSTERS = resourceOf(cluster)
export const BINDINGS = resourceOf(resourceBinding)
export const CLUSTER_BINDINGS = resourceOf(clusterResourceBinding)
export const WORKS = resourceOf(work)
export const REBALANCERS = resourceOf(workloadRebalancer)
export const PLANS = resourceOf(rebalancePlan)
export const SPREADS = resourceOf(workloadSpread)
export const EVENTS = resourceOf(event)
export const QUEUES = resourceOf(queue)
export const PROPAGATION_POLICIES = resourceOf(propagationPolicy)
export const CLUSTER_POLICIES = resourceOf(clusterPropagationPolicy)

/** A resource that is reviewed for every user. */
export interface ReviewedResource extends ResourceName {
  /** True when users who may list it only in its namespace see the rows of that namespace. */
  byNamespace: boolean
}

/** Works and quotas are shown only to users who may list all of them. */
const BY_NAMESPACE: readonly Kind[] = [
  resourceBinding,
  workloadSpread,
  queue,
  propagationPolicy,
  event,
] as unknown as Kind[]

/** Every kind that rows are built from. */
export const REVIEWED: readonly ReviewedResource[] = KINDS_READ.map((kind) => ({
  ...resourceOf(kind),
  byNamespace: BY_NAMESPACE.includes(kind),
}))

/** Returns the place of a workload: that of its binding, which is in the namespace of the template. */
export function placeOfWorkload(id: string): Place {
  const namespace = parseWorkloadId(id)?.namespace
  return namespace === undefined ? CLUSTER_BINDINGS : { ...BINDINGS, namespace }
}

/** Returns the place of the queue with that id; undefined when the text is not an id. */
export function placeOfQueue(id: string): Place | undefined {
  const { namespace, name } = parseKey(id)
  return namespace && name && !name.includes('/') ? { ...QUEUES, namespace } : undefined
}

/** Returns the place of the policy with that id; undefined when the text is not an id. */
export function placeOfPolicy(id: string): Place | undefined {
  const policy = parsePolicyId(id)
  if (!policy) return undefined
  const { namespace } = policy
  return namespace === undefined ? CLUSTER_POLICIES : { ...PROPAGATION_POLICIES, namespace }
}

/** Reports whether the user may list the binding of that workload and therefore see the workload. */
export const seesWorkload = (scope: Scope, id: string): boolean =>
  seesAllWorkloads(scope) || scope.sees(placeOfWorkload(id))

/** Creation times have whole seconds: an object from the same second may be older than the namespace. */
const CUT_OFF_MS = 1_000

/**
 * Reports whether the user may see what was in the namespace at that time; records of an earlier namespace with the
 * same name are hidden.
 */
export function seesThen(scope: Scope, place: Place, at: string): boolean {
  if (!scope.sees(place) || place.namespace === undefined || scope.seesAll(place)) return scope.sees(place)
  const createdAt = scope.createdAt?.(place.namespace)
  return createdAt === undefined || parseTime(at) >= createdAt + CUT_OFF_MS
}

/** Like `seesWorkload`, for records of the workload from that time. */
export const seesWorkloadThen = (scope: Scope, id: string, at: string): boolean =>
  seesThen(scope, placeOfWorkload(id), at)

/** Reports whether the user sees the workloads of all namespaces and the cluster-scoped ones. */
export const seesAllWorkloads = (scope: Scope): boolean => scope.seesAll(BINDINGS) && scope.seesAll(CLUSTER_BINDINGS)
