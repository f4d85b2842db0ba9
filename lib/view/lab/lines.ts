/**
 * One workload in every cluster: replicas now and with the edit, score, capacity, and the reason for clusters without
 * replicas.
 */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Message } from '@/lib/messages/message'
import { explainVerdictOf } from '../project/why'
import type { AnyBinding } from '../project/binding-facts'
import type { WorkloadOutcome } from './outcome'

/** A candidate, or a cluster that has replicas now. */
export interface LabLine {
  cluster: string
  region: string
  now: number
  after: number
  fits: boolean
  score?: number | undefined
  /** Additional replicas that it could take; absent if unlimited. */
  available?: number | undefined
  why: Message | string
}

/** Clusters without replicas for the same reason. */
export interface LeftOutGroup {
  why: Message | string
  fits: boolean
  clusters: readonly string[]
}

export interface LabLines {
  /** Clusters with replicas now or with the edit, by region. */
  regions: readonly { region: string; lines: readonly LabLine[] }[]
  leftOut: readonly LeftOutGroup[]
  all: number
}

/** `after`: the result to show. */
export function labLines(
  { tried }: Pick<WorkloadOutcome, 'tried'>,
  clusters: readonly Cluster[],
  after: readonly TargetCluster[],
): LabLines {
  const whys = tried.verdict ? explainVerdictOf(tried.binding as AnyBinding, clusters, tried.verdict) : []
  const byCluster = new Map(whys.map((why) => [why.cluster, why]))
  const regions = new Map(clusters.map(({ metadata, spec }) => [metadata.name, spec.region ?? '']))
  const [now, then] = [tried.now, after].map((list) => new Map(list.map(({ name, replicas = 0 }) => [name, replicas])))
  const names = new Set([...regions.keys(), ...now!.keys(), ...then!.keys()])
  const lines = [...names].sort().map((cluster): LabLine => {
    const why = byCluster.get(cluster)
    return {
      cluster,
      region: regions.get(cluster) ?? '',
      now: now!.get(cluster) ?? 0,
      after: then!.get(cluster) ?? 0,
      fits: why?.fits ?? false,
      score: why?.score,
      available: why?.capacity,
      why: why?.sentence ?? '',
    }
  })
  const isShown = ({ cluster }: LabLine): boolean => now!.has(cluster) || then!.has(cluster)
  return {
    regions: byRegion(lines.filter(isShown)),
    leftOut: leftOutOf(lines.filter((line) => !isShown(line))),
    all: names.size,
  }
}

function byRegion(lines: readonly LabLine[]): LabLines['regions'] {
  const regions = new Map<string, LabLine[]>()
  for (const line of lines) regions.set(line.region, [...(regions.get(line.region) ?? []), line])
  return [...regions]
    .sort(([a], [b]) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1))
    .map(([region, members]) => ({ region, lines: members }))
}

/** Candidates first, then the largest groups. */
function leftOutOf(lines: readonly LabLine[]): LeftOutGroup[] {
  const groups = new Map<string, { why: LabLine['why']; fits: boolean; clusters: string[] }>()
  for (const { cluster, why, fits } of lines) {
    const key = JSON.stringify(why)
    const group = groups.get(key) ?? { why, fits, clusters: [] }
    group.clusters.push(cluster)
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (a, b) =>
      Number(b.fits) - Number(a.fits)
      || b.clusters.length - a.clusters.length
      || (a.clusters[0]! < b.clusters[0]! ? -1 : 1),
  )
}
