/** Rebalancing: what a WorkloadRebalancer does, and what it would do. See README.md. */
export * from './distribution'
export * from './finish'
export * from './plan-reasons'
export * from './plan-rebalance'
export * from './progress'
export * from './sync-status'
export * from './trigger'
