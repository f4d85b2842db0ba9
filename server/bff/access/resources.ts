/** The resources whose objects the console shows, and where its entities belong. */
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

/** A kind as RBAC names it. */
export const resourceOf = ({ group, plural }: Pick<Kind, 'group' | 'plural'>): ResourceName => ({
  group,
  resource: plural,
})

/** The same text for the same resource. */
export const nameOfResource = ({ group, resource }: ResourceName): string => (group ? `${resource}.${group}` : resource)

/** The inverse of `nameOfResource`. */
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

/** A resource about which every user is reviewed. */
export interface ReviewedResource extends ResourceName {
  /** True when rows are shown to who may list it in their namespace only. */
  byNamespace: boolean
}

/** Of Works and quotas nothing is shown to who may not list all of them. */
const BY_NAMESPACE: readonly Kind[] = [
  resourceBinding,
  workloadSpread,
  queue,
  propagationPolicy,
  event,
] as unknown as Kind[]

/** Everything that rows are made of. */
export const REVIEWED: readonly ReviewedResource[] = KINDS_READ.map((kind) => ({
  ...resourceOf(kind),
  byNamespace: BY_NAMESPACE.includes(kind),
}))

/** Where a workload belongs: with its binding, which is in the namespace of the template. */
export function placeOfWorkload(id: string): Place {
  const namespace = parseWorkloadId(id)?.namespace
  return namespace === undefined ? CLUSTER_BINDINGS : { ...BINDINGS, namespace }
}

/** Where a queue with that id would be; undefined when the text is no id. */
export function placeOfQueue(id: string): Place | undefined {
  const { namespace, name } = parseKey(id)
  return namespace && name && !name.includes('/') ? { ...QUEUES, namespace } : undefined
}

/** Where a policy with that id would be; undefined when the text is no id. */
export function placeOfPolicy(id: string): Place | undefined {
  const policy = parsePolicyId(id)
  if (!policy) return undefined
  const { namespace } = policy
  return namespace === undefined ? CLUSTER_POLICIES : { ...PROPAGATION_POLICIES, namespace }
}

/** True when the user may list the binding of that workload, hence see the workload. */
export const seesWorkload = (scope: Scope, id: string): boolean =>
  seesAllWorkloads(scope) || scope.sees(placeOfWorkload(id))

/** Times of creation have whole seconds: what was in the same second may have been before. */
const CUT_OFF_MS = 1_000

/** True when the user may know what was there at that time: in this namespace, and not in an earlier one of its name. */
export function seesThen(scope: Scope, place: Place, at: string): boolean {
  if (!scope.sees(place) || place.namespace === undefined || scope.seesAll(place)) return scope.sees(place)
  const bornAt = scope.bornAt?.(place.namespace)
  return bornAt === undefined || parseTime(at) >= bornAt + CUT_OFF_MS
}

/** As `seesWorkload`, for what was noted of it at that time. */
export const seesWorkloadThen = (scope: Scope, id: string, at: string): boolean =>
  seesThen(scope, placeOfWorkload(id), at)

/** True when the user sees the workloads of all namespaces, and those without one. */
export const seesAllWorkloads = (scope: Scope): boolean => scope.seesAll(BINDINGS) && scope.seesAll(CLUSTER_BINDINGS)
