/** Metrics of the notifier; `server/telemetry` exports them. */
export interface NoticeMetrics {
  /** A notice left the queue of a receiver. `failed`: given up; `dropped`: the queue was full. */
  noticeDone(receiver: string, result: 'sent' | 'failed' | 'dropped'): void
  /** A request to a receiver ended. */
  noticeAttempted(receiver: string, result: 'ok' | 'error'): void
  /** Notices that wait for a receiver. */
  noticesWaiting(receiver: string, count: number): void
  /** Incidents that run, by kind. */
  incidentsRunning(byKind: ReadonlyMap<string, number>): void
}
