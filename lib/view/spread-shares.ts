/** Changes of percentage limits when a cluster gets another number of pods. */
import { limitOf } from '../domain/spread'
import type { ReplicasInCluster } from './model'
import type { SpreadView } from './spread-model'

/** One cluster in which percentages result in other counts. */
export interface ShareChangeView {
  cluster: string
  before: number
  after: number
  /** Only changed ones, in the order of the spread. */
  subsets: { name: string; share: string; before: number; after: number }[]
}

/**
 * Returns the effect of a move on the percentages of a spread, by cluster. Clusters without the spread count from 0.
 */
export function shareChanges(
  { subsets }: Pick<SpreadView, 'subsets'>,
  before: readonly ReplicasInCluster[],
  after: readonly ReplicasInCluster[],
): ShareChangeView[] {
  const clusters = [...new Set([...before, ...after].map(({ cluster }) => cluster))].sort()
  return clusters.flatMap((cluster) => {
    const sizes = { before: replicasIn(before, cluster), after: replicasIn(after, cluster) }
    const changed = subsets.flatMap(({ name, maxReplicas }) => changeOf(name, maxReplicas, sizes))
    return changed.length > 0 ? [{ cluster, ...sizes, subsets: changed }] : []
  })
}

const replicasIn = (places: readonly ReplicasInCluster[], cluster: string): number =>
  places.find((place) => place.cluster === cluster)?.replicas ?? 0

/** Returns the change of one percentage limit; none for an invalid one. */
function changeOf(
  name: string,
  maxReplicas: number | string | undefined,
  sizes: { before: number; after: number },
): ShareChangeView['subsets'] {
  if (typeof maxReplicas !== 'string') return []
  const [before, after] = [limitOf(maxReplicas, sizes.before, 'strict'), limitOf(maxReplicas, sizes.after, 'strict')]
  if (
    !before.ok
    || !after.ok
    || before.value === undefined
    || after.value === undefined
    || before.value === after.value
  )
    return []
  return [{ name, share: maxReplicas, before: before.value, after: after.value }]
}
