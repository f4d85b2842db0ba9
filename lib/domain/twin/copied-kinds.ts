/** What is copied of a federation: kinds and annotations. */
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
 * Every kind that is copied besides templates, in the order in which a twin gets them. Templates are read after the
 * bindings that name them.
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

/** Our own kinds, WorkloadSpread and newer kinds of Karmada are missing in most control planes: not worth a report. */
export const OPTIONAL_KINDS: ReadonlySet<string> = new Set([
  queue.kind,
  failbackPolicy.kind,
  workloadSpread.kind,
  clusterTaintPolicy.kind,
])

/**
 * The annotations that decide about scheduling, failover, queues and the form of Works. All others stay behind: they may
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
