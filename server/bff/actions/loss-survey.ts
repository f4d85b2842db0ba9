/**
 * What the losses of clusters, regions, zones and pairs of clusters cost: computed in short turns or in threads from the first
 * request on, and again after changes.
 */
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
import { LossComputation, revisionOf } from './loss-computation'
import { LossThreads } from './loss-threads'
import { type LossSet, lossSetsOf } from './loss-sets'
import { refuseUnlessCurrent } from './plan-rebalance'

/** A computation is made again after this time if the fleet has changed, and after the longer one when it is asked for. */
const FRESH_MS = 2_000
const FRESH_UNCHANGED_MS = 60_000
/** Maximum share of the time spent computing, smaller when no user requested it. Threads are not throttled. */
const PART_OF_TIME = { ordered: 1 / 3, unasked: 1 / 10 } as const
/** One time slice, in milliseconds of work; requests are served between slices. */
const TURN_MS = 8
/** Larger fleets are computed in threads, or, where threads are unavailable, when a user requests it. */
const LARGEST_IN_TURNS = 300
/** Pairs with more decisions are computed only when a user requests it. */
const MOST_DECISIONS_UNASKED = { inTurns: 5_000, inThreads: 500_000 } as const
/** A computation that no user requested starts no earlier than this multiple of the last duration. */
const REST = 10

/** Scores are noted at most this often: in an incident they change with each eviction. */
const NOTE_MS = 15_000

/** `start`: the losses of clusters, regions and zones. `pairs`: those of pairs too. */
export type LossOrder = 'start' | 'pairs' | undefined

interface Running {
  computation: LossComputation
  part: keyof typeof PART_OF_TIME
  begun: number
}

export class LossSurvey {
  #last: LossComputation | undefined
  #running: Running | undefined
  #threads: LossThreads | 'unavailable' | undefined
  #isFollowing = false
  #isAwaited = false
  #notedAt = -Infinity

  constructor(private readonly deps: ApiDeps) {}

  /** Returns the losses of single clusters that the reader may see. */
  view(scope: Scope, start: boolean): LossSurveyView {
    const [computation, reader] = this.#ask(scope, start ? 'start' : undefined)
    const each = computation ? this.#losses(computation, computation.singles, reader).each : []
    return {
      total: computation?.names.length ?? this.deps.cache.clusters.list().length,
      ...(computation && { computedAt: formatTime(computation.begunAt) }),
      ...(this.#isOnDemand && { onDemand: true }),
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
      ...(this.#isOutdated(computation) && { outdated: true }),
      ...this.#progress(),
      ...this.#computed(computation, reader),
      ...this.#fixes(computation, reader),
      ...(reader.seesAllWorkloads && { history: [...this.deps.journal.scores], ...this.#accuracy() }),
      ...(this.#arePairsOnDemand(computation) && { pairsOnDemand: true }),
      ...(this.#isOnDemand && { onDemand: true }),
    }
  }

  /** How well what was foretold of incidents came true. */
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

  /** A large fleet is computed in threads, or when a user requests it. */
  get #isLarge(): boolean {
    return this.deps.cache.bindings().length > LARGEST_IN_TURNS
  }

  get #isOnDemand(): boolean {
    return this.#isLarge && this.#threads === 'unavailable'
  }

  #arePairsOnDemand({ pairDecisions }: LossComputation): boolean {
    const most = MOST_DECISIONS_UNASKED[this.#isLarge && !this.#isOnDemand ? 'inThreads' : 'inTurns']
    return pairDecisions > most
  }

  /** Returns the latest complete computation, or the first one while it runs. Starts a new one when due. */
  #ask(scope: Scope, order: LossOrder): [LossComputation | undefined, ReadModel] {
    const { cache, views } = this.deps
    refuseUnlessCurrent(cache)
    if (order === 'pairs') this.#orderPairs()
    else if (this.#running === undefined && (order === 'start' || !this.#isOnDemand) && this.#isDue())
      this.#begin(order)
    return [this.#last ?? this.#running?.computation, views.models.of(scope)]
  }

  /** From the first result on, every change leads to another, whether a user asks or not. */
  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    const { cache } = this.deps
    cache.clusters.onChange(() => this.#await())
    cache.onBindingChange(() => this.#await())
  }

  #await(): void {
    if (this.#isAwaited || this.#isOnDemand) return
    this.#isAwaited = true
    const { clock } = this.deps
    const dueAt = this.#last ? this.#last.begunAt + FRESH_MS + this.#last.tookMs * REST : 0
    clock.after(Math.max(FRESH_MS, dueAt + 1 - clock.now()), () => {
      this.#isAwaited = false
      this.#continue()
    })
  }

  #continue(): void {
    if (!this.deps.cache.hasSynced() || !this.#last) return
    if (this.#running) this.#await()
    else if (this.#isDue()) this.#begin(undefined)
    else if (this.#isOutdated(this.#last)) this.#await()
  }

  #isDue(): boolean {
    if (!this.#last) return true
    const age = this.deps.clock.now() - this.#last.begunAt
    const rest = this.#last.tookMs * REST
    return age > FRESH_UNCHANGED_MS + rest || (age > FRESH_MS + rest && this.#isOutdated(this.#last))
  }

  /** Adds the pairs to the latest computation if the fleet is unchanged, else to a new one. */
  #orderPairs(): void {
    if (this.#running?.computation.pairs) return
    const known = this.#running?.computation ?? this.#last
    if (!known || this.#isOutdated(known)) return this.#begin('pairs')
    known.addPairs()
    this.#run(known, 'pairs')
  }

  #begin(order: LossOrder): void {
    const { cache, clock, profile, failover } = this.deps
    const fleet = {
      bindings: cache.bindings(),
      clusters: cache.clusters.list(),
      now: clock.now(),
      ...(profile && { profile }),
      ...(failover?.timing && { timing: failover.timing }),
    }
    const computation = new LossComputation(fleet, this.#running?.computation ?? this.#last)
    if (order === 'pairs' || !this.#arePairsOnDemand(computation)) computation.addPairs()
    this.#run(computation, order)
  }

  #run(computation: LossComputation, order: LossOrder): void {
    const isRunning = this.#running !== undefined
    const part = order === undefined ? 'unasked' : 'ordered'
    this.#running = { computation, part, begun: this.#running?.begun ?? this.deps.clock.elapsed() }
    if (isRunning) return
    // A small fleet gets its answer immediately.
    if (this.#isLarge && this.#threads !== 'unavailable') void this.#workInThreads()
    else this.#work()
  }

  /** Computes in threads; continues in time slices when a thread fails. */
  async #workInThreads(): Promise<void> {
    const { clock, cache } = this.deps
    const threads = (this.#threads ??= new LossThreads()) as LossThreads
    try {
      while (this.#running && !this.#running.computation.isDone && cache.hasSynced()) {
        const { computation, begun } = this.#running
        const isWanted = (): boolean => this.#running?.computation === computation && cache.hasSynced()
        await threads.compute(computation, { isWanted, elapsed: () => clock.elapsed() - begun })
      }
    } catch {
      this.#threads = 'unavailable'
      this.#running?.computation.retake()
      await threads.close()
    }
    this.#work()
  }

  /** Runs one time slice; the pause after it is proportional to its duration. */
  #work(): void {
    const { clock, cache } = this.deps
    const turnBegan = clock.elapsed()
    while (this.#running !== undefined) {
      const { computation, part, begun } = this.#running
      if (computation.isDone) this.#conclude(computation)
      if (computation.isDone || !cache.hasSynced()) {
        this.#running = undefined
        return
      }
      computation.step(clock.elapsed() - begun)
      const took = clock.elapsed() - turnBegan
      if (took >= TURN_MS) return void clock.after(took / PART_OF_TIME[part] - took, () => this.#work())
    }
  }

  #conclude(computation: LossComputation): void {
    this.#last = computation
    this.#follow()
    // What changed while it was computed.
    if (this.#isOutdated(computation)) this.#await()
    const { clock, journal, views } = this.deps
    if (clock.now() - this.#notedAt < NOTE_MS) return
    const score = scoreOf(this.#computed(computation, views.models.of(EVERYTHING)))
    const before = journal.scores.at(-1)?.score
    if (score === undefined || score === before) return
    this.#notedAt = clock.now()
    journal.note([{ what: 'resilience', after: score, ...(before !== undefined && { before }) }], false)
  }

  #isOutdated({ revision }: LossComputation): boolean {
    const { cache } = this.deps
    return revision !== revisionOf({ bindings: cache.bindings(), clusters: cache.clusters.list() })
  }

  #progress(): Pick<LossesView, 'progress'> {
    if (!this.#running) return {}
    const { base, pairs } = this.#running.computation
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
