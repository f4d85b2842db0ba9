/** Decisions about workloads that leave a cluster. */
export { assessEvictionTasks } from './assess'
export type { DropReason, EvictionPlan, EvictionSnapshot } from './assess'
export { evictCluster, taintCause } from './evict'
export type { EvictedSpec, EvictionCause, PurgeMode } from './evict'
export { decideNoExecute, noExecuteTaints } from './no-execute'
export type { NoExecuteSnapshot, NoExecuteVerdict } from './no-execute'
export { matchTolerations } from './tolerations'
export type { TolerationMatch } from './tolerations'
