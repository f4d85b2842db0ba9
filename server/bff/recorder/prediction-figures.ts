/**
 * Notes how many workloads of finished plans and rebalancers ended where the preview put them, also for when these are
 * deleted.
 */
import { accuracyOf } from '@/lib/domain/rebalance'
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { type Clock, formatTime, type Stop } from '@/lib/std/clock'
import { type PlanAccuracy, totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import type { RebalancerRowView } from '@/lib/view/rebalance-model'
import type { Informer } from '@/server/kube/informer'
import { turnLimit } from '@/server/runtime/turns'
import type { Signal } from '../cache/signal'
import type { PredictionMetrics } from '../metrics-hooks'
import type { Journal } from './journal'

/** Writes one entry for each finished plan with moves, and exposes the sums of all stored ones. */
export function followPredictions(
  plans: Informer<RebalancePlanObject>,
  {
    journal,
    metrics,
  }: { journal: Pick<Journal, 'accuracies' | 'note'>; metrics: Pick<PredictionMetrics, 'predictions'> },
): Stop {
  const notify = (): void => {
    if (journal.accuracies.length === 0) return
    const { exact, missed } = totalAccuracy(journal.accuracies)
    metrics.predictions(exact, missed)
  }
  notify()
  return plans.onChange((change) => {
    const accuracy = change.type === 'deleted' ? undefined : finishedAccuracy(change.object)
    if (!accuracy || journal.accuracies.some((known) => isSame(known, accuracy))) return
    journal.note([{ what: 'accuracy', ...accuracy }], false)
    notify()
  })
}

/** Rebalancers whose workloads were scheduled are looked at together after this time. */
const GATHER_MS = 2000

interface RebalancerSources {
  /** Emits the id of each workload that was scheduled after a trigger. */
  scheduled: Pick<Signal, 'listen'>
  rebalancersNaming: (workload: string) => readonly string[]
  row: (rebalancer: string) => RebalancerRowView | undefined
  /** Computes these rows until `isLong`; returns whether nothing is left. */
  prepare: (rebalancers: Iterable<string>, isLong: () => boolean) => boolean
  journal: Pick<Journal, 'accuracies' | 'note'>
  metrics: Pick<PredictionMetrics, 'predictions'>
  clock: Clock
}

/** Writes one entry for each rebalancer of the console, once all of its workloads were scheduled. */
export function followRebalancers(sources: RebalancerSources): Stop {
  const { scheduled, rebalancersNaming, row, prepare, clock, journal, metrics } = sources
  const names = new Set<string>()
  let timer: Stop | undefined
  const note = (name: string): void => {
    const view = row(name)
    if (!view?.prediction || view.counts.pending + view.counts.triggered > 0) return
    if (journal.accuracies.some((known) => known.rebalancer && known.plan === name)) return
    const { asExpected: _, ...accuracy } = view.prediction
    const finishedAt = formatTime(clock.now())
    journal.note([{ what: 'accuracy', plan: name, rebalancer: true, finishedAt, ...accuracy }], false)
    const { exact, missed } = totalAccuracy(journal.accuracies)
    metrics.predictions(exact, missed)
  }
  const look = (): void => {
    if (!prepare(names, turnLimit(clock))) {
      timer = clock.after(0, look)
      return
    }
    timer = undefined
    for (const name of names) note(name)
    names.clear()
  }
  const stop = scheduled.listen((id) => {
    for (const name of rebalancersNaming(id)) names.add(name)
    if (names.size > 0) timer ??= clock.after(GATHER_MS, look)
  })
  return () => {
    stop()
    timer?.()
  }
}

function finishedAccuracy({ metadata, status }: RebalancePlanObject): PlanAccuracy | undefined {
  if (status?.finishedAt === undefined) return undefined
  const accuracy = accuracyOf(status.workloads ?? [])
  return accuracy.exact + accuracy.missed === 0
    ? undefined
    : { plan: metadata.name, finishedAt: status.finishedAt, ...accuracy }
}

const isSame = (one: PlanAccuracy, other: PlanAccuracy): boolean =>
  one.plan === other.plan && one.finishedAt === other.finishedAt
