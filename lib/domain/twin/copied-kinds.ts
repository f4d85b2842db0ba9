/** Defines which kinds and annotations of a federation are copied. */
import type { Kind } from '@/lib/kube/kind'
import {
  cluster,
  clusterOverridePolicy,
  clusterPropagationPolicy,
  clusterResourceBinding,
  clusterTaintPolicy,
  customResourceDefinition,
  failbackPolicy,
  federatedResourceQuota,
  namespace,
  overridePolicy,
  priorityClass,
  propagationPolicy,
  queue,
  resourceBinding,
  resourceInterpreterCustomization,
  work,
  workloadSpread,
} from '@/lib/kube/kinds'

/**
 * Kinds that are copied besides templates, in the order in which a twin creates them. Templates are read after the
 * bindings that refer to them.
 */
export const COPIED_KINDS = [
  namespace,
  customResourceDefinition,
  priorityClass,
  resourceInterpreterCustomization,
  cluster,
  clusterTaintPolicy,
  propagationPolicy,
  clusterPropagationPolicy,
  overridePolicy,
  clusterOverridePolicy,
  federatedResourceQuota,
  queue,
  failbackPolicy,
  workloadSpread,
  resourceBinding,
  clusterResourceBinding,
  work,
] as unknown as readonly Kind[]

/**
 * Kinds that are missing in most control planes, so their absence is not reported: the product's own, WorkloadSpread,
 * and newer ones of Karmada.
 */
export const OPTIONAL_KINDS: ReadonlySet<string> = new Set([
  queue.kind,
  failbackPolicy.kind,
  workloadSpread.kind,
  clusterTaintPolicy.kind,
])

/**
 * Annotations that affect scheduling, failover, queues or the form of Works. All others are dropped, because they may
 * contain anything, such as the whole object as it was applied.
 */
const KEPT_ANNOTATIONS: ReadonlySet<string> = new Set([
  'controller.kubernetes.io/pod-deletion-cost',
  'scheduler.alpha.kubernetes.io/defaultTolerations',
  'scheduling.k8s.io/group-name',
])

/** All annotations of these domains are kept, except those of simulated members. */
const KEPT_DOMAINS = ['karmada.io', 'evenkeel.io'] as const
const SIMULATION = 'sim.evenkeel.io/'

export function isKeptAnnotation(name: string): boolean {
  if (name.startsWith(SIMULATION)) return false
  if (KEPT_ANNOTATIONS.has(name)) return true
  const slash = name.indexOf('/')
  const domain = slash < 0 ? '' : name.slice(0, slash)
  return KEPT_DOMAINS.some((kept) => domain === kept || domain.endsWith(`.${kept}`))
}
