/**
 * When losses are computed: on request, and again after changes, in short turns or in threads, within a share of the time.
 */
import type { ApiDeps } from './api-deps'
import { LossComputation, revisionOf } from './loss-computation'
import { LossThreads } from './loss-threads'

/** A computation is made again after this time if the fleet has changed, and after the longer one when it is asked for. */
const FRESH_MS = 2_000
const FRESH_UNCHANGED_MS = 60_000
/** Maximum share of the time spent computing, smaller when no user requested it. Threads are not throttled. */
const TIME_SHARE = { requested: 1 / 3, background: 1 / 10 } as const
/** One time slice, in milliseconds of work; requests are served between slices. */
const SLICE_MS = 8
/** Larger fleets are computed in threads, or, where threads are unavailable, when a user requests it. */
const MAX_SIZE_IN_SLICES = 300
/** Pairs with more decisions are computed only when a user requests it. */
const MAX_DECISIONS_IN_BACKGROUND = { inSlices: 5_000, inThreads: 500_000 } as const
/** A computation that no user requested starts no earlier than this multiple of the last duration. */
const REST = 10

/** `start`: the losses of clusters, regions and zones. `pairs`: those of pairs too. */
export type LossOrder = 'start' | 'pairs' | undefined

interface Running {
  computation: LossComputation
  part: keyof typeof TIME_SHARE
  begun: number
  /** When the state of the fleet was taken. Monotonic: a wall clock that is set back must not stop the computations. */
  takenAt: number
}

export class LossRuns {
  #last: LossComputation | undefined
  /** When the state of the fleet was taken for `#last`, on the monotonic clock. */
  #lastTakenAt = 0
  #running: Running | undefined
  #threads: LossThreads | 'unavailable' | undefined
  #isFollowing = false
  #isAwaited = false

  /** `onDone` is called with each complete computation. */
  constructor(
    private readonly deps: Pick<ApiDeps, 'cache' | 'clock' | 'profile' | 'failover'>,
    private readonly onDone: (computation: LossComputation) => void,
  ) {}

  /** Returns the latest complete computation, or the first one while it runs. Starts a new one when due. */
  ask(order: LossOrder): LossComputation | undefined {
    if (order === 'pairs') this.#orderPairs()
    else if (this.#running === undefined && (order === 'start' || !this.isOnDemand) && this.#isDue()) this.#begin(order)
    return this.#last ?? this.#running?.computation
  }

  /** The computation that runs. */
  get running(): LossComputation | undefined {
    return this.#running?.computation
  }

  /** The fleet is large and there are no threads: a computation starts only when a user requests it. */
  get isOnDemand(): boolean {
    return this.#isLarge && this.#threads === 'unavailable'
  }

  arePairsOnDemand({ pairDecisions }: LossComputation): boolean {
    const most = MAX_DECISIONS_IN_BACKGROUND[this.#isLarge && !this.isOnDemand ? 'inThreads' : 'inSlices']
    return pairDecisions > most
  }

  /** Reports whether the fleet changed after the computation. */
  isOutdated({ revision }: LossComputation): boolean {
    const { cache } = this.deps
    return revision !== revisionOf({ bindings: cache.bindings(), clusters: cache.clusters.list() })
  }

  get #isLarge(): boolean {
    return this.deps.cache.bindings().length > MAX_SIZE_IN_SLICES
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
    if (this.#isAwaited || this.isOnDemand) return
    this.#isAwaited = true
    const { clock } = this.deps
    const dueAt = this.#last ? this.#lastTakenAt + FRESH_MS + this.#last.tookMs * REST : 0
    clock.after(Math.max(FRESH_MS, dueAt + 1 - clock.elapsed()), () => {
      this.#isAwaited = false
      this.#continue()
    })
  }

  #continue(): void {
    if (!this.deps.cache.hasSynced() || !this.#last) return
    if (this.#running) this.#await()
    else if (this.#isDue()) this.#begin(undefined)
    else if (this.isOutdated(this.#last)) this.#await()
  }

  #isDue(): boolean {
    if (!this.#last) return true
    const age = this.deps.clock.elapsed() - this.#lastTakenAt
    const rest = this.#last.tookMs * REST
    return age > FRESH_UNCHANGED_MS + rest || (age > FRESH_MS + rest && this.isOutdated(this.#last))
  }

  /** Adds the pairs to the latest computation if the fleet is unchanged, else to a new one. */
  #orderPairs(): void {
    if (this.#running?.computation.pairs) return
    const known = this.#running?.computation ?? this.#last
    if (!known || this.isOutdated(known)) return this.#begin('pairs')
    known.addPairs()
    this.#run(known, { order: 'pairs', takenAt: this.#running?.takenAt ?? this.#lastTakenAt })
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
    if (order === 'pairs' || !this.arePairsOnDemand(computation)) computation.addPairs()
    this.#run(computation, { order, takenAt: clock.elapsed() })
  }

  #run(computation: LossComputation, { order, takenAt }: { order: LossOrder; takenAt: number }): void {
    const isRunning = this.#running !== undefined
    const part = order === undefined ? 'background' : 'requested'
    this.#running = { computation, part, begun: this.#running?.begun ?? this.deps.clock.elapsed(), takenAt }
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
      if (computation.isDone) this.#conclude(this.#running)
      if (computation.isDone || !cache.hasSynced()) {
        this.#running = undefined
        return
      }
      computation.step(clock.elapsed() - begun)
      const took = clock.elapsed() - turnBegan
      if (took >= SLICE_MS) return void clock.after(took / TIME_SHARE[part] - took, () => this.#work())
    }
  }

  #conclude({ computation, takenAt }: Running): void {
    this.#last = computation
    this.#lastTakenAt = takenAt
    this.#follow()
    // What changed while it was computed.
    if (this.isOutdated(computation)) this.#await()
    this.onDone(computation)
  }
}
