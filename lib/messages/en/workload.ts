export const workload = {
} as const
