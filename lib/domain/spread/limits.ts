/** Computes how many pods a subset may have. */
import { parsePercent, type ShareParser } from '../../kube/percent'
import { ok, type Result } from '../../std/result'

/**
 * Returns the number of pods that `maxReplicas` permits for a workload of that size, with percentages rounded up;
 * undefined without a limit. Negative numbers and more than 100 % are valid here.
 */
export function limitOf(
  maxReplicas: number | string | undefined,
  size: number,
  parser: ShareParser,
): Result<number | undefined> {
  if (typeof maxReplicas !== 'string') return ok(maxReplicas)
  const percent = parsePercent(maxReplicas, parser)
  // Adding 0 converts the negative zero of a small negative percentage to 0.
  return percent.ok ? ok(Math.ceil((percent.value * size) / 100) + 0) : percent
}

/** Reports whether a limit depends on the size of the workload. */
export function hasShares(subsets: readonly { maxReplicas?: number | string }[]): boolean {
  return subsets.some(({ maxReplicas }) => typeof maxReplicas === 'string')
}
