export const queues = {
} as const
