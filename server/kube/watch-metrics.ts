/** What the shared caches tell about their watches; `server/telemetry` turns it into metrics. */

/** Why a watch begins again: it ended as agreed, broke, or the server no longer knows the point where it ended. */
export type WatchRestart = 'ended' | 'broken' | 'expired'

export interface WatchMetrics {
  /** An event or a list of `resource` (`deployments.apps`) reached its cache. */
  seen(resource: string): void
  restarted(resource: string, why: WatchRestart): void
  /** Whether the copy follows the server. */
  following(resource: string, live: boolean): void
}

export const noWatchMetrics: WatchMetrics = {
  seen: () => undefined,
  restarted: () => undefined,
  following: () => undefined,
}
