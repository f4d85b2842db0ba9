/** Views of simulated losses, restricted to the workloads that the reader may view. */
import { isSchedulingSuspended } from '@/lib/domain/placement'
import { type Loss, losersOf, totalsOf } from '@/lib/domain/rebalance/loss'
import type { LossesView, LossView } from '../rebalance-model'
import { type AnyBinding, templateOf } from './binding-facts'

/** Maximum number of workloads named per loss. */
const MAX_NAMED = 5
/** Maximum number of pairs shown in detail. */
const MAX_PAIRS = 8

/** The workloads that the reader may view. Decisions always use all, because they compete for capacity. */
export interface LossReader {
  workloads: readonly AnyBinding[]
  sees: (workload: number) => boolean
}

/** A loss with the name of the region or zone. */
export interface NamedLoss {
  loss: Loss
  place?: string | undefined
}

type LossesOfKind = LossesView['cluster']
type PairsView = NonNullable<LossesView['pairs']>

export function projectLoss({ loss, place }: NamedLoss, { workloads, sees }: LossReader): LossView {
  const { moved, losing, down, needed, placed, workloads: touched } = totalsOf(loss, sees)
  const losers = losersOf(loss).filter(sees)
  return {
    clusters: [...loss.clusters],
    ...(place !== undefined && { place }),
    workloads: touched,
    moved,
    losing,
    down,
    waiting: losers.filter((at) => isSchedulingSuspended(workloads[at]!.spec)).length,
    needed,
    placed,
    names: losers.slice(0, MAX_NAMED).map((at) => templateOf(workloads[at]!).name),
    ...(loss.peak && { peak: { ...loss.peak } }),
    ...(loss.evictedAfterMs !== undefined && { evictedAfterMs: loss.evictedAfterMs }),
  }
}

export function projectLosses(losses: readonly NamedLoss[], reader: LossReader): LossesOfKind {
  const each = losses.map((one) => projectLoss(one, reader))
  return { ...sumsOf(each), each }
}

/** `losses`: in the order of `LossesView.pairs.losing`. `alone`: unplaced replicas when a cluster fails alone. */
export function projectPairs(
  losses: readonly Loss[],
  alone: ReadonlyMap<string, number>,
  reader: LossReader,
): Omit<PairsView, 'tookMs'> {
  const totals = losses.map((loss) => totalsOf(loss, reader.sees))
  const beyond = totals.map(
    ({ needed, placed }, at) =>
      needed - placed - losses[at]!.clusters.reduce((sum, name) => sum + (alone.get(name) ?? 0), 0),
  )
  const worst = [...losses.keys()]
    .filter((at) => beyond[at]! > 0)
    .sort((a, b) => totals[b]!.losing - totals[a]!.losing || beyond[b]! - beyond[a]!)
  return {
    ...sumsOf(totals),
    losing: totals.map(({ losing }) => losing),
    worst: worst.slice(0, MAX_PAIRS).map((at) => projectLoss({ loss: losses[at]! }, reader)),
  }
}

function sumsOf(totals: readonly Pick<LossView, 'losing' | 'needed' | 'placed'>[]): Omit<LossesOfKind, 'each'> {
  return {
    losses: totals.length,
    survived: totals.filter(({ losing }) => losing === 0).length,
    needed: totals.reduce((sum, { needed }) => sum + needed, 0),
    placed: totals.reduce((sum, { placed }) => sum + placed, 0),
  }
}
