export const spread = {
} as const
