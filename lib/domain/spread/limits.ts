/** How many pods a subset may hold. */
import { parsePercent, type ShareParser } from '../../kube/percent'
import { ok, type Result } from '../../std/result'

/**
 * The number of pods that `maxReplicas` allows of a workload of that size, shares rounded up; undefined when there is no
 * limit. Neither negative numbers nor more than 100 % are an error here.
 */
export function limitOf(
  maxReplicas: number | string | undefined,
  size: number,
  parser: ShareParser,
): Result<number | undefined> {
  if (typeof maxReplicas !== 'string') return ok(maxReplicas)
  const percent = parsePercent(maxReplicas, parser)
  // Adding 0 turns the negative zero of a small negative share into 0.
  return percent.ok ? ok(Math.ceil((percent.value * size) / 100) + 0) : percent
}

/** True when a limit depends on the size of the workload. */
export function hasShares(subsets: readonly { maxReplicas?: number | string }[]): boolean {
  return subsets.some(({ maxReplicas }) => typeof maxReplicas === 'string')
}
