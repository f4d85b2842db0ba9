/** How an operator empties a cluster: a taint that nothing tolerates unless it says so. */
export const DRAIN_TAINT = { key: 'evenkeel.io/drained', effect: 'NoExecute' } as const
