/** Measurements of the shared caches; `server/telemetry` exposes them as metrics. */

/** Why a watch restarts: the server ended it as requested, it broke, or its revision was compacted. */
export type WatchRestart = 'ended' | 'broken' | 'expired'

export interface WatchMetrics {
  /** An event or a list of `resource` (`deployments.apps`) reached its cache. */
  seen(resource: string): void
  restarted(resource: string, why: WatchRestart): void
  /** Sets whether the cache follows the server. */
  following(resource: string, live: boolean): void
}

export const noWatchMetrics: WatchMetrics = {
  seen: () => undefined,
  restarted: () => undefined,
  following: () => undefined,
}
