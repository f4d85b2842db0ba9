/** Summary of the simulated losses: the headline, the score, and the worst cases. */
import { type Message, message } from '@/lib/messages/message'
import type { State } from '@/lib/view/model'
import type { LossesView, LossView } from '@/lib/view/rebalance-model'

/** What fails. */
export type LossKind = 'cluster' | 'region' | 'zone' | 'pair'

export interface LossCase {
  kind: LossKind
  loss: LossView
}

export interface Headline {
  state: State
  sentence: Message
}

const PLACES = ['cluster', 'region', 'zone'] as const
/** Worst cases that are listed. */
const MAX_CASES = 8

const failing = ({ losses, survived }: { losses: number; survived: number }): number => losses - survived

/** One true sentence about all losses that were computed. */
export function headlineOf(losses: LossesView): Headline {
  const { computedAt, tookMs, progress, cluster, pairs } = losses
  if (computedAt === undefined) return { state: 'unknown', sentence: message('resilience.headline.notComputed') }
  if (tookMs === undefined) {
    const { done = 0, total = 0 } = progress ?? {}
    return { state: 'active', sentence: message('resilience.headline.computing', { done, n: total }) }
  }
  if (cluster.each.every(({ workloads }) => workloads === 0))
    return { state: 'unknown', sentence: message('resilience.headline.nothing') }
  const failingPairs = pairs ? failing(pairs) : 0
  const what = [...PLACES.flatMap((kind) => count(kind, failing(losses[kind]))), ...count('pairs', failingPairs)]
  if (PLACES.some((kind) => failing(losses[kind]) > 0))
    return { state: 'fail', sentence: message('resilience.headline.no', { what }) }
  return failingPairs > 0
    ? { state: 'warn', sentence: message('resilience.headline.pairs', { n: failingPairs }) }
    : { state: 'ok', sentence: message('resilience.headline.yes') }
}

const count = (kind: 'cluster' | 'region' | 'zone' | 'pairs', n: number): Message[] =>
  n > 0 ? [message(`resilience.count.${kind}`, { n })] : []

/** The losses that cost something, the worst first. */
export function worstCases(losses: LossesView): LossCase[] {
  const cases: LossCase[] = [
    ...PLACES.flatMap((kind) => losses[kind].each.map((loss) => ({ kind, loss }))),
    ...(losses.pairs?.worst ?? []).map((loss) => ({ kind: 'pair' as const, loss })),
  ]
  // A zone may be a region, and a region one cluster: the first name of the same clusters is enough.
  const setOf = ({ loss }: LossCase): string => loss.clusters.toSorted().join()
  return cases
    .filter((one, at) => one.loss.losing > 0 && cases.findIndex((other) => setOf(other) === setOf(one)) === at)
    .sort((a, b) => b.loss.losing - a.loss.losing || missing(b.loss) - missing(a.loss))
    .slice(0, MAX_CASES)
}

const missing = ({ needed, placed }: LossView): number => needed - placed

/** Workloads that lose replicas at a cell of the triangle; undefined where that is not computed. */
export function losingAt(losses: LossesView, row: number, column: number): number | undefined {
  const [low, high] = row < column ? [row, column] : [column, row]
  return low === high ? losses.cluster.each[low]?.losing : losses.pairs?.losing[(high * (high - 1)) / 2 + low]
}

/** The clusters that are part of most of the pairs that lose something. */
export function clustersInPairs({ clusters, pairs }: LossesView, most: number): string[] {
  const counts = clusters.map(() => 0)
  let at = 0
  for (let row = 1; row < clusters.length; row += 1) {
    for (let column = 0; column < row; column += 1, at += 1) {
      if (!pairs?.losing[at]) continue
      counts[row]! += 1
      counts[column]! += 1
    }
  }
  return [...counts.keys()]
    .filter((index) => counts[index]! > 0)
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, most)
    .map((index) => clusters[index]!.name)
}
