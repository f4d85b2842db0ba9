export const failover = {
} as const
