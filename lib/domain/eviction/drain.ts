/** Drains a cluster by a NoExecute taint, which evicts workloads without a matching toleration. */
export const DRAIN_TAINT = { key: 'evenkeel.io/drained', effect: 'NoExecute' } as const

/**
 * On a Cluster: JSON with the user who drained it and the `timeAdded` of the taint. A different `timeAdded` belongs to
 * another drain.
 */
export const DRAINED_BY_ANNOTATION = 'evenkeel.io/drained-by'

interface DrainedCluster {
  metadata: { annotations?: Record<string, string> }
  spec: { taints?: readonly { key: string; timeAdded?: string }[] }
}

/** Formats the annotation. */
export function writeDrainedBy(user: string, timeAdded: string): string {
  return JSON.stringify({ user, timeAdded })
}

/** Returns the user who drained a cluster; undefined if it is not drained or no user is recorded. */
export function drainedBy({ metadata, spec }: DrainedCluster): string | undefined {
  const taint = spec.taints?.find(({ key }) => key === DRAIN_TAINT.key)
  const text = metadata.annotations?.[DRAINED_BY_ANNOTATION]
  if (!taint || text === undefined) return undefined
  try {
    const value = JSON.parse(text) as { user?: unknown; timeAdded?: unknown } | null
    const isOfTaint = value?.timeAdded === taint.timeAdded
    return isOfTaint && typeof value?.user === 'string' ? value.user : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
