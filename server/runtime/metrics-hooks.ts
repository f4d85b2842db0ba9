/** What the runtime tells about itself; `server/telemetry` turns it into metrics. */

/** How one reconcile ended. */
export type Outcome = 'success' | 'requeue' | 'conflict' | 'error' | 'terminal'

export interface RuntimeMetrics {
  reconciled(controller: string, outcome: Outcome, seconds: number): void
  /** Keys that wait for a worker. */
  queueDepth(controller: string, depth: number): void
  /** 1 while this process leads the loop, else 0. */
  leading(controller: string, leads: boolean): void
  /** Keys that keep failing or are skipped. */
  troubled(controller: string, count: number): void
}

/** What the loop of queues tells besides. */
export interface QueueMetrics {
  /** Bindings that run although their queue did not admit them, by queue; replaces what was told before. */
  unadmitted(byQueue: ReadonlyMap<string, number>): void
}

export const noMetrics: RuntimeMetrics = {
  reconciled: () => undefined,
  queueDepth: () => undefined,
  leading: () => undefined,
  troubled: () => undefined,
}
