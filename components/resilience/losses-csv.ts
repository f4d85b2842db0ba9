/** The simulated losses as comma-separated values. */
import { csvOf } from '@/lib/std/csv'
import type { LossesView } from '@/lib/view/rebalance-model'

/** Names of fields of the API: they stay English. */
const HEAD = [
  'kind',
  'place',
  'clusters',
  'workloads',
  'moved',
  'losing',
  'down',
  'waiting',
  'needed',
  'placed',
  'evictedAfterSeconds',
  'peakCluster',
  'peakResource',
  'peakShare',
] as const

/** A line for each loss of a cluster, a region or a zone, and for each pair; of most pairs only what is losing is known. */
export function lossesCsv(losses: LossesView): string {
  const places = (['cluster', 'region', 'zone'] as const).flatMap((kind) =>
    losses[kind].each.map(({ clusters, place = '', evictedAfterMs, peak, ...loss }) => [
      kind,
      place,
      clusters.join(' '),
      loss.workloads,
      loss.moved,
      loss.losing,
      loss.down,
      loss.waiting,
      loss.needed,
      loss.placed,
      evictedAfterMs === undefined ? '' : evictedAfterMs / 1000,
      peak?.cluster ?? '',
      peak?.resource ?? '',
      peak?.share ?? '',
    ]),
  )
  return csvOf([HEAD, ...places, ...pairLines(losses)])
}

function pairLines({ clusters, pairs }: LossesView): (string | number)[][] {
  if (!pairs) return []
  const names = clusters.flatMap((one, row) => clusters.slice(0, row).map((other) => `${one.name} ${other.name}`))
  return names.map((pair, at) => ['pair', '', pair, '', '', pairs.losing[at] ?? 0, '', '', '', '', '', '', '', ''])
}
