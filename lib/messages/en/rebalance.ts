export const rebalance = {
} as const
