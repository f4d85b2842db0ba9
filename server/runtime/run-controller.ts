/** Runs a controller: maps changes to keys, hands keys to workers, and schedules retries. */
import { randomUUID } from 'node:crypto'
import { isConflict } from '@/lib/kube/errors'
import { apiVersionOf } from '@/lib/kube/kind'
import type { ResourceBinding } from '@/lib/kube/kinds'
import type { KubeObject, ObjectKey } from '@/lib/kube/object'
import { objectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Clock, Stop } from '@/lib/std/clock'
import type { EventRecorder } from '@/server/kube/events'
import type { Change, Informers } from '@/server/kube/informer'
import { withContext } from '@/server/telemetry/context'
import { noSpans, type Spans } from '@/server/telemetry/spans'
import { asWork } from '@/server/telemetry/work'
import {
  AwaitedError,
  type Controller,
  type Logger,
  type ReconcileResult,
  TerminalError,
  type WatchSpec,
} from './controller'
import { objectOfKey } from './key-object'
import { noMetrics, type Outcome, type RuntimeMetrics } from './metrics-hooks'
import { FAILURES_REPORTED, noFailureTracker, type FailureTracker, sentenceOf } from './failure-tracker'
import { exponentialBackoff, type RetryLimiter } from './rate-limit'
import type { Turns } from './turns'
import { createWorkQueue, type WorkQueue } from './work-queue'

/**
 * A failing key is logged at the default level if it failed `FAILURES_TOLD` times and its next retry is at least this
 * far away.
 */
const LOGGED_DELAY_MS = 10_000

export interface RunOptions {
  informers: Informers
  clock: Clock
  log: Logger
  metrics?: RuntimeMetrics
  /** Default: no tracing. */
  spans?: Spans
  /** Default: every key is reconciled, and failures are not recorded. */
  failureTracker?: FailureTracker
  /** Records events on objects whose reconcile fails. Default: none. */
  events?: EventRecorder
  /** Prefix of the controller's name if several with the same name run: the member cluster. */
  scope?: string
  /** Default: the controller's own `retry`, else 5 ms doubling to 1000 s per key. */
  limiter?: RetryLimiter<ObjectKey>
  /** Default: reconciles follow each other without a pause. */
  turns?: Turns
  /** Called before every reconcile. False drops the key, because another process leads. */
  mayRun?: () => boolean
}

export interface RunningController {
  /** Resolves when the caches have synced and the workers have started. */
  readonly started: Promise<void>
  /** Keys queued or being reconciled. */
  readonly pending: number
  /** Stops taking keys; resolves when running reconciles have finished. */
  stop(): Promise<void>
}

/** Starts `controller`. Reconciles start after every kind that it watches or reads has synced. */
export function runController(controller: Controller, options: RunOptions): RunningController {
  const run = new ControllerRun(controller, options)
  run.start()
  return run
}

class ControllerRun implements RunningController {
  readonly #queue: WorkQueue<ObjectKey>
  readonly #limiter: RetryLimiter<ObjectKey>
  /** A conflict means that the cache was outdated; it is usually current within milliseconds. */
  readonly #conflicts: RetryLimiter<ObjectKey> = exponentialBackoff({ baseMs: 5, maxMs: 1000 })
  readonly #metrics: RuntimeMetrics
  readonly #failureTracker: FailureTracker
  /** Name of the controller in the failure tracker. */
  readonly #name: string
  readonly #log: Logger
  readonly #stops: (() => void | Promise<void>)[] = []
  readonly #halt = Promise.withResolvers<void>()
  #stopped = false
  started: Promise<void> = Promise.resolve()
  #workers: Promise<void>[] = []

  constructor(
    private readonly controller: Controller,
    private readonly options: RunOptions,
  ) {
    this.#queue = createWorkQueue(options.clock)
    this.#limiter = options.limiter ?? exponentialBackoff(controller.retry)
    this.#metrics = options.metrics ?? noMetrics
    this.#failureTracker = options.failureTracker ?? noFailureTracker
    this.#name = options.scope === undefined ? controller.name : `${options.scope}/${controller.name}`
    this.#log = options.log.child({ controller: controller.name })
  }

  get pending(): number {
    return this.#queue.depth + this.#queue.active
  }

  start(): void {
    for (const spec of this.controller.watches) this.#stops.push(this.#watch(spec))
    const takeDown = this.controller.start?.({
      add: (key) => this.#add(key),
      addAfter: (key, delayMs) => this.#queue.addAfter(key, delayMs),
    })
    if (takeDown) this.#stops.push(takeDown)
    this.#resync()
    this.started = this.#work()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#halt.resolve()
    this.#queue.shutDown()
    await this.started
    await Promise.all(this.#workers)
    for (const stop of this.#stops) await stop()
  }

  #watch(spec: WatchSpec): Stop {
    return this.options.informers.of(spec.kind).onChange((change) => {
      if (spec.relevant && !spec.relevant(change)) return
      const why = reasonToReconsider(change)
      for (const key of keysOf(spec, change)) {
        if (why && this.#isOwnChange(key, spec, change)) this.#failureTracker.reconsider(this.#name, key, why)
        this.#add(key)
      }
    })
  }

  /**
   * Reports whether the changed object is the key's own object: a change of a cluster or a Work must not lift the
   * quarantine of every binding that it maps to. Templates are not watched directly, so any change that maps to their
   * key counts.
   */
  #isOwnChange(key: ObjectKey, { kind: { kind } }: WatchSpec, change: Change<KubeObject>): boolean {
    const { watches } = this.controller
    const object = objectOfKey(key)
    const own = object.kind ?? watches[0]?.kind.kind
    if (!watches.some((each) => each.kind.kind === own)) return true
    return kind === own && object.key === keyOfChange(change)
  }

  #add(key: ObjectKey): void {
    this.#queue.add(key, this.controller.priority?.(key) ?? 0)
    this.#metrics.queueDepth(this.controller.name, this.#queue.depth)
  }

  #resync(): void {
    const {
      resyncEveryMs,
      watches: [first],
    } = this.controller
    if (resyncEveryMs === undefined || !first) return
    let cancel: Stop = () => undefined
    const again = (): void => {
      cancel = this.options.clock.after(resyncEveryMs, () => {
        for (const object of this.options.informers.of(first.kind).list()) {
          for (const key of keysOf(first, { type: 'added', object })) this.#add(key)
        }
        again()
      })
    }
    again()
    this.#stops.push(() => cancel())
  }

  async #work(): Promise<void> {
    const { informers } = this.options
    const kinds = [...this.controller.watches.map((spec) => spec.kind), ...(this.controller.reads ?? [])]
    const caches = kinds.map((kind) => informers.of(kind).whenSynced())
    await Promise.race([this.#halt.promise, Promise.all([...caches, this.controller.whenReady?.()])])
    if (this.#stopped) return
    this.#workers = Array.from({ length: this.controller.concurrency ?? 1 }, () => this.#worker())
  }

  async #worker(): Promise<void> {
    for (let key = await this.#queue.next(); key !== undefined; key = await this.#queue.next()) {
      const turn = this.options.turns?.next()
      if (turn) await turn
      if (this.options.mayRun?.() ?? true) await this.#handle(key)
      this.#queue.done(key)
      this.#metrics.queueDepth(this.controller.name, this.#queue.depth)
    }
  }

  async #handle(key: ObjectKey): Promise<void> {
    if (this.#failureTracker.refusal(this.#name, key) !== undefined) return this.#reportFailing(key)
    const turn = this.#failureTracker.begin(this.#name, key)
    const end = turn instanceof Promise ? await turn : turn
    const began = performance.now()
    // Adds the ID of this reconcile to every log line below.
    const { name } = this.controller
    const work = { by: name, controller: name, key }
    const pass = (): Promise<Outcome> => asWork(work, () => this.#pass(key))
    const outcome = await withContext({ reconcileId: randomUUID() }, pass).finally(end)
    this.#metrics.reconciled(name, outcome, (performance.now() - began) / 1000)
  }

  #pass(key: ObjectKey): Promise<Outcome> {
    const { spans = noSpans } = this.options
    const { name } = this.controller
    return spans.within(
      { name: `reconcile ${name}`, kind: 'internal', attributes: { 'evenkeel.controller': name, 'evenkeel.key': key } },
      async (span) => {
        try {
          return this.#settle(key, await this.controller.reconcile(key))
        } catch (error) {
          span.fail(error instanceof Error ? error.message : String(error))
          return this.#fail(key, error)
        }
      },
    )
  }

  #settle(key: ObjectKey, result: ReconcileResult): Outcome {
    this.#limiter.forget(key)
    this.#conflicts.forget(key)
    this.#failureTracker.recovered(this.#name, key)
    if (!result) return 'success'
    this.#queue.addAfter(key, result.requeueAfterMs)
    return 'requeue'
  }

  #fail(key: ObjectKey, error: unknown): Outcome {
    if (error instanceof TerminalError) {
      this.#limiter.forget(key)
      this.#log.warn({ key, cause: error.message }, 'reconcile failed permanently')
      this.#failureTracker.failed(this.#name, key, { cause: error.message, failures: 1 })
      this.#reportFailing(key)
      return 'terminal'
    }
    const conflict = isConflict(error)
    const delayMs = (conflict ? this.#conflicts : this.#limiter).delayMs(key)
    this.#queue.addAfter(key, delayMs)
    if (conflict) {
      this.#log.debug({ key, delayMs }, 'conflict; retrying')
      return 'conflict'
    }
    this.#reportFailure(key, error, delayMs)
    return 'error'
  }

  /** Logs only repeated failures by default, because most failures disappear on a retry. */
  #reportFailure(key: ObjectKey, error: unknown, delayMs: number): void {
    const failures = this.#limiter.failures(key)
    this.#log.debug({ key, err: error, delayMs, failures }, 'reconcile failed; retrying')
    if (error instanceof AwaitedError || failures < FAILURES_REPORTED) return
    const cause = error instanceof Error ? error.message : String(error)
    this.#failureTracker.failed(this.#name, key, { cause, failures, nextTryAt: this.options.clock.now() + delayMs })
    if (failures === FAILURES_REPORTED) this.#reportFailing(key)
    if (delayMs < LOGGED_DELAY_MS) return
    this.#log.warn({ key, cause, delayMs, failures }, 'reconcile keeps failing; retrying')
  }

  /**
   * Records an event on the object of the key, if it is cached, so that its page and `kubectl describe` show the
   * failure.
   */
  #reportFailing(key: ObjectKey): void {
    const { events, informers } = this.options
    const trouble = this.#failureTracker.failing().find((one) => one.key === key && one.controller === this.#name)
    const named = objectOfKey(key)
    const watched = this.controller.watches.find(({ kind: { kind } }) => (named.kind ?? kind) === kind)
    const object = watched && informers.of(watched.kind).get(named.key)
    if (!events || !trouble || !object) return
    const { namespace, name, uid } = object.metadata
    events.record({
      component: this.controller.name,
      type: 'Warning',
      reason: trouble.state === 'skipped' ? 'ReconcileSkipped' : 'ReconcileFailing',
      message: sentenceOf(trouble),
      regarding: {
        apiVersion: apiVersionOf(watched.kind),
        kind: watched.kind.kind,
        name,
        uid,
        ...(namespace !== undefined && { namespace }),
      },
    })
  }
}

/** Returns a reason to retry a skipped key if a user, not a controller, changed the object. */
function reasonToReconsider(change: Change<KubeObject>): 'changed' | 'deleted' | undefined {
  if (change.type === 'deleted') return 'deleted'
  if (change.type === 'added') return undefined
  const [before, after] = [change.old.metadata, change.object.metadata]
  if (after.deletionTimestamp !== before.deletionTimestamp) return 'deleted'
  if (after.generation === before.generation) return undefined
  return isOnlyTemplateVersion(change.old, change.object) ? undefined : 'changed'
}

/**
 * Reports whether only the template's resourceVersion changed, which a binding records: it changes with every status
 * update of the template and at each start.
 */
function isOnlyTemplateVersion(before: KubeObject, after: KubeObject): boolean {
  if (!after.kind.endsWith('ResourceBinding')) return false
  const [old, spec] = [before, after].map((object) => (object as ResourceBinding).spec)
  const resource = { ...spec?.resource, resourceVersion: old?.resource.resourceVersion }
  return deepEqual(old, { ...spec, resource })
}

function keysOf(spec: WatchSpec, change: Change<KubeObject>): Iterable<ObjectKey> {
  return spec.keys ? spec.keys(change) : [keyOfChange(change)]
}

const keyOfChange = (change: Change<KubeObject>): ObjectKey =>
  objectKey(change.type === 'deleted' ? change.old : change.object)
