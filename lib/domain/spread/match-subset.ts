/** Scores how well a running pod matches a subset, by its node. */
import type { Node, Pod, SpreadSubset } from '../../kube/kinds'
import { matchesNodeTerm, type NamedNode } from '../../kube/node-selector'
import { tolerates } from '../../kube/taint'
import { deepEqual } from '../../std/equal'
import { omit } from '../../std/omit'
import { joinTerms, patchPod } from './inject'

/** Score of a pod that does not match. */
export const NO_MATCH = -1

const PREFERENCE = 100
const PATCHED_ALREADY = 10
const WANTED = 1

/**
 * Returns -1 if neither pod nor subset tolerates a taint of the node (with any effect), or if the subset's required
 * selector does not match the node. Otherwise returns the sum of 100 times the weights of matching preferences, 10 if
 * the patch would change only annotations, and 1 if the subset lacks pods.
 */
export function scoreMatch(pod: Pod, node: Node, { subset, wanted }: { subset: SpreadSubset; wanted: number }): number {
  if (!isHeldBy(pod, node, subset)) return NO_MATCH
  const named = namedNode(node)
  const weight = (subset.preferredNodeSelector ?? []).reduce(
    (sum, { weight: own, preference }) => sum + (matchesNodeTerm(preference, named) ? own : 0),
    0,
  )
  return PREFERENCE * weight + (isPatched(pod, subset.patch) ? PATCHED_ALREADY : 0) + (wanted > 0 ? WANTED : 0)
}

const namedNode = ({ metadata }: Node): NamedNode => ({ name: metadata.name, labels: metadata.labels ?? {} })

function isHeldBy(pod: Pod, node: Node, { tolerations = [], requiredNodeSelector }: SpreadSubset): boolean {
  const all = [...(pod.spec.tolerations ?? []), ...tolerations]
  if (node.spec?.taints?.some((taint) => !all.some((toleration) => tolerates(toleration, taint)))) return false
  if (!requiredNodeSelector) return true
  const own = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return joinTerms(own, requiredNodeSelector).some((term) => matchesNodeTerm(term, namedNode(node)))
}

function isPatched(pod: Pod, patch: SpreadSubset['patch']): boolean {
  if (patch === undefined || patch === null) return false
  const { metadata } = patch as { metadata?: { annotations?: unknown } }
  const rest = metadata ? { ...patch, metadata: omit(metadata, 'annotations') } : patch
  const patched = patchPod(pod, rest)
  return patched.ok && deepEqual(patched.value, pod)
}
