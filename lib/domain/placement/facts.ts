/**
 * Clusters as the scheduler reads them: parsed once per Cluster object and cached for the object's lifetime. Replacing
 * one object in a cache does not affect the facts of others.
 */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type SummaryCapacity, summaryCapacity } from '../estimate/capacity'
import { apisOf } from './apis'

type Taint = NonNullable<Cluster['spec']['taints']>[number]

/** Fields of one cluster that filters and affinities read. */
export interface ClusterFacts {
  cluster: Cluster
  name: string
  labels: Readonly<Record<string, string>>
  provider: string
  region: string
  zones: readonly string[]
  deleting: boolean
  taints: readonly Taint[]
  /** `groupVersion kind` of every resource that the cluster is known to serve. */
  apis: ReadonlySet<string>
  /** Reported free capacity; undefined if the cluster reports none. */
  capacity: SummaryCapacity | undefined
}

/** All clusters at one time, sorted by name. */
export interface ClusterSnapshot {
  facts: readonly ClusterFacts[]
  /** Position in `facts` by cluster name. */
  ranks: ReadonlyMap<string, number>
}

/** A shared object, so that the taints of clusters without taints compare equal by identity. */
const NO_TAINTS: readonly Taint[] = []

const knownFacts = new WeakMap<Cluster, ClusterFacts>()
const knownSnapshots = new WeakMap<readonly Cluster[], ClusterSnapshot>()
/** The latest list, because the next one usually differs from it in one cluster. */
let latest: readonly Cluster[] = []

/** Returns the facts of a cluster; the same object for the same Cluster object. */
export function factsOf(cluster: Cluster): ClusterFacts {
  const known = knownFacts.get(cluster)
  if (known) return known
  const facts = readFacts(cluster)
  knownFacts.set(cluster, facts)
  return facts
}

/** Returns the same clusters with some facts replaced, by position. */
export function withFacts(
  { facts, ranks }: ClusterSnapshot,
  changed: Iterable<readonly [number, ClusterFacts]>,
): ClusterSnapshot {
  const next = [...facts]
  for (const [rank, one] of changed) next[rank] = one
  return { facts: next, ranks }
}

/**
 * Returns the snapshot of a list of clusters; the same object for the same list. The list must not change afterwards.
 */
export function snapshotOf(clusters: readonly Cluster[]): ClusterSnapshot {
  const known = knownSnapshots.get(clusters)
  if (known) return known
  const snapshot = snapshotAfter(latest, clusters) ?? readSnapshot(clusters)
  knownSnapshots.set(clusters, snapshot)
  latest = clusters
  return snapshot
}

function readSnapshot(clusters: readonly Cluster[]): ClusterSnapshot {
  const facts = sortByName(clusters.map(factsOf))
  return { facts, ranks: new Map(facts.map((one, rank) => [one.name, rank])) }
}

/** Returns the former snapshot with the facts of the clusters that changed; undefined if their names are not the same. */
function snapshotAfter(former: readonly Cluster[], clusters: readonly Cluster[]): ClusterSnapshot | undefined {
  const before = knownSnapshots.get(former)
  if (!before || before.ranks.size !== clusters.length || former.length !== clusters.length) return undefined
  const changed: [number, ClusterFacts][] = []
  for (let at = 0; at < clusters.length; at += 1) {
    const cluster = clusters[at]!
    if (cluster === former[at]) continue
    const { name } = cluster.metadata
    if (name !== former[at]!.metadata.name) return undefined
    changed.push([before.ranks.get(name)!, factsOf(cluster)])
  }
  return withFacts(before, changed)
}

function sortByName(facts: ClusterFacts[]): ClusterFacts[] {
  const sorted = facts.every((one, index) => index === 0 || facts[index - 1]!.name <= one.name)
  return sorted ? facts : facts.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readFacts(cluster: Cluster): ClusterFacts {
  const { metadata, spec, status } = cluster
  return {
    cluster,
    name: metadata.name,
    labels: metadata.labels ?? {},
    provider: spec.provider ?? '',
    region: spec.region ?? '',
    zones: spec.zones ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
    taints: spec.taints ?? NO_TAINTS,
    apis: apisOf(status?.apiEnablements ?? []),
    capacity: status?.resourceSummary && summaryCapacity(status.resourceSummary),
  }
}
