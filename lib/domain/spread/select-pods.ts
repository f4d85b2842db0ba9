/** Selects the pods of a workload that a spread manages, and determines their revision. */
import type { WorkloadSpreadSpec } from '../../kube/kinds'
import type { KubeObject } from '../../kube/object'
import { matchesRequirements, requirementsOf } from '../../kube/selector'
import { ok, type Result } from '../../std/result'
import { ANY_VERSION } from './names'
import { controllerOf } from './owners'

type Labels = Readonly<Record<string, string>> | undefined

/**
 * Reports whether a target filter selects a pod with these labels. A filter without a selector selects none in
 * OpenKruise's webhook, and all in its controller; `open` chooses.
 */
export function selectsPod(filter: WorkloadSpreadSpec['targetFilter'], labels: Labels, open: boolean): Result<boolean> {
  if (!filter) return ok(true)
  if (!filter.selector) return ok(open)
  const requirements = requirementsOf(filter.selector)
  return requirements.ok ? ok(matchesRequirements(requirements.value, labels)) : requirements
}

/** Kinds whose pods have a revision. */
const VERSIONED: ReadonlySet<string> = new Set(['deployment', 'replicaset'])

/** Returns the revision of a pod: `pod-template-hash`, otherwise the end of `controller-revision-hash`. */
export function podVersion(pod: KubeObject): string {
  const kinds = [pod.kind, controllerOf(pod)?.kind].map((kind) => kind?.toLowerCase() ?? '')
  if (!kinds.some((kind) => VERSIONED.has(kind))) return ANY_VERSION
  const { labels } = pod.metadata
  return labels?.['pod-template-hash'] ?? labels?.['controller-revision-hash']?.split('-').at(-1) ?? ANY_VERSION
}
