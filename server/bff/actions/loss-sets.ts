/** Builds the sets of clusters whose loss is simulated: each cluster, each region, each zone and each pair. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { compareNaturally } from '@/lib/std/natural-order'
import { readinessOf } from '@/lib/view/project/cluster'

/** Clusters that fail together. */
export interface LossSet {
  clusters: readonly string[]
  /** The region or zone, if the set is one. */
  place?: string
}

export interface LossSets {
  /** Ready clusters by region, then by name. */
  clusters: readonly { name: string; region?: string }[]
  unready: number
  /** Clusters in several zones: the loss of one zone takes only some of their nodes, and it is unknown which. */
  spanning: number
  region: readonly LossSet[]
  zone: readonly LossSet[]
}

export function lossSetsOf(all: readonly Cluster[]): LossSets {
  const ready = all.filter((cluster) => readinessOf(cluster) === 'True').toSorted(byRegion)
  return {
    clusters: ready.map(({ metadata: { name }, spec: { region } }) => ({ name, ...(region && { region }) })),
    unready: all.length - ready.length,
    spanning: ready.filter((cluster) => zonesOf(cluster).length > 1).length,
    region: setsBy(ready, ({ spec }) => spec.region),
    zone: setsBy(ready, (cluster) => (zonesOf(cluster).length === 1 ? zoneName(cluster) : undefined)),
  }
}

/** Returns the pairs in the order (1, 0), (2, 0), (2, 1), (3, 0): the rows of the triangle below the diagonal. */
export function pairsOf(names: readonly string[]): LossSet[] {
  return names.flatMap((one, row) => names.slice(0, row).map((other) => ({ clusters: [one, other] })))
}

const byRegion = (a: Cluster, b: Cluster): number =>
  compareNaturally(a.spec.region ?? '', b.spec.region ?? '') || compareNaturally(a.metadata.name, b.metadata.name)

const zonesOf = ({ spec: { zones, zone } }: Cluster): readonly string[] => zones ?? (zone ? [zone] : [])

/** Zones of two regions may have the same name. */
function zoneName(cluster: Cluster): string {
  const [zone = ''] = zonesOf(cluster)
  const { region } = cluster.spec
  return region === undefined || zone.startsWith(region) ? zone : `${region}/${zone}`
}

function setsBy(clusters: readonly Cluster[], placeOf: (cluster: Cluster) => string | undefined): LossSet[] {
  const located = clusters.filter((cluster) => placeOf(cluster))
  return [...Map.groupBy(located, (cluster) => placeOf(cluster)!)].map(([place, members]) => ({
    place,
    clusters: members.map(({ metadata }) => metadata.name),
  }))
}
