/** Groups the pods of a workload by the subsets of its spread, and adopts pods without a subset. */
import type { Node, Pod, SpreadSubset, WorkloadSpread } from '../../kube/kinds'
import { limitOf } from './limits'
import { NO_MATCH, scoreMatch } from './match-subset'
import { formatMatched, IGNORE_EXISTING_ANNOTATION, MATCHED_ANNOTATION, NO_SUBSET, readMatched } from './names'

/** Pods by subset, in the given order. Every subset of the spec has an entry, as has `NO_SUBSET`. */
export type PodGroups = ReadonlyMap<string, readonly Pod[]>

/** A strategic merge patch for an adopted pod. */
export interface Adoption {
  pod: Pod
  patch: { metadata: { annotations: Record<string, string>; labels?: Record<string, string> } }
}

export interface GroupingSnapshot {
  spread: Pick<WorkloadSpread, 'metadata' | 'spec'>
  /** Pods of one revision. */
  pods: readonly Pod[]
  nodes: ReadonlyMap<string, Node>
  size: number
}

/**
 * Groups the pods. The annotation decides if it names this spread; a subset that the spec no longer has counts as none.
 * Other pods go to the subset that fits their node best; ties are resolved by the order of the spec.
 */
export function groupPods({ spread, pods, nodes, size }: GroupingSnapshot): {
  groups: PodGroups
  adoptions: Adoption[]
} {
  const subsets = spread.spec?.subsets ?? []
  const groups = new Map<string, Pod[]>([...subsets.map(({ name }) => name), NO_SUBSET].map((name) => [name, []]))
  const wanted = quotas(spread, pods, size)
  const adoptions: Adoption[] = []
  for (const pod of pods) {
    const named = subsetNamedBy(pod, spread)
    const adopter = named === undefined ? bestMatch(pod, nodes, { subsets, wanted }) : undefined
    if (adopter) {
      wanted.set(adopter.name, (wanted.get(adopter.name) ?? 0) - 1)
      adoptions.push({ pod, patch: adoptionPatch(spread, adopter) })
    }
    const group = groups.get(named ?? adopter?.name ?? NO_SUBSET) ?? groups.get(NO_SUBSET)
    group?.push(pod)
  }
  return { groups, adoptions }
}

/** Returns the subset in the annotation; undefined if it does not name this spread. */
function subsetNamedBy({ metadata }: Pod, spread: GroupingSnapshot['spread']): string | undefined {
  const matched = readMatched(metadata.annotations)
  return matched?.name === spread.metadata.name ? matched.subset || undefined : undefined
}

const NO_LIMIT = 2_147_483_647

/** Returns the number of pods that each subset lacks, not counting those that name it. */
function quotas(spread: GroupingSnapshot['spread'], pods: readonly Pod[], size: number): Map<string, number> {
  const annotated = Map.groupBy(pods, (pod) => subsetNamedBy(pod, spread))
  return new Map(
    (spread.spec?.subsets ?? []).map(({ name, maxReplicas }) => {
      const limit = limitOf(maxReplicas, size, 'strict')
      return [name, (limit.ok ? (limit.value ?? NO_LIMIT) : 0) - (annotated.get(name)?.length ?? 0)]
    }),
  )
}

function bestMatch(
  pod: Pod,
  nodes: ReadonlyMap<string, Node>,
  { subsets, wanted }: { subsets: readonly SpreadSubset[]; wanted: ReadonlyMap<string, number> },
): SpreadSubset | undefined {
  const node = nodes.get(pod.spec.nodeName ?? '')
  if (!node) return undefined
  let best: { subset?: SpreadSubset; score: number } = { score: NO_MATCH }
  for (const subset of subsets) {
    const score = scoreMatch(pod, node, { subset, wanted: wanted.get(subset.name) ?? 0 })
    if (score > best.score) best = { subset, score }
  }
  return best.subset
}

/** Returns the annotation, and the metadata of the subset's patch unless the spread ignores existing pods. */
function adoptionPatch(
  { metadata: { name, annotations } }: GroupingSnapshot['spread'],
  subset: SpreadSubset,
): Adoption['patch'] {
  const leaves = annotations?.[IGNORE_EXISTING_ANNOTATION]?.toLowerCase() === 'true'
  const patched = leaves
    ? undefined
    : (subset.patch as { metadata?: Adoption['patch']['metadata'] } | undefined)?.metadata
  return {
    metadata: {
      ...(patched?.labels && { labels: patched.labels }),
      annotations: { ...patched?.annotations, [MATCHED_ANNOTATION]: formatMatched({ name, subset: subset.name }) },
    },
  }
}
