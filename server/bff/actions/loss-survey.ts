/** What the losses of clusters, regions, zones and pairs of clusters cost, as each reader may see it. */
import { EVERYTHING } from '../access/scope'
import { scoreOf } from '@/lib/view/loss-score'
import { losersOf } from '@/lib/domain/rebalance/loss'
import { message } from '@/lib/messages/message'
import { formatTime } from '@/lib/std/clock'
import { totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import { projectFixes } from '@/lib/view/project/fixes'
import { type LossReader, projectLoss, projectLosses, projectPairs } from '@/lib/view/project/losses'
import type { LossesView, LossSurveyView, LossView } from '@/lib/view/rebalance-model'
import type { Scope } from '../access/access'
import { idOf } from '../cache/control-plane-cache'
import { refuse } from '../http/refusal'
import type { ReadModel } from '../read-model/read-model'
import type { ApiDeps } from './api-deps'
import type { LossComputation } from './loss-computation'
import { type LossOrder, LossRuns } from './loss-runs'
import { type LossSet, lossSetsOf } from './loss-sets'
import { refuseUnlessCurrent } from './plan-rebalance'

/** Scores are noted at most this often: in an incident they change with each eviction. */
const NOTE_MS = 15_000

export class LossSurvey {
  readonly #runs: LossRuns
  #notedAt = -Infinity

  constructor(private readonly deps: ApiDeps) {
    this.#runs = new LossRuns(deps, (computation) => this.#note(computation))
  }

  /** Returns the losses of single clusters that the reader may see. */
  view(scope: Scope, start: boolean): LossSurveyView {
    const [computation, reader] = this.#ask(scope, start ? 'start' : undefined)
    const each = computation ? this.#losses(computation, computation.singles, reader).each : []
    return {
      total: computation?.names.length ?? this.deps.cache.clusters.list().length,
      ...(computation && { computedAt: formatTime(computation.begunAt) }),
      ...(this.#runs.isOnDemand && { onDemand: true }),
      clusters: each.map(({ clusters: [cluster = ''], ...loss }) => ({
        cluster,
        workloads: loss.workloads,
        replicas: loss.needed,
        lostWorkloads: loss.losing,
        lostReplicas: loss.needed - loss.placed,
        names: loss.names,
      })),
    }
  }

  /** Returns all losses that the reader may see. */
  losses(scope: Scope, order: LossOrder): LossesView {
    const [computation, reader] = this.#ask(scope, order)
    if (!computation) return this.#nothingYet(reader)
    const { sets } = computation
    return {
      clusters: sets.clusters.filter(({ name }) => reader.cluster(name) !== undefined),
      unready: sets.unready,
      spanning: sets.spanning,
      computedAt: formatTime(computation.begunAt),
      revision: computation.revision,
      ...(this.#runs.isOutdated(computation) && { outdated: true }),
      ...this.#progress(),
      ...this.#computed(computation, reader),
      ...this.#fixes(computation, reader),
      ...(reader.seesAllWorkloads && { history: [...this.deps.journal.scores], ...this.#accuracy() }),
      ...(this.#runs.arePairsOnDemand(computation) && { pairsOnDemand: true }),
      ...(this.#runs.isOnDemand && { onDemand: true }),
    }
  }

  /** How well predictions of incidents came true. */
  #accuracy(): Pick<LossesView, 'accuracy'> {
    const incidents = this.deps.journal.predictions.accuracies()
    if (incidents.length === 0) return {}
    const { exact, missed } = totalAccuracy(incidents)
    return { accuracy: { incidents: incidents.length, exact, missed } }
  }

  #computed(computation: LossComputation, reader: ReadModel) {
    const { sets, base, names } = computation
    const kind = (list: readonly LossSet[]) => this.#losses(computation, list, reader)
    const cluster = kind(computation.singles)
    return {
      ...(base.tookMs !== undefined && { tookMs: base.tookMs }),
      cluster,
      region: kind(sets.region),
      zone: kind(sets.zone),
      ...this.#pairs(computation, cluster, reader),
      pairsTotal: pairCount(names),
    }
  }

  #nothingYet(reader: ReadModel): LossesView {
    const { clusters, unready, spanning } = lossSetsOf(this.deps.cache.clusters.list())
    return {
      clusters: clusters.filter(({ name }) => reader.cluster(name) !== undefined),
      unready,
      spanning,
      cluster: NO_LOSSES,
      region: NO_LOSSES,
      zone: NO_LOSSES,
      withoutFailoverPolicy: 0,
      pairsTotal: pairCount(clusters),
      onDemand: true,
    }
  }

  /** Returns one computed loss. */
  loss(scope: Scope, clusters: readonly string[]): LossView {
    const [computation, reader] = this.#ask(scope, undefined)
    const isSeen = clusters.every((name) => reader.cluster(name) !== undefined)
    const loss = isSeen ? computation?.outcome(clusters) : undefined
    if (!loss) throw refuse(404, 'NotFound', message('rebalance.problem.noLoss', { clusters }))
    return projectLoss({ loss }, readerOf(computation!, reader))
  }

  #ask(scope: Scope, order: LossOrder): [LossComputation | undefined, ReadModel] {
    refuseUnlessCurrent(this.deps.cache)
    return [this.#runs.ask(order), this.deps.views.models.of(scope)]
  }

  #note(computation: LossComputation): void {
    const { clock, journal, views } = this.deps
    if (clock.elapsed() - this.#notedAt < NOTE_MS) return
    const score = scoreOf(this.#computed(computation, views.models.of(EVERYTHING)))
    const before = journal.scores.at(-1)?.score
    if (score === undefined || score === before) return
    this.#notedAt = clock.elapsed()
    journal.note([{ what: 'resilience', after: score, ...(before !== undefined && { before }) }], false)
  }

  #progress(): Pick<LossesView, 'progress'> {
    if (!this.#runs.running) return {}
    const { base, pairs } = this.#runs.running
    const isBase = base.done < base.sets.length
    const { done, sets } = isBase ? base : (pairs ?? base)
    return { progress: { done, total: sets.length, pairs: !isBase } }
  }

  #losses(computation: LossComputation, sets: readonly LossSet[], reader: ReadModel): LossesView['cluster'] {
    const computed = sets.flatMap(({ clusters, place }) => {
      const loss = clusters.every((name) => reader.cluster(name)) ? computation.outcome(clusters) : undefined
      return loss ? [{ loss, place }] : []
    })
    return projectLosses(computed, readerOf(computation, reader))
  }

  #fixes(computation: LossComputation, reader: ReadModel): Pick<LossesView, 'fixes' | 'withoutFailoverPolicy'> {
    const { fixes, base, bindings } = computation
    const lossReader = readerOf(computation, reader)
    const losses = base.sets.flatMap(({ clusters }) => computation.outcome(clusters) ?? [])
    const losers = new Set(losses.flatMap((loss) => losersOf(loss).filter(lossReader.sees)))
    return {
      ...(fixes && {
        fixes: projectFixes(fixes, computation.namedSets, { ...lossReader, seesAll: reader.seesAllWorkloads }),
      }),
      withoutFailoverPolicy: [...losers].filter((at) => bindings[at]!.spec.failover === undefined).length,
    }
  }

  /** Users see all clusters or none, so the pairs of the visible clusters are all pairs. */
  #pairs(computation: LossComputation, { each }: LossesView['cluster'], reader: ReadModel): Pick<LossesView, 'pairs'> {
    const { pairs } = computation
    if (pairs?.tookMs === undefined || each.length < computation.names.length) return {}
    const alone = new Map(each.map(({ clusters: [name = ''], needed, placed }) => [name, needed - placed]))
    const losses = pairs.sets.flatMap(({ clusters }) => computation.outcome(clusters) ?? [])
    return { pairs: { ...projectPairs(losses, alone, readerOf(computation, reader)), tookMs: pairs.tookMs } }
  }
}

function readerOf(computation: LossComputation, reader: ReadModel): LossReader {
  const { bindings } = computation
  return {
    workloads: bindings,
    sees: (workload) => reader.seesAllWorkloads || reader.seesWorkload(idOf(bindings[workload]!)),
  }
}

const NO_LOSSES: LossesView['cluster'] = { losses: 0, survived: 0, needed: 0, placed: 0, each: [] }

const pairCount = ({ length }: readonly unknown[]): number => (length * (length - 1)) / 2
