/** Lists the overrides that were applied to the manifests of a workload. */
import type { Overriders } from '@/lib/kube/kinds/override-spec'
import type { Work } from '@/lib/kube/kinds/work'
import { APPLIED_CLUSTER_OVERRIDES_ANNOTATION, APPLIED_OVERRIDES_ANNOTATION } from '@/lib/kube/names'
import type { OverrideView } from '../model'
import { byCluster, clusterOfWork } from './binding-facts'
import { overrideChanges } from './overriders'

const RECORDS = [
  [APPLIED_CLUSTER_OVERRIDES_ANNOTATION, 'ClusterOverridePolicy'],
  [APPLIED_OVERRIDES_ANNOTATION, 'OverridePolicy'],
] as const

interface AppliedRule {
  policyName: string
  overriders?: Overriders
}

/**
 * Sorted by cluster, then in the order of application. Read from the records in Works, so they are the applied ones.
 */
export function projectOverrides(works: readonly Work[]): OverrideView[] {
  return works
    .flatMap((work) =>
      RECORDS.flatMap(([annotation, kind]) =>
        rulesIn(work, annotation).map(({ policyName, overriders = {} }) => ({
          cluster: clusterOfWork(work) ?? '',
          policy: { kind, name: policyName },
          changes: overrideChanges(overriders),
        })),
      ),
    )
    .toSorted(byCluster)
}

/** Parses the rules in an annotation; none if it is not JSON, for example after an edit by a user. */
function rulesIn({ metadata }: Work, annotation: string): AppliedRule[] {
  try {
    const rules: unknown = JSON.parse(metadata.annotations?.[annotation] ?? '[]')
    return Array.isArray(rules) ? (rules as AppliedRule[]) : []
  } catch {
    return []
  }
}
