/** Limits that are shares come to other counts when a cluster gets another number of pods. */
import { limitOf } from '../domain/spread'
import type { ReplicasInCluster } from './model'
import type { SpreadView } from './spread-model'

/** One cluster in which shares come to other counts. */
export interface ShareChangeView {
  cluster: string
  before: number
  after: number
  /** Only those that change, in the order of the spread. */
  subsets: { name: string; share: string; before: number; after: number }[]
}

/** What a move does to the shares of a spread, cluster by cluster. Clusters that get the spread for the first time count from 0. */
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

/** Returns how the limit of a percentage share changes; nothing for a share that cannot be parsed. */
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
