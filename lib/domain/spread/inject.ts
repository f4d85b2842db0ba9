/** Applies a subset to its pods. */
import { pod as podKind, type Pod, type PodSpec, type SpreadSubset } from '../../kube/kinds'
import { findMismatch } from '../../kube/schema-mismatch'
import { pruneUnknown } from '../../kube/schema-prune'
import { applyStrategicPatch } from '../../kube/strategic'
import { omit } from '../../std/omit'
import { err, ok, type Result } from '../../std/result'
import { formatMatched, MATCHED_ANNOTATION, type Matched } from './names'

/**
 * Returns the pod with the subset applied: tolerations, node affinity, then the patch, then the annotation, which the
 * patch cannot change. Fails if the patch does not match the types of a pod.
 */
export function injectSubset(pod: Pod, subset: SpreadSubset, matched: Matched): Result<Pod> {
  const placed: Pod = { ...pod, spec: withAffinity(withTolerations(pod.spec, subset), subset) }
  const patched = patchPod(placed, subset.patch)
  if (!patched.ok) return patched
  const { metadata } = patched.value
  const annotations = { ...metadata.annotations, [MATCHED_ANNOTATION]: formatMatched(matched) }
  return ok({ ...patched.value, metadata: { ...metadata, annotations } })
}

function withTolerations(spec: PodSpec, { tolerations }: SpreadSubset): PodSpec {
  return tolerations?.length ? { ...spec, tolerations: [...(spec.tolerations ?? []), ...tolerations] } : spec
}

/** As upstream, `nodeAffinity` is set even if it is empty. */
function withAffinity(spec: PodSpec, { preferredNodeSelector = [], requiredNodeSelector }: SpreadSubset): PodSpec {
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred, ...own } = spec.affinity?.nodeAffinity ?? {}
  const terms =
    requiredNodeSelector
    && joinTerms(own.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms, requiredNodeSelector)
  const wishes = [...(preferred ?? []), ...preferredNodeSelector]
  const nodeAffinity = {
    ...own,
    ...(wishes.length > 0 && { preferredDuringSchedulingIgnoredDuringExecution: wishes }),
    ...(terms && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }),
  }
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } }
}

type Term = NonNullable<SpreadSubset['requiredNodeSelector']>

/** Adds the term to each existing one, because terms are alternatives; without existing ones returns it alone. */
export function joinTerms(own: readonly Term[] | undefined, term: Term): Term[] {
  if (!own || own.length === 0) return [term]
  return own.map(({ matchExpressions = [], matchFields = [] }) => {
    const expressions = [...matchExpressions, ...(term.matchExpressions ?? [])]
    const fields = [...matchFields, ...(term.matchFields ?? [])]
    return {
      ...(expressions.length > 0 && { matchExpressions: expressions }),
      ...(fields.length > 0 && { matchFields: fields }),
    }
  })
}

/**
 * Applies a strategic merge patch to a pod: unknown fields are dropped, and another priority class removes the
 * priority.
 */
export function patchPod(pod: Pod, patch: SpreadSubset['patch']): Result<Pod> {
  if (patch === undefined || patch === null) return ok(pod)
  try {
    const merged = applyStrategicPatch(pod, patch, podKind.schema)
    const mismatch = findMismatch(merged, podKind.schema, 'Pod')
    if (mismatch !== undefined) return err(mismatch)
    return ok(withoutStalePriority(pruneUnknown(merged, podKind.schema).value as Pod, pod))
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}

function withoutStalePriority(next: Pod, old: Pod): Pod {
  if ((next.spec.priorityClassName ?? '') === (old.spec.priorityClassName ?? '')) return next
  return { ...next, spec: omit(next.spec, 'priority') }
}
