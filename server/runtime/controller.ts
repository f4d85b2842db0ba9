/**
 * The interface of controllers: changes are mapped to keys, a key is reconciled from the whole current state, and the
 * result says when to reconcile it again. `run-controller.ts` runs it.
 */
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectKey } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { EventRecorder } from '@/server/kube/events'
import type { LocalWebhooks } from '@/server/kube/local-webhooks'
import type { QueueMetrics, RuntimeMetrics } from './metrics-hooks'
import type { FailureTracker } from './failure-tracker'
import type { Turns } from './turns'
import type { Change, Informers } from '@/server/kube/informer'

/**
 * Result of a reconcile. Undefined: done until the next change. A delay: reconcile again after it. Throwing retries
 * with exponential back-off per key, except `TerminalError`, which is logged and counted but never retried. A conflict
 * (HTTP 409) and an `AwaitedError` are retried without a warning.
 */
export type ReconcileResult = { requeueAfterMs: number } | void

/** An error that a retry cannot fix. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
}

/** A temporary condition that needs no operator. Retried as any failure, but without a warning. */
export class AwaitedError extends Error {
  override readonly name = 'AwaitedError'
}

/** Maps changes of a kind to keys. */
export interface WatchSpec<T extends KubeObject = KubeObject> {
  kind: Kind<T>
  /** Default: the object's own key. */
  keys?: (change: Change<T>) => Iterable<ObjectKey>
  /** Returns false for changes to drop before they reach the queue. Default: no change is dropped. */
  relevant?: (change: Change<T>) => boolean
}

/** A controller. `index.ts` of every controller's folder exports a function that returns one. */
export interface Controller {
  /** Kebab-case, unique; the name in `--reconcilers`, logs, metrics and the leader lease. */
  name: string
  /** Maximum number of keys reconciled concurrently; one key is never reconciled twice at a time. Default 1. */
  concurrency?: number
  watches: readonly WatchSpec[]
  /** Other kinds read through caches, which are synced before the first reconcile. */
  reads?: readonly Kind[]
  /** Awaited before the first reconcile, in addition to the caches above: for kinds discovered at run time. */
  whenReady?(): Promise<void>
  reconcile(key: ObjectKey): Promise<ReconcileResult>
  /** Keys of higher priority are reconciled first, equal ones in order of arrival. Default 0. */
  priority?(key: ObjectKey): number
  /** Back-off per key after an error; doubles from `baseMs` to `maxMs`. Default 5 ms to 1000 s. */
  retry?: { baseMs: number; maxMs: number }
  /** Re-enqueue every known key of the first watch this often. Default: never. */
  resyncEveryMs?: number
  /**
   * Sets up resources for the life of the controller (member informers, indexes); the returned function releases them.
   */
  start?(queue: KeyQueue): void | (() => void | Promise<void>)
}

/** The part of the work queue that a controller may use itself. */
export interface KeyQueue {
  add(key: ObjectKey): void
  addAfter(key: ObjectKey, delayMs: number): void
}

/** Dependencies of every controller. Built in `server/compose` and in `server/testing`. */
export interface ReconcilerContext {
  client: KubeClient
  informers: Informers
  clock: Clock
  events: EventRecorder
  log: Logger
  /** Uniform in [0, 1); the only source of randomness. */
  random: () => number
  metrics?: RuntimeMetrics & QueueMetrics
  /** For controllers that run nested controllers. */
  failureTracker?: FailureTracker
  turns?: Turns
  /**
   * Clock for connections to members. Default: the system clock, because the connections are real even if `clock` is
   * simulated.
   */
  connectionClock?: Clock
  /** Webhooks that are called without a network. Default: none. */
  localWebhooks?: LocalWebhooks
}

export type { EventRecorder } from '@/server/kube/events'

/** Structured log lines. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}

/** Erases the object type, so that watches of several kinds fit into one list. */
export function watch<T extends KubeObject>(spec: WatchSpec<T>): WatchSpec {
  return spec as unknown as WatchSpec
}
