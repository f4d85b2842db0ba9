/** Measurements of the shared caches; `server/telemetry` exposes them as metrics. */

/** Why a watch restarts: it ended as agreed, it broke, or the server has compacted its revision. */
export type WatchRestart = 'ended' | 'broken' | 'expired'

export interface WatchMetrics {
  /** An event or a list of `resource` (`deployments.apps`) reached its cache. */
  seen(resource: string): void
  restarted(resource: string, why: WatchRestart): void
  /** Whether the cache follows the server. */
  following(resource: string, live: boolean): void
}

export const noWatchMetrics: WatchMetrics = {
  seen: () => undefined,
  restarted: () => undefined,
  following: () => undefined,
}
