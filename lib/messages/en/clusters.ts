export const clusters = {
} as const
