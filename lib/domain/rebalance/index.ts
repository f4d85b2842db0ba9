/** Rebalancing: what a WorkloadRebalancer does, and what it would do. See README.md. */
export * from './finish'
export * from './sync-status'
export * from './trigger'
