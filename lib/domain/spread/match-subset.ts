/** How well a pod that runs already fits into a subset, by the node that it runs on. */
import type { Node, Pod, SpreadSubset } from '../../kube/kinds'
import { matchesNodeTerm, type NamedNode } from '../../kube/node-selector'
import { tolerates } from '../../kube/taint'
import { deepEqual } from '../../std/equal'
import { omit } from '../../std/omit'
import { joinTerms, patchPod } from './inject'

/** Score of a pod that does not fit. */
export const NO_MATCH = -1

const PREFERENCE = 100
const PATCHED_ALREADY = 10
const WANTED = 1

/**
 * -1 when a taint of the node, of whatever effect, is tolerated by neither pod nor subset, or the node is not one that
 * the subset requires. Else the weights of the preferences that hold a hundredfold, 10 when the patch would change nothing
 * but annotations, and 1 when the subset wants more pods.
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
