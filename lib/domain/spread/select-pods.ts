/** Which pods of a workload a spread manages, and of which revision they are. */
import type { WorkloadSpreadSpec } from '../../kube/kinds'
import type { KubeObject } from '../../kube/object'
import { matchesRequirements, requirementsOf } from '../../kube/selector'
import { ok, type Result } from '../../std/result'
import { ANY_VERSION } from './names'
import { controllerOf } from './owners'

type Labels = Readonly<Record<string, string>> | undefined

/**
 * Whether a target filter selects a pod with those labels. A filter without selector selects none as OpenKruise's
 * webhook reads it, and all as its controller does: `open` says which.
 */
export function selectsPod(filter: WorkloadSpreadSpec['targetFilter'], labels: Labels, open: boolean): Result<boolean> {
  if (!filter) return ok(true)
  if (!filter.selector) return ok(open)
  const requirements = requirementsOf(filter.selector)
  return requirements.ok ? ok(matchesRequirements(requirements.value, labels)) : requirements
}

/** Kinds whose pods are told apart by revision. */
const VERSIONED: ReadonlySet<string> = new Set(['deployment', 'replicaset'])

/** The revision of a pod: `pod-template-hash`, else the end of `controller-revision-hash`. */
export function podVersion(pod: KubeObject): string {
  const kinds = [pod.kind, controllerOf(pod)?.kind].map((kind) => kind?.toLowerCase() ?? '')
  if (!kinds.some((kind) => VERSIONED.has(kind))) return ANY_VERSION
  const { labels } = pod.metadata
  return labels?.['pod-template-hash'] ?? labels?.['controller-revision-hash']?.split('-').at(-1) ?? ANY_VERSION
}
