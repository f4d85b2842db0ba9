/**
 * Tracks keys that controllers fail to reconcile or skip. One object must not stop a controller or prevent a start: a
 * key that keeps failing is reported with its reason, and a key is quarantined if the process crashed twice while
 * reconciling it, the second time by itself (`crash-watch.ts`).
 */
import type { ObjectKey } from '@/lib/kube/object'
import type { EpochMs } from '@/lib/std/clock'
import { objectOfKey } from './key-object'
import type { PassRecord } from './pass-record'

/** A key that a controller fails to reconcile, or skips. */
export interface FailingKey {
  controller: string
  key: ObjectKey
  state: 'failing' | 'skipped'
  /** The error, or why the key is skipped. */
  cause: string
  /** Consecutive failures; for a skipped key, the crashes. */
  failures: number
  since: EpochMs
  nextTryAt?: EpochMs
}

export interface Failure {
  cause: string
  /** Consecutive failures. */
  failures: number
  /** Absent: not retried before the object changes. */
  nextTryAt?: EpochMs
}

export interface FailureTracker {
  /** Returns why the key must not be reconciled; undefined if it may be. */
  refusal(controller: string, key: ObjectKey): string | undefined
  /**
   * Records that a key is being reconciled; call the returned function afterwards. Returns a promise for a key during
   * whose reconcile the process crashed before: such keys are reconciled one at a time, so that the next crash
   * identifies its cause.
   */
  begin(controller: string, key: ObjectKey): (() => void) | Promise<() => void>
  failed(controller: string, key: ObjectKey, failure: Failure): void
  /** The key was reconciled, or its object was deleted. */
  recovered(controller: string, key: ObjectKey): void
  /** Allows a retry of a skipped key, because its object was changed or is being deleted. */
  reconsider(controller: string, key: ObjectKey, why: 'changed' | 'deleted'): void
  /** Returns all failing and skipped keys, sorted by controller and key. */
  failing(): readonly FailingKey[]
}

/** A key with this many consecutive failures is reported. */
export const FAILURES_REPORTED = 5
/** Maximum number of failing keys kept in memory; further ones are only counted in the metrics. */
const MAX_REMEMBERED = 1000
/** Maximum time that a suspect waits for others, because a reconcile may hang. */
const SUSPECT_TIMEOUT_MS = 5_000

export interface FailureTrackerOptions {
  /** Records keys that are being reconciled. Absent: a crash cannot be attributed to a key. */
  record?: PassRecord | undefined
  /** `key` or `controller:key`, from `--skip-objects`. */
  skip?: readonly string[]
  now: () => EpochMs
  after: (delayMs: number, callback: () => void) => () => void
  /** Called with the number of failing or skipped keys of a controller. */
  onCount?: (controller: string, count: number) => void
}

export function createFailureTracker(options: FailureTrackerOptions): FailureTracker {
  return new KeyFailureTracker(options)
}

class KeyFailureTracker implements FailureTracker {
  readonly #troubled = new Map<string, FailingKey>()
  readonly #released = new Set<string>()
  #previous: Promise<void> = Promise.resolve()

  constructor(private readonly options: FailureTrackerOptions) {}

  refusal(controller: string, key: ObjectKey): string | undefined {
    const id = idOf(controller, key)
    if (this.#released.has(id)) return undefined
    const cause = this.#reasonToSkip(controller, key)
    if (cause !== undefined && this.#troubled.get(id)?.state !== 'skipped') this.#noteSkipped(controller, key, cause)
    return cause
  }

  begin(controller: string, key: ObjectKey): (() => void) | Promise<() => void> {
    const { record } = this.options
    if (!record) return nothing
    if (record.crashesOf(controller, key) === 0) return record.begin(controller, key, { alone: false })
    return this.#alone(controller, key, record)
  }

  failed(controller: string, key: ObjectKey, { cause, failures, nextTryAt }: Failure): void {
    if (failures < FAILURES_REPORTED && nextTryAt !== undefined) return
    const id = idOf(controller, key)
    const known = this.#troubled.get(id)
    if (!known && this.#troubled.size >= MAX_REMEMBERED) return
    const since = known?.since ?? this.options.now()
    this.#troubled.set(id, {
      controller,
      key,
      state: 'failing',
      cause,
      failures,
      since,
      ...(nextTryAt !== undefined && { nextTryAt }),
    })
    if (!known) this.#count(controller)
  }

  recovered(controller: string, key: ObjectKey): void {
    if (this.#troubled.size > 0 && this.#troubled.delete(idOf(controller, key))) this.#count(controller)
  }

  reconsider(controller: string, key: ObjectKey, why: 'changed' | 'deleted'): void {
    const known = this.#troubled.get(idOf(controller, key))
    if (known?.state !== 'skipped' || (why === 'changed' && this.#isNamed(controller, key))) return
    this.#released.add(idOf(controller, key))
    this.options.record?.allowRetry(controller, key)
    this.recovered(controller, key)
  }

  failing(): readonly FailingKey[] {
    return [...this.#troubled.values()].toSorted((a, b) =>
      idOf(a.controller, a.key) < idOf(b.controller, b.key) ? -1 : 1,
    )
  }

  #reasonToSkip(controller: string, key: ObjectKey): string | undefined {
    if (this.#isNamed(controller, key))
      return 'Named by --skip-objects. Start without it to reconcile the object again.'
    const crashes = this.options.record?.crashesOf(controller, key) ?? 0
    if (crashes < 2) return undefined
    return (
      `The process died ${crashes} times while it reconciled this object. Change or delete the object, or start `
      + 'with --skip-objects=none, to try again.'
    )
  }

  #isNamed(controller: string, key: ObjectKey): boolean {
    const { skip = [] } = this.options
    if (skip.length === 0) return false
    return [key, objectOfKey(key).key].some((name) => skip.includes(name) || skip.includes(`${controller}:${name}`))
  }

  #noteSkipped(controller: string, key: ObjectKey, cause: string): void {
    const failures = this.options.record?.crashesOf(controller, key) ?? 0
    const since = this.options.now()
    this.#troubled.set(idOf(controller, key), { controller, key, state: 'skipped', cause, failures, since })
    this.#count(controller)
  }

  /** A suspect starts when the previous one has finished or timed out. */
  async #alone(controller: string, key: ObjectKey, record: PassRecord): Promise<() => void> {
    const before = this.#previous
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#previous = promise
    const cancel = Promise.withResolvers<void>()
    const stopTimer = this.options.after(SUSPECT_TIMEOUT_MS, cancel.resolve)
    await Promise.race([before, cancel.promise])
    stopTimer()
    const end = record.begin(controller, key, { alone: true })
    return () => {
      end()
      record.clear(controller, key)
      resolve()
    }
  }

  #count(controller: string): void {
    let count = 0
    for (const entry of this.#troubled.values()) if (entry.controller === controller) count += 1
    this.options.onCount?.(controller, count)
  }
}

const nothing = (): void => undefined
const idOf = (controller: string, key: ObjectKey): string => `${controller}:${key}`

/** The default: every key may be reconciled, and nothing is recorded. */
export const noFailureTracker: FailureTracker = {
  refusal: () => undefined,
  begin: () => nothing,
  failed: nothing,
  recovered: nothing,
  reconsider: nothing,
  failing: () => [],
}

/** Describes a failing key in one sentence, for events. */
export function sentenceOf({ state, cause, failures, nextTryAt }: FailingKey): string {
  if (state === 'skipped') return `Skipped. ${cause}`
  if (nextTryAt === undefined) return `Given up until the object changes: ${cause}`
  return `Failed ${failures} times in a row: ${cause}`
}
