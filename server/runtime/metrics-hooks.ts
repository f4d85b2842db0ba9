/** Measurements of the runtime; `server/telemetry` exposes them as metrics. */

/** Outcome of a reconcile. */
export type Outcome = 'success' | 'requeue' | 'conflict' | 'error' | 'terminal'

export interface RuntimeMetrics {
  reconciled(controller: string, outcome: Outcome, seconds: number): void
  /** Number of keys that wait for a worker. */
  queueDepth(controller: string, depth: number): void
  /** 1 while this process leads the controller, else 0. */
  leading(controller: string, leads: boolean): void
  /** Number of keys that keep failing or are skipped. */
  failing(controller: string, count: number): void
}

/** Measurements of the queue controller. */
export interface QueueMetrics {
  /** Bindings placed without admission, by queue; replaces the previous values. */
  unadmitted(byQueue: ReadonlyMap<string, number>): void
}

export const noMetrics: RuntimeMetrics = {
  reconciled: () => undefined,
  queueDepth: () => undefined,
  leading: () => undefined,
  failing: () => undefined,
}
