/** Which overrides made the copies of a workload differ from its template. */
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

/** By cluster, then in the order of application. Taken from what the Works remember, so it is what was really done. */
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

/** Reads the rules that an annotation records; none when a user edited it into something that is not JSON. */
function rulesIn({ metadata }: Work, annotation: string): AppliedRule[] {
  try {
    const rules: unknown = JSON.parse(metadata.annotations?.[annotation] ?? '[]')
    return Array.isArray(rules) ? (rules as AppliedRule[]) : []
  } catch {
    return []
  }
}
